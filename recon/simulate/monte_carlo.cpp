// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/monte_carlo.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/phantom/attenuation.h"
#include "recon/ranks/communicator.h"
#include "recon/scanner/detector.h"
#include "recon/simulate/early_loss.h"
#include "recon/simulate/emission.h"
#include "recon/simulate/made_events.h"
#include "recon/simulate/photon_lists.h"
#include "recon/simulate/random_stream.h"
#include "recon/simulate/start_pairs.h"

namespace tof {

namespace {

constexpr std::size_t kEventsPerChunk = 4096;
constexpr std::uint32_t kMaxAttempts =
    1'000'000;  ///< per event; a scanner that needs more sees next to nothing
constexpr double kSpeedOfLight_mmPerPs = 2 * kMmPerPs;

/// How much further than the acceptance a direction may be tilted and still give crystals within it: one
/// depth and two crystal widths over the distance between opposite crystals.
double tiltMargin(const Scanner& scanner, double innerRadius) {
    const double slack =
        scanner.crystalSize_mm[2] * std::tan(scanner.acceptance_rad) + 2 * scanner.crystalSize_mm[1];
    return slack / (2 * innerRadius);
}

/// One simulation; everything that threads share, none of it changing.
class Source {
  public:
    Source(const Scanner& scanner, const Phantom& phantom, const SimulationSettings& settings,
           const ThreadPool& pool)
        : scanner_(scanner),
          phantom_(phantom),
          settings_(settings),
          emission_(phantom, pool),
          attenuation_(phantom),
          detector_(scanner),
          sinAcceptance_(std::sin(scanner.acceptance_rad)),
          sinDrawn_(std::sin(
              std::min(kPi / 2, scanner.acceptance_rad + tiltMargin(scanner, detector_.innerRadius())))),
          blur_ps_(scanner.timing_fwhm_ps / kFwhmPerSigma),
          earlyLoss_(phantom, emission_, attenuation_, sinDrawn_ / std::sqrt(1 - sinDrawn_ * sinDrawn_)) {}

    [[nodiscard]] double sphereShare() const { return sinDrawn_; }

    /// Makes event `index` at a place of the list: pairs are started until one is detected, so the event
    /// follows the distribution of the detected ones.
    void make(std::size_t index, std::size_t place, EventList& events, SimulationReport& report) const {
        startPairs(
            {settings_.seed, RandomUse::Events, kMaxAttempts, scanner_, phantom_}, index, report,
            [this](const WordBatch& batch, EarlyLoss::Verdicts& verdicts) {
                earlyLoss_.judge(batch, verdicts);
            },
            [&](RandomStream& random) { return tryPair(random, place, events, report); });
    }

  private:
    bool tryPair(RandomStream& random, std::size_t place, EventList& events, SimulationReport& report) const {
        const auto emitted = emission_.sample(random);
        if (!emitted) {
            return false;
        }
        const Vec3 from = *emitted;
        ++report.started;
        const double survives = random.exponential();
        const Vec3 direction = drawDirection(random);
        if (attenuation_.along(from, direction, survives) >= survives) {
            ++report.attenuated;
            return false;
        }
        const auto first =
            detector_.follow(from, direction, random.exponential() / scanner_.attenuation_per_mm);
        if (!first) {
            ++report.missed;
            return false;
        }
        const auto second =
            detector_.follow(from, -direction, random.exponential() / scanner_.attenuation_per_mm);
        if (!second || !accepted(first->crystal, second->crystal)) {
            ++report.missed;
            return false;
        }
        const double dt =
            (first->distance - second->distance) / kSpeedOfLight_mmPerPs + blur_ps_ * random.normal();
        events.crystals[place] = {first->crystal, second->crystal};
        events.dt_ps[place] = static_cast<float>(dt);
        ++report.trues;
        return true;
    }

    /// Uniform on the belt of the sphere within the drawn tilt.
    [[nodiscard]] Vec3 drawDirection(RandomStream& random) const {
        const double sine = sinDrawn_ * (2 * random.uniform() - 1);
        const double cosine = std::sqrt(1 - sine * sine);
        const double azimuth = 2 * kPi * random.uniform();
        return {cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
    }

    /// Whether the line between two crystals' reference points lies within the acceptance.
    [[nodiscard]] bool accepted(std::uint32_t c1, std::uint32_t c2) const {
        const Vec3 line = scanner_.reference(c2) - scanner_.reference(c1);
        return std::abs(line.z) <= sinAcceptance_ * norm(line);
    }

    const Scanner& scanner_;
    const Phantom& phantom_;
    const SimulationSettings& settings_;
    EmissionSampler emission_;
    PairAttenuation attenuation_;
    Detector detector_;
    double sinAcceptance_;
    double sinDrawn_;
    double blur_ps_;
    EarlyLoss earlyLoss_;
};

void check(const Scanner& scanner, const SimulationSettings& settings) {
    if (settings.events < 1 || settings.events > (std::uint64_t{1} << 32U)) {
        throw WrongUse("{} events: give 1 to 2^32", settings.events);
    }
    if (settings.duration_s < 0 || !(settings.activity_MBq > 0)) {
        throw WrongUse("a duration of {:g} s and an activity of {:g} MBq: give a positive one",
                       settings.duration_s, settings.activity_MBq);
    }
    if (!scanner.detection && settings.physics && *settings.physics != Physics::none()) {
        throw WrongUse("scanner '{}' does not say how it detects; add 'detection', or ask for no physics",
                       scanner.name);
    }
    if (!scanner.detection && !(scanner.attenuation_per_mm > 0)) {
        throw WrongUse("scanner '{}' does not say what its crystals attenuate; add 'attenuation_per_mm'",
                       scanner.name);
    }
}

}  // namespace

namespace {

/// Scanners without `detection`: every photon that interacts in a crystal is recorded there.
EventList simulateIdeal(const Scanner& scanner, const Phantom& phantom, const SimulationSettings& settings,
                        const ThreadPool& pool, const SimulationHooks& hooks, SimulationReport& total) {
    const Source source(scanner, phantom, settings, pool);
    total.sphereShare = source.sphereShare();
    const EventMaker maker{
        kEventsPerChunk,
        [](std::size_t n, EventList& events) {
            events.crystals.resize(n);
            events.dt_ps.resize(n);
            events.kind.assign(n, EventKind::True);
        },
        [&source](std::size_t index, std::size_t place, EventList& events, SimulationReport& report) {
            source.make(index, place, events, report);
        }};
    return makeEvents(settings.events, maker, pool, hooks, total);
}

}  // namespace

EventList simulate(const Scanner& scanner, const Phantom& phantom, const SimulationSettings& settings,
                   const ThreadPool& pool, const std::function<void(std::uint64_t)>& progress,
                   SimulationReport* report, EventList* delayed) {
    SimulationHooks hooks;
    hooks.progress = progress;
    hooks.delayed = delayed;
    return simulateWith(scanner, phantom, settings, pool, hooks, report);
}

bool isInTime(const Scanner& scanner, const SimulationSettings& settings) {
    return scanner.detection && settings.physics.value_or(Physics::of(scanner)).randoms;
}

EventList simulateWith(const Scanner& scanner, const Phantom& phantom, const SimulationSettings& settings,
                       const ThreadPool& pool, const SimulationHooks& hooks, SimulationReport* report) {
    check(scanner, settings);
    const Physics physics = settings.physics.value_or(Physics::of(scanner));
    const bool inTime = isInTime(scanner, settings);
    if (hooks.slices && !inTime) {
        throw WrongUse(
            "devices simulate scans in time, with randoms and a scanner that has 'detection'; take --engine "
            "cpu for others");
    }
    SimulationReport total;
    EventList events;
    if (!scanner.detection) {
        events = simulateIdeal(scanner, phantom, settings, pool, hooks, total);
    } else if (inTime) {
        events = simulateInTime(scanner, phantom, physics, settings, pool, hooks, total);
    } else {
        events = simulatePairs(scanner, phantom, physics, settings, pool, hooks, total);
    }
    if (hooks.take && !inTime && hooks.ranks->first()) {
        hooks.take(events);
    }
    events.scannerJson = scanner.toJson();
    events.phantom = phantom.description.empty() ? phantom.name : phantom.description;
    events.seed = settings.seed;
    events.sphereShare = total.sphereShare;
    constexpr double kBqPerMBq = 1e6;
    const double positrons = scanner.detection ? isotopeNamed(physics.isotope).branching : 1;
    events.duration_s = settings.duration_s > 0
                            ? settings.duration_s
                            : events.decays / (kBqPerMBq * settings.activity_MBq * positrons);
    if (EventList* const delayed = hooks.delayed; delayed != nullptr) {
        delayed->scannerJson = events.scannerJson;
        delayed->phantom = events.phantom;
        delayed->seed = events.seed;
        delayed->decays = events.decays;
        delayed->duration_s = events.duration_s;
    }
    if (report != nullptr) {
        *report = total;
    }
    return events;
}

}  // namespace tof
