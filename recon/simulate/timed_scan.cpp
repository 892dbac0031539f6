// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/base/sum.h"
#include "recon/ranks/on_first.h"
#include "recon/ranks/rank_range.h"
#include "recon/simulate/joined_events.h"
#include "recon/simulate/lutetium.h"
#include "recon/simulate/photon_lists.h"
#include "recon/simulate/random_stream.h"
#include "recon/simulate/slice_resolver.h"
#include "recon/simulate/slice_spectra.h"

namespace tof {

namespace {

constexpr double kPsPerNs = 1000;
constexpr std::uint64_t kSlicesForRate = 4;  ///< 65,536 decays: their singles are counted to a few per cent
constexpr std::uint64_t kMostSlicesForSpectra = 256;  ///< 4 million decays
constexpr double kPartners = 8000;  ///< by so many what pile-up leaves is known to 0.5 % where it takes 30
constexpr std::uint64_t kFirstBatch = 8;
constexpr std::uint64_t kLargestBatch = 512;
constexpr std::uint64_t kMaxSlicesWithoutEvent = 4096;

class TimedScan {
  public:
    TimedScan(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
              const SimulationSettings& settings, const ThreadPool& pool)
        : scanner_(scanner),
          phantom_(phantom),
          settings_(settings),
          detection_(*scanner.detection),
          model_(scanner, phantom, physics, pool),
          length_ps_(static_cast<double>(kDecaysPerSlice) /
                     (settings.activity_MBq * isotopeNamed(physics.isotope).branching) * 1e6),
          lutetium_(
              physics.lutetium && lutetiumPerCm3(detection_.material) > 0
                  ? std::optional<LutetiumDecays>(std::in_place, scanner, model_, settings.seed, length_ps_)
                  : std::nullopt),
          resolver_(model_, detection_, physics, length_ps_, lutetium_ ? &*lutetium_ : nullptr) {
        if (!(detection_.coincidence_ns > 0)) {
            throw WrongUse("scanner '{}' has no coincidence window; add 'coincidence_ns', or no-randoms",
                           scanner.name);
        }
        if (settings.duration_s > 0) {
            throw WrongUse(
                "with randoms the scan lasts as long as its activity takes; give --activity alone");
        }
        if (length_ps_ < 8 * kPsPerNs * (detection_.coincidence_ns + detection_.delay_ns)) {
            throw WrongUse("{:g} MBq are too many for scanner '{}'", settings.activity_MBq, scanner.name);
        }
    }

    [[nodiscard]] double length_ps() const { return length_ps_; }
    [[nodiscard]] std::size_t blocks() const { return model_.groups(); }
    [[nodiscard]] const SliceResolver& resolver() const { return resolver_; }

    /// Looks at the first slices: takes the time resolution that the rate of their singles gives.
    void lookAhead(const ThreadPool& pool) {
        std::vector<Slice> slices(kSlicesForRate);
        pool.forRange(kSlicesForRate, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                fill(k, slices[k]);
            }
        });
        double singles = 0;
        for (const Slice& slice : slices) {
            singles += static_cast<double>(slice.report.singles);
            mostPhotons_ = std::max(mostPhotons_, slice.photons.size());
            mostPrompts_ = std::max({mostPrompts_, slice.prompts.size(), slice.delayeds.size()});
        }
        const double rate = singles / (kSlicesForRate * length_ps_ * 1e-12);
        sigma_ps_ = detection_.timing_ps(rate, scanner_.timing_fwhm_ps) / kFwhmPerSigma / std::sqrt(2.0);
    }

    /// Spectra of blocks from the first of so many slices. Nothing where photons do not pile up.
    [[nodiscard]] BlockSpectra spectra(std::uint64_t slices, const ThreadPool& pool) const {
        BlockSpectra all;
        if (!(resolver_.pileUp().integration_ps > 0)) {
            return all;
        }
        const std::uint64_t most = std::min(slices, kMostSlicesForSpectra);
        for (std::uint64_t made = 0; made < most && sumOf(all.partners) < kPartners; made += kSlicesForRate) {
            std::vector<BlockSpectra> each(kSlicesForRate);
            pool.forRange(kSlicesForRate, 1, [&](std::size_t begin, std::size_t end) {
                for (std::size_t k = begin; k < end; ++k) {
                    Slice slice;
                    follow(made + k, slice);
                    each[k] = spectraOf(slice.photons, model_);
                }
            });
            for (const BlockSpectra& one : each) {
                all.add(one);
            }
        }
        return all;
    }

    [[nodiscard]] TimedModel forSlices(bool delayeds, const ThreadPool& pool) const {
        return {model_,
                pool,
                settings_.seed,
                length_ps_,
                sigma_ps_,
                resolver_,
                delayeds,
                static_cast<std::uint32_t>(mostPhotons_),
                static_cast<std::uint32_t>(mostPrompts_)};
    }

    void fill(std::uint64_t index, Slice& slice) const {
        slice.index = index;
        follow(index, slice);
        resolver_.resolve(slice);
    }

  private:
    /// Draws the decays of a slice and follows their photons until they are read out.
    void follow(std::uint64_t index, Slice& slice) const {
        slice.report.started = kDecaysPerSlice;
        for (std::uint32_t decay = 0; decay < kDecaysPerSlice; ++decay) {
            RandomStream random(settings_.seed, RandomUse::Photons, index * kDecaysPerSlice + decay);
            Photon photon1 = drawFirst(model_.physics(), place(random), random);
            Photon photon2 = drawSecond(model_.physics(), photon1, random);
            const double time = length_ps_ * random.uniform();
            random.startAttempt(kPhotonNumbers);
            const PhotonFate one = record(photon1, time, decay, 0, random, slice);
            random.startAttempt(kPhotonNumbers + 1);
            const PhotonFate two = record(photon2, time, decay, 1, random, slice);
            switch (one != PhotonFate::Recorded ? one : two) {
                case PhotonFate::Recorded: break;
                case PhotonFate::Attenuated: ++slice.report.attenuated; break;
                case PhotonFate::Missed: ++slice.report.missed; break;
                case PhotonFate::OutsideWindow: ++slice.report.outsideWindow; break;
            }
        }
    }

    [[nodiscard]] Vec3 place(RandomStream& random) const {
        for (std::uint32_t attempt = 0; attempt < kPlaceTries; ++attempt) {
            random.startAttempt(attempt);
            if (const auto found = model_.emission().sample(random)) {
                return *found;
            }
        }
        throw WrongUse("phantom '{}' emits next to nowhere", phantom_.name);
    }

    PhotonFate record(Photon& photon, double time, std::uint32_t decay, std::uint8_t which,
                      RandomStream& random, Slice& slice) const {
        const Readout& readout = model_.physics().readout;
        CrystalDeposits deposits;
        Single single;
        const PhotonFate fate = tof::follow(model_.physics(), photon, random, deposits, single);
        if (fate != PhotonFate::Recorded && fate != PhotonFate::OutsideWindow) {
            return fate;
        }
        const auto add = [&](const Single& read, bool inWindow, bool part) {
            TimedPhoton& timed = slice.photons.emplace_back();
            const double at = time + static_cast<double>(read.path_mm) / (2 * kMmPerPs) +
                              sigma_ps_ * static_cast<double>(drawNormal(random));
            timed.time_ps = at - length_ps_ * std::floor(at / length_ps_);
            timed.group = read.group;
            timed.crystal = read.crystal;
            timed.decay = decay;
            timed.energy_keV = read.energy_keV;
            timed.photon = which;
            timed.scatters = static_cast<std::uint8_t>(std::min<std::uint32_t>(photon.scatters, 127));
            timed.inWindow = inWindow;
            timed.part = part;
            timed.unrecorded = read.unrecorded;
        };
        if (single.energy_keV >= readout.trigger_keV) {
            add(single, fate == PhotonFate::Recorded, false);
        }
        for (std::int32_t i = 0; readout.everyBlock && i < deposits.count; ++i) {
            Single part;
            if (deposits[i].group != single.group) {
                const bool inWindow =
                    readBlock(model_.physics().crystals, readout, deposits[i], random, part);
                if (part.energy_keV >= readout.trigger_keV) {
                    add(part, inWindow, true);
                }
            }
        }
        return fate;
    }

    const Scanner& scanner_;
    const Phantom& phantom_;
    const SimulationSettings& settings_;
    const Detection& detection_;
    PairModel model_;
    double length_ps_;
    std::optional<LutetiumDecays> lutetium_;
    SliceResolver resolver_;
    double sigma_ps_ = 0;  ///< one photon's standard deviation
    std::size_t mostPhotons_ = 0;
    std::size_t mostPrompts_ = 0;
};

/// Slices made by host threads, more at a time as the list grows.
class HostSlices : public SliceSource {
  public:
    HostSlices(const TimedScan& scan, const ThreadPool& pool, bool delayeds, const SimulationHooks& hooks)
        : scan_(scan), pool_(pool), delayeds_(delayeds), singles_(hooks.singles), ranks_(*hooks.ranks) {}

    [[nodiscard]] std::uint64_t mostAtOnce() const override { return kLargestBatch; }
    /// Its batches are divided among ranks as they are.
    void takeTurns(const SliceTurns& /*turns*/) override {}

    /// With several ranks each makes its part of the batch; the first has all in the end, others none.
    void next(std::uint64_t /*wanted*/, SliceBatch& batch) override {
        const RankRange mine = rangeOf(batch_, ranks_.rank(), ranks_.size());
        std::vector<Slice> slices(mine.size());
        pool_.forRange(mine.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                scan_.fill(first_ + mine.begin + k, slices[k]);
            }
        });
        first_ += batch_;
        batch_ = std::min(2 * batch_, kLargestBatch);
        batch = SliceBatch();
        for (const Slice& slice : slices) {
            appendSlice(slice, scan_.length_ps(), delayeds_ ? Delayeds::Listed : Delayeds::Counted, batch);
            if (singles_ != nullptr) {
                scan_.resolver().count(slice, *singles_);
            }
        }
        joinSlices(ranks_, batch);
    }

  private:
    const TimedScan& scan_;
    const ThreadPool& pool_;
    bool delayeds_;
    CrystalSingles* singles_;
    Communicator& ranks_;
    std::uint64_t first_ = 0;
    std::uint64_t batch_ = kFirstBatch;
};

/// Slices of the sources of several ranks, which make them in turns; the first has all, others none.
class SlicesInTurns : public SliceSource {
  public:
    /// `events` are asked for, of which a slice has about `perSlice`.
    SlicesInTurns(std::unique_ptr<SliceSource> own, Communicator& ranks, std::uint64_t events,
                  std::uint32_t perSlice)
        : own_(std::move(own)), ranks_(ranks) {
        constexpr std::uint64_t kRounds = 8;  // so that little is made beyond the last event
        constexpr std::uint64_t kMostInTurn = 1024;
        const auto size = static_cast<std::uint64_t>(ranks.size());
        const std::uint64_t slices = events / std::max(perSlice, 1U) / size / kRounds + 1;
        const std::vector<std::uint64_t> fit =
            ranks.numbersOfAll(std::min({own_->mostAtOnce(), slices, kMostInTurn}));
        inTurn_ = *std::min_element(fit.begin(), fit.end());
        own_->takeTurns({inTurn_ * static_cast<std::uint64_t>(ranks.rank()), inTurn_, inTurn_ * size});
    }

    [[nodiscard]] std::uint64_t mostAtOnce() const override { return inTurn_; }
    void takeTurns(const SliceTurns& turns) override { own_->takeTurns(turns); }
    /// Only the first rank knows how many events are wanted.
    void next(std::uint64_t wanted, SliceBatch& batch) override {
        const auto size = static_cast<std::uint64_t>(ranks_.size());
        own_->next((ranks_.numbersOfAll(wanted).front() + size - 1) / size, batch);
        joinSlices(ranks_, batch);
    }

  private:
    std::unique_ptr<SliceSource> own_;
    Communicator& ranks_;
    std::uint64_t inTurn_ = 1;
};

/// Puts slices together until the list is as long as asked, and counts.
class TimedList {
  public:
    TimedList(const SimulationSettings& settings, double sliceLength_ps, const ThreadPool& pool,
              SimulationReport& report, const SimulationHooks& hooks)
        : pool_(pool),
          asked_(settings.events),
          sliceLength_ms_(1e-9 * sliceLength_ps),
          slices_(settings.longest_s > 0 ? 1e12 * settings.longest_s / sliceLength_ps
                                         : std::numeric_limits<double>::infinity()),
          report_(report),
          hooks_(hooks) {}

    [[nodiscard]] bool full() const { return made_ == asked_ || over_; }
    /// How many events are missing where a slice has about so many.
    [[nodiscard]] std::uint64_t wanted(std::uint32_t perSlice) const {
        const double inTime = (slices_ - static_cast<double>(used_)) * std::max(perSlice, 1U);
        const std::uint64_t missing = asked_ - made_;
        return inTime < static_cast<double>(missing) ? static_cast<std::uint64_t>(inTime) + 1 : missing;
    }
    [[nodiscard]] std::uint64_t made() const { return made_; }
    [[nodiscard]] std::uint64_t used() const { return used_; }
    [[nodiscard]] double lastShare() const { return lastShare_; }
    [[nodiscard]] EventList takeEvents() { return std::move(events_); }

    void add(const SliceBatch& batch) {
        std::size_t prompt = 0;
        std::size_t delayed = 0;
        std::vector<Stretch> prompts;
        std::vector<Stretch> delayeds;
        for (std::size_t k = 0; k < batch.reports.size() && !full(); ++k) {
            ++used_;
            SimulationReport report = batch.reports[k];
            const std::size_t promptsEnd = prompt + batch.prompts.perSlice[k];
            const std::size_t delayedsEnd = delayed + batch.delayeds.perSlice[k];
            const double left = slices_ - static_cast<double>(used_ - 1);
            const std::size_t inTime = endOf(batch.prompts.share, prompt, promptsEnd, left);
            const std::size_t taken = prompt + std::min<std::uint64_t>(inTime - prompt, asked_ - made_);
            count(batch.prompts.events.kind, prompt, taken, promptsEnd, report);
            made_ += taken - prompt;
            if (made_ == asked_) {
                lastShare_ = static_cast<double>(batch.prompts.share[taken - 1]);
            } else if (left <= 1) {
                over_ = true;
                lastShare_ = left;
            }
            const std::size_t late =
                full() ? endOf(batch.delayeds.share, delayed, delayedsEnd, std::nextafter(lastShare_, 2.0))
                       : delayedsEnd;
            report.delayeds += late - delayed;
            prompts.push_back({prompt, taken, used_ - 1});
            delayeds.push_back({delayed, late, used_ - 1});
            prompt = promptsEnd;
            delayed = delayedsEnd;
            report_.add(report);
        }
        append(batch.prompts, prompts, hooks_.take ? 0 : wantedOf(batch), events_);
        if (hooks_.delayed != nullptr) {
            const std::size_t before = hooks_.delayed->size();
            append(batch.delayeds, delayeds, 0, *hooks_.delayed);
            std::fill(hooks_.delayed->kind.begin() + static_cast<std::ptrdiff_t>(before),
                      hooks_.delayed->kind.end(), EventKind::Random);
        }
        if (hooks_.take) {
            hooks_.take(events_);
        }
        if (hooks_.progress) {
            hooks_.progress(made_);
        }
    }

  private:
    /// Events [begin, end) of a batch, which happened in a slice.
    struct Stretch {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::uint64_t slice = 0;
    };

    /// Whole ms from the start of the scan to a share of a slice.
    [[nodiscard]] std::uint32_t moment(std::uint64_t slice, float share) const {
        return static_cast<std::uint32_t>((static_cast<double>(slice) + static_cast<double>(share)) *
                                          sliceLength_ms_);
    }
    /// How many more events there will be, where slices go on as those of the batch.
    [[nodiscard]] std::size_t wantedOf(const SliceBatch& batch) const {
        if (full()) {
            return 0;
        }
        const std::size_t slices = std::max<std::size_t>(batch.reports.size(), 1);
        return wanted(static_cast<std::uint32_t>(batch.prompts.events.size() / slices + 1));
    }
    /// Stretches of a batch, which follow each other, go to the end of a list. So many more will come.
    void append(const SliceEvents& from, const std::vector<Stretch>& stretches, std::size_t more,
                EventList& to) const {
        if (stretches.empty()) {
            return;
        }
        const std::size_t before = to.size();
        appendEvents(from.events, stretches.front().begin, stretches.back().end, more, pool_, to);
        growTo(to.time_ms, to.size(), more, pool_);
        pool_.forRange(stretches.size(), 1, [&](std::size_t k, std::size_t) {
            for (std::size_t i = stretches[k].begin; i < stretches[k].end; ++i) {
                to.time_ms[before + i - stretches.front().begin] = moment(stretches[k].slice, from.share[i]);
            }
        });
    }
    /// Where those of [begin, end) end that happened before a share of their slice, in which they ascend.
    [[nodiscard]] static std::size_t endOf(const std::vector<float>& shares, std::size_t begin,
                                           std::size_t end, double share) {
        const auto first = shares.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = shares.begin() + static_cast<std::ptrdiff_t>(end);
        return begin + static_cast<std::size_t>(std::lower_bound(first, last, share,
                                                                 [](float one, double until) {
                                                                     return static_cast<double>(one) < until;
                                                                 }) -
                                                first);
    }
    static void count(const std::vector<EventKind>& kinds, std::size_t begin, std::size_t taken,
                      std::size_t end, SimulationReport& report) {
        const auto of = [&](EventKind kind, std::size_t from, std::size_t to) {
            const auto first = kinds.begin();
            return static_cast<std::uint64_t>(std::count(first + static_cast<std::ptrdiff_t>(from),
                                                         first + static_cast<std::ptrdiff_t>(to), kind));
        };
        report.surplus += end - taken - of(EventKind::Random, taken, end);
        report.randoms += of(EventKind::Random, begin, taken);
        report.scattered += of(EventKind::Scattered, begin, taken);
        report.trues += of(EventKind::True, begin, taken);
    }

    const ThreadPool& pool_;
    std::uint64_t asked_;
    double sliceLength_ms_;
    double slices_;  ///< that the scan may last
    SimulationReport& report_;
    const SimulationHooks& hooks_;
    EventList events_;
    std::uint64_t made_ = 0;
    std::uint64_t used_ = 0;
    double lastShare_ = 1;  ///< share of the last slice that its last event took, or the scan's end
    bool over_ = false;     ///< its time
};

}  // namespace

void markDead(std::vector<TimedPhoton>& photons, double deadTime_ps, std::vector<double>& last) {
    std::fill(last.begin(), last.end(), -std::numeric_limits<double>::infinity());
    for (TimedPhoton& photon : photons) {
        photon.dead = photon.time_ps - last[photon.group] < deadTime_ps;
        if (!photon.dead) {
            last[photon.group] = photon.time_ps;
        }
    }
}

void findCoincidences(const std::vector<TimedPhoton>& photons, double length_ps, double window_ps,
                      double delay_ps, std::vector<PhotonCoincidence>& found) {
    found.clear();
    std::vector<std::uint32_t> live;
    for (std::uint32_t i = 0; i < photons.size(); ++i) {
        if (photons[i].inWindow && !photons[i].dead) {
            live.push_back(i);
        }
    }
    const std::size_t n = live.size();
    if (n < 2) {
        return;
    }
    const auto time = [&](std::size_t i) {  // going on around the circle
        const std::size_t rounds = i / n;
        return photons[live[i % n]].time_ps + length_ps * static_cast<double>(rounds);
    };
    // From every photon on, a window opens after the delay: each pair of crystals gets both orders.
    std::size_t begin = 1;
    for (std::size_t i = 0; i < n; ++i) {
        begin = std::max(begin, i + 1);
        while (begin < i + n && time(begin) < time(i) + delay_ps) {
            ++begin;
        }
        for (std::size_t j = begin; j < i + n; ++j) {
            const double apart = time(j) - time(i) - delay_ps;
            if (apart >= window_ps) {
                break;
            }
            found.push_back({live[i], live[j % n], -apart});
        }
    }
}

EventList simulateInTime(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
                         const SimulationSettings& settings, const ThreadPool& pool,
                         const SimulationHooks& hooks, SimulationReport& report) {
    TimedScan scan(scanner, phantom, physics, settings, pool);
    scan.lookAhead(pool);
    const bool delayeds = hooks.delayed != nullptr;
    if (hooks.singles != nullptr) {
        *hooks.singles = {std::vector<double>(scanner.crystals.size(), 0.0),
                          std::vector<double>(scan.blocks(), 0.0), 0, scanner.toJson()};
    }
    TimedModel model = scan.forSlices(delayeds, pool);
    model.singles = hooks.singles;
    std::unique_ptr<SliceSource> source =
        hooks.slices ? hooks.slices(model) : std::make_unique<HostSlices>(scan, pool, delayeds, hooks);
    Communicator& ranks = *hooks.ranks;
    if (hooks.slices && !ranks.alone()) {
        source = std::make_unique<SlicesInTurns>(std::move(source), ranks, settings.events, model.prompts);
    }
    const bool keeps = ranks.first();
    TimedList list(settings, scan.length_ps(), pool, report, hooks);
    SliceBatch batch;
    std::uint64_t slices = 0;
    for (bool more = true; more; more = ranks.any(more)) {
        if (list.used() > kMaxSlicesWithoutEvent && list.made() == 0) {
            throw WrongUse(
                "scanner '{}' detected none of {} decays of phantom '{}'; is the phantom in its field of "
                "view?",
                scanner.name, list.used() * kDecaysPerSlice, phantom.name);
        }
        source->next(list.wanted(model.prompts), batch);
        slices += batch.reports.size();
        if (keeps) {
            list.add(batch);
        }
        more = keeps && !list.full();
    }
    if (hooks.singles != nullptr) {
        sumOnFirst(ranks, hooks.singles->recorded);
        sumOnFirst(ranks, hooks.singles->busy);
        // All that was made counts, also behind the last event.
        hooks.singles->duration_s = 1e-12 * scan.length_ps() * static_cast<double>(slices);
        hooks.singles->spectra = scan.spectra(slices, pool);
    }
    if (!keeps) {
        return {};
    }
    EventList events = list.takeEvents();
    events.decays =
        (static_cast<double>(list.used() - 1) + list.lastShare()) * static_cast<double>(kDecaysPerSlice);
    const double share = events.decays / static_cast<double>(list.used() * kDecaysPerSlice);
    events.singles = static_cast<double>(report.singles) * share -
                     2 * static_cast<double>(report.trues + report.scattered);
    return events;
}

}  // namespace tof
