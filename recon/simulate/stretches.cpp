// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/stretches.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "recon/base/error.h"
#include "recon/ranks/communicator.h"
#include "recon/simulate/joined_events.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/random_stream.h"

namespace tof {

namespace {

constexpr std::uint64_t kMostEvents = std::uint64_t{1} << 32U;

class StretchScan {
  public:
    StretchScan(const std::string& what, const Scanner& scanner, const std::vector<Stretch>& stretches,
                const SimulationSettings& settings, const ThreadPool& pool, const SimulationHooks& hooks,
                SimulationReport& report)
        : what_(what),
          scanner_(scanner),
          stretches_(stretches),
          settings_(settings),
          pool_(pool),
          hooks_(hooks),
          report_(report) {
        for (const Stretch& stretch : stretches_) {
            decays_ += stretch.activity * stretch.length_s;
        }
    }

    EventList make() {
        const double perActivity = activity_MBq();
        EventList list;
        EventList delayeds;
        for (const Stretch& stretch : stretches_) {
            if (stretch.activity > 0) {
                add(stretch, perActivity * stretch.activity, list, delayeds);
            }
        }
        EventList ordered = inOrderOfTime(list);
        ordered.decays = list.decays;
        ordered.singles = list.singles;
        if (hooks_.delayed != nullptr) {
            *hooks_.delayed = inOrderOfTime(delayeds);
        }
        return ordered;
    }

  private:
    /// MBq of a stretch whose activity is 1.
    double activity_MBq() {
        constexpr double kUsualShare = 0.02;  // of decays that are recorded, to begin with
        constexpr int kRounds = 5;
        constexpr double kClose = 0.01;
        const auto asked = static_cast<double>(settings_.events);
        double activity = 1e-6 * asked / (kUsualShare * decays_);
        for (int round = 0; round < kRounds; ++round) {
            const double found = expectedAt(activity);
            const double off = asked / found;
            activity *= off;
            if (std::abs(off - 1) < kClose || (round + 1 == kRounds && std::abs(off - 1) < 10 * kClose)) {
                return activity;
            }
        }
        throw WrongUse(
            "{}: no activity records {} events in its time, of which photons that come too close to one "
            "another are lost; ask for fewer events, or leave no-randoms in --physics",
            what_, settings_.events);
    }

    /// Events of the scan at an activity, from the rates where each sixteenth of the decays is half over.
    double expectedAt(double perActivity) {
        constexpr int kTrials = 16;
        double events = 0;
        double before = 0;
        int trial = 0;
        for (const Stretch& stretch : stretches_) {
            before += stretch.activity * stretch.length_s;
            int here = 0;
            for (; trial < kTrials && before >= (trial + 0.5) / kTrials * decays_; ++trial) {
                ++here;
            }
            if (here > 0) {
                const double rate = rateOf(stretch, perActivity * stretch.activity);
                events += here * rate / stretch.activity * decays_ / kTrials;
            }
        }
        return events;
    }

    double rateOf(const Stretch& stretch, double activity_MBq) {
        constexpr std::uint64_t kLookedAt = 1000;
        SimulationSettings own = ownSettings(activity_MBq);
        own.events = kLookedAt;
        const EventList list = simulateWith(scanner_, stretch.phantom, own, pool_, checkedAlone(), nullptr);
        return static_cast<double>(list.size()) / list.duration_s;
    }

    /// Trials are every rank's own, which finds the same. They tell no progress, but it may cancel them.
    [[nodiscard]] SimulationHooks checkedAlone() const {
        SimulationHooks told;
        told.progress = [this](std::uint64_t /*made*/) {
            if (hooks_.progress) {
                hooks_.progress(0);
            }
        };
        return told;
    }

    [[nodiscard]] SimulationSettings ownSettings(double activity_MBq) {
        SimulationSettings own = settings_;
        own.seed = wordsOf(RandomStream(settings_.seed, RandomUse::Steps, runs_++));
        own.activity_MBq = activity_MBq;
        own.duration_s = 0;
        return own;
    }

    static std::uint64_t wordsOf(RandomStream words) {
        const std::uint64_t high = words.word();
        return (high << 32U) | words.word();
    }

    void add(const Stretch& stretch, double activity_MBq, EventList& list, EventList& delayeds) {
        SimulationSettings own = ownSettings(activity_MBq);
        own.events = kMostEvents;
        own.longest_s = stretch.length_s;
        SimulationHooks told;
        told.progress = [&](std::uint64_t made) {
            if (hooks_.progress) {
                hooks_.progress(std::min<std::uint64_t>(settings_.events, list.size() + made));
            }
        };
        EventList late;
        CrystalSingles singles;
        told.slices = hooks_.slices;
        told.ranks = hooks_.ranks;
        told.delayed = hooks_.delayed != nullptr ? &late : nullptr;
        told.singles = hooks_.singles != nullptr ? &singles : nullptr;
        SimulationReport report;
        EventList events = simulateWith(scanner_, stretch.phantom, own, pool_, told, &report);
        place(stretch, own.seed, events);
        place(stretch, own.seed + 1, late);
        appendEvents(events, 0, events.size(), list);
        appendEvents(late, 0, late.size(), delayeds);
        list.decays += events.decays;
        list.singles += events.singles;
        if (hooks_.singles != nullptr && hooks_.ranks->first()) {
            addSingles(singles, stretch.length_s);
        }
        report_.add(report);
        report_.sphereShare = report.sphereShare;
    }

    /// Puts events that happened within the stretch to their times in the scan.
    void place(const Stretch& stretch, std::uint64_t seed, EventList& events) const {
        constexpr std::size_t kChunk = 4096;
        pool_.forRange(events.size(), kChunk, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                RandomStream random(seed, RandomUse::Steps, i);  // within its ms
                const double at_s = 1e-3 * (events.time_ms[i] + random.uniform());
                const double when_s = stretch.when_s(std::clamp(at_s / stretch.length_s, 0.0, 1.0));
                events.time_ms[i] = static_cast<std::uint32_t>(1e3 * std::max(0.0, when_s));
            }
        });
    }

    /// Singles were counted for longer than the stretch lasts: what they are in its time.
    void addSingles(const CrystalSingles& from, double length_s) {
        CrystalSingles& to = *hooks_.singles;
        if (to.recorded.empty()) {
            to = {std::vector<double>(from.recorded.size(), 0.0), std::vector<double>(from.busy.size(), 0.0),
                  0, from.scannerJson};
            for (const Stretch& each : stretches_) {
                to.duration_s += each.length_s;
            }
        }
        if (from.spectra.known()) {
            to.spectra.add(from.spectra);
        }
        const double share = length_s / from.duration_s;
        for (std::size_t i = 0; i < from.recorded.size(); ++i) {
            to.recorded[i] += share * from.recorded[i];
        }
        for (std::size_t i = 0; i < from.busy.size(); ++i) {
            to.busy[i] += share * from.busy[i];
        }
    }

    const std::string& what_;
    const Scanner& scanner_;
    const std::vector<Stretch>& stretches_;
    const SimulationSettings& settings_;
    const ThreadPool& pool_;
    const SimulationHooks& hooks_;
    SimulationReport& report_;
    double decays_ = 0;  ///< activity times s
    std::uint64_t runs_ = 0;
};

}  // namespace

EventList simulateStretches(const std::string& what, const Scanner& scanner,
                            const std::vector<Stretch>& stretches, const SimulationSettings& settings,
                            const ThreadPool& pool, const SimulationHooks& hooks, SimulationReport& report) {
    return StretchScan(what, scanner, stretches, settings, pool, hooks, report).make();
}

}  // namespace tof
