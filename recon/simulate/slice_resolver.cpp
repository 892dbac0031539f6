// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/slice_resolver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "recon/simulate/lutetium.h"

namespace tof {

namespace {

constexpr double kPsInNs = 1000;

std::uint64_t SimulationReport::*const kLosses[] = {nullptr,
                                                    nullptr,
                                                    &SimulationReport::late,
                                                    &SimulationReport::dead,
                                                    &SimulationReport::piledUp,
                                                    &SimulationReport::beyond,
                                                    &SimulationReport::multiple,
                                                    &SimulationReport::throttled,
                                                    nullptr};

}  // namespace

SliceResolver::SliceResolver(const PairModel& model, const Detection& detection, const Physics& physics,
                             double length_ps, const LutetiumDecays* own)
    : model_(model),
      own_(own),
      length_ps_(length_ps),
      window_ps_(detection.coincidence_ns * kPsInNs),
      delay_ps_(detection.delay_ns * kPsInNs),
      perCoincidence_ps_(physics.bandwidth && detection.bandwidth_Mcps > 0 ? 1e6 / detection.bandwidth_Mcps
                                                                           : 0),
      paralysable_(physics.deadTime && detection.deadTimeKind == Detection::DeadTime::Paralysable),
      triggers_(model.physics().readout.everyBlock),
      multiples_(physics.multiples ? detection.multiples : Detection::Multiples::All) {
    pileUp_ = pileUpOf(detection);
    pileUp_.integration_ps = physics.pileUp ? pileUp_.integration_ps : 0;
    dead_ps_ = std::max(physics.deadTime ? detection.deadTime_ns * kPsInNs : 0.0, pileUp_.integration_ps);
    if (!(pileUp_.integration_ps > 0)) {
        return;
    }
    const CrystalView& crystals = model.physics().crystals;
    cells_.resize(model.crystalCount());
    for (std::uint32_t m = 0; m < model.crystals().moduleCount(); ++m) {
        const CrystalModule& module = crystals.modules[m];
        for (std::int32_t row = 0; row < module.count[1]; ++row) {
            for (std::int32_t column = 0; column < module.count[0]; ++column) {
                const auto cell = static_cast<std::uint32_t>(row * module.count[0] + column);
                cells_[crystals.ids[module.firstId + cell]] = {m, column, row};
            }
        }
    }
    pileUp_.cells = cells_.data();
}

bool SliceResolver::losesMore() const {
    return paralysable_ || triggers_ || pileUp_.integration_ps > 0 || multiples_ != Detection::Multiples::All;
}

void SliceResolver::count(const Slice& slice, CrystalSingles& singles) const {
    for (const TimedPhoton& photon : slice.photons) {
        if (!photon.dead || paralysable_) {
            singles.busy[photon.group] += 1;
            if (photon.inWindow && !photon.dead) {
                singles.recorded[photon.crystal] += 1;
            }
        }
    }
}

void SliceResolver::markDead(std::vector<TimedPhoton>& photons) const {
    std::vector<double> last(model_.groups());
    if (!paralysable_) {
        tof::markDead(photons, dead_ps_, last);
        return;
    }
    std::fill(last.begin(), last.end(), -std::numeric_limits<double>::infinity());
    for (const TimedPhoton& photon : photons) {
        last[photon.group] = photon.time_ps - length_ps_;
    }
    for (TimedPhoton& photon : photons) {
        photon.dead = photon.time_ps - last[photon.group] < dead_ps_;
        last[photon.group] = photon.time_ps;
    }
}

void SliceResolver::addPiledUp(std::vector<TimedPhoton>& photons) const {
    constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> taken(model_.groups(), kNobody);  // the photon that a block took last
    for (std::size_t i = 0; i < photons.size(); ++i) {
        TimedPhoton& photon = photons[i];
        std::size_t& into = taken[photon.group];
        if (!photon.dead) {
            into = i;
        } else if (into != kNobody && photon.time_ps - photons[into].time_ps < pileUp_.integration_ps) {
            join(photons[into], photon);
        }
    }
}

void SliceResolver::join(TimedPhoton& photon, const TimedPhoton& extra) const {
    const Readout& readout = model_.physics().readout;
    const BlockLight light =
        pileUp_.joined(model_.physics().crystals, readout.position, {photon.crystal, photon.energy_keV},
                       {extra.crystal, extra.energy_keV}, extra.time_ps - photon.time_ps);
    photon.crystal = light.crystal;
    photon.energy_keV = light.energy_keV;
    photon.inWindow = !photon.unrecorded && readout.holds(light.energy_keV);
}

std::vector<SliceResolver::Fate> SliceResolver::judged(const Slice& slice,
                                                       const std::vector<PhotonCoincidence>& pairs) const {
    std::vector<Fate> fates(pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const bool accepted =
            model_.accepts(slice.photons[pairs[k].first].crystal, slice.photons[pairs[k].second].crystal);
        fates[k] = accepted ? Fate::Counted : Fate::Beyond;
    }
    return fates;
}

void SliceResolver::choose(const Slice& slice, std::vector<Fate>& prompts,
                           std::vector<Fate>& delayeds) const {
    const std::vector<TimedPhoton>& photons = slice.photons;
    const std::vector<PhotonCoincidence>& pairs = slice.prompts;
    const auto energy = [&](const PhotonCoincidence& pair) {
        return photons[pair.first].energy_keV + photons[pair.second].energy_keV;
    };
    // Pairs stand by the photon that opens their window: those of photon i begin at begin[i].
    std::vector<std::size_t> begin(photons.size() + 1, 0);
    for (const PhotonCoincidence& pair : pairs) {
        ++begin[pair.first + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> member(photons.size(), 0);  // of the window that photon member - 1 opened
    std::vector<float> most_keV(photons.size(), 0.0F);     // energy that the window's best pair has
    std::vector<Fate> chosen(prompts);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        chosen[k] = prompts[k] == Fate::Counted ? Fate::Multiple : prompts[k];
    }
    for (std::uint32_t i = 0; i < photons.size(); ++i) {
        if (begin[i] == begin[i + 1] || member[i] != 0) {
            continue;
        }
        std::size_t best = pairs.size();
        std::size_t good = 0;
        const auto look = [&](std::size_t k) {
            if (prompts[k] == Fate::Counted) {
                ++good;
                best = best == pairs.size() || energy(pairs[k]) > energy(pairs[best]) ? k : best;
                most_keV[i] = energy(pairs[best]);
            }
        };
        for (std::size_t k = begin[i]; k < begin[i + 1]; ++k) {
            look(k);
            member[pairs[k].second] = i + 1;
        }
        for (std::size_t k = begin[i]; k < begin[i + 1]; ++k) {
            const std::uint32_t j = pairs[k].second;
            for (std::size_t other = begin[j]; other < begin[j + 1]; ++other) {
                if (member[pairs[other].second] == i + 1) {
                    look(other);
                }
            }
        }
        if (good == 1 || (good > 1 && multiples_ == Detection::Multiples::Highest)) {
            chosen[best] = Fate::Counted;
        }
    }
    prompts = std::move(chosen);
    for (std::size_t k = 0; k < slice.delayeds.size(); ++k) {
        const PhotonCoincidence& pair = slice.delayeds[k];
        const bool wins = !(most_keV[pair.first] > 0) || (multiples_ == Detection::Multiples::Highest &&
                                                          energy(pair) > most_keV[pair.first]);
        if (delayeds[k] == Fate::Counted && (member[pair.first] != 0 || !wins)) {
            delayeds[k] = Fate::Multiple;
        }
    }
}

void SliceResolver::throttle(const Slice& slice, std::vector<Fate>& prompts,
                             std::vector<Fate>& delayeds) const {
    struct Arrival {
        double time_ps;
        Fate* fate;
    };
    std::vector<Arrival> arrivals;
    const auto arrive = [&](const std::vector<PhotonCoincidence>& pairs, std::vector<Fate>& fates) {
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            if (fates[k] == Fate::Counted) {
                arrivals.push_back({slice.photons[pairs[k].second].time_ps, &fates[k]});
            }
        }
    };
    arrive(slice.prompts, prompts);
    arrive(slice.delayeds, delayeds);
    std::stable_sort(arrivals.begin(), arrivals.end(),
                     [](const Arrival& a, const Arrival& b) { return a.time_ps < b.time_ps; });
    double last = -std::numeric_limits<double>::infinity();
    for (int round = 0; round < 2; ++round) {  // the first one tells how the second one begins
        for (const Arrival& arrival : arrivals) {
            const bool taken = arrival.time_ps - last >= perCoincidence_ps_;
            *arrival.fate = taken ? Fate::Counted : Fate::Throttled;
            last = taken ? arrival.time_ps : last;
        }
        last -= length_ps_;
    }
}

void SliceResolver::settle(Slice& slice, const std::vector<Fate>& prompts) {
    SimulationReport& report = slice.report;
    std::vector<Fate> fates;
    const auto of = [&](const TimedPhoton& photon) -> Fate& {
        if (fates.size() <= photon.decay) {
            fates.resize(photon.decay + std::size_t{1}, Fate::Unread);
        }
        return fates[photon.decay];
    };
    for (const TimedPhoton& photon : slice.photons) {
        report.singles += photon.inWindow && !photon.dead ? 1 : 0;
        if (photon.wasInWindow && !photon.part) {
            Fate& fate = of(photon);
            fate = fate == Fate::Unread ? Fate::OneRead : Fate::Late;
        }
    }
    for (const TimedPhoton& photon : slice.photons) {
        if (photon.wasInWindow && !photon.part && of(photon) >= Fate::Late) {
            Fate& fate = of(photon);
            fate = photon.dead ? Fate::Dead : !photon.inWindow && fate == Fate::Late ? Fate::PiledUp : fate;
        }
    }
    for (std::size_t k = 0; k < prompts.size(); ++k) {
        const TimedPhoton& one = slice.photons[slice.prompts[k].first];
        if (ofOneDecay(one, slice.photons[slice.prompts[k].second])) {
            // Others' energy has carried one of a lost pair into the window.
            report.outsideWindow -= of(one) < Fate::Late ? 1 : 0;
            of(one) = prompts[k];
        }
    }
    for (const Fate fate : fates) {
        if (std::uint64_t SimulationReport::*const loss = kLosses[static_cast<std::size_t>(fate)]) {
            ++(report.*loss);
        }
    }
}

void SliceResolver::resolve(Slice& slice) const {
    if (own_ != nullptr) {
        own_->add(slice.index, slice.photons);
    }
    std::sort(slice.photons.begin(), slice.photons.end(), [](const TimedPhoton& a, const TimedPhoton& b) {
        return a.time_ps != b.time_ps ? a.time_ps < b.time_ps
               : a.decay * 2 + a.photon != b.decay * 2 + b.photon
                   ? a.decay * 2 + a.photon < b.decay * 2 + b.photon
                   : a.group < b.group;
    });
    for (TimedPhoton& photon : slice.photons) {
        photon.wasInWindow = photon.inWindow;
    }
    if (dead_ps_ > 0) {
        markDead(slice.photons);
    }
    if (pileUp_.integration_ps > 0) {
        addPiledUp(slice.photons);
    }
    findCoincidences(slice.photons, length_ps_, window_ps_, 0, slice.prompts);
    findCoincidences(slice.photons, length_ps_, window_ps_, delay_ps_, slice.delayeds);
    std::vector<Fate> prompts = judged(slice, slice.prompts);
    std::vector<Fate> delayeds = judged(slice, slice.delayeds);
    if (multiples_ != Detection::Multiples::All) {
        choose(slice, prompts, delayeds);
    }
    if (perCoincidence_ps_ > 0) {
        throttle(slice, prompts, delayeds);
    }
    settle(slice, prompts);
    const auto keep = [](std::vector<PhotonCoincidence>& pairs, const std::vector<Fate>& fates) {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            if (fates[k] == Fate::Counted) {
                pairs[kept++] = pairs[k];
            }
        }
        pairs.resize(kept);
    };
    keep(slice.prompts, prompts);
    keep(slice.delayeds, delayeds);
}

namespace {

EventKind kindOf(const TimedPhoton& one, const TimedPhoton& two) {
    if (!ofOneDecay(one, two)) {
        return EventKind::Random;
    }
    return one.scatters + two.scatters > 0 ? EventKind::Scattered : EventKind::True;
}

void append(const Slice& slice, const PhotonCoincidence& pair, double length_ps, SliceEvents& to) {
    EventList& events = to.events;
    const TimedPhoton& early = slice.photons[pair.first];
    const TimedPhoton& late = slice.photons[pair.second];
    // Which side is crystal 1 must not follow from the times: a coin of what is random anyway.
    const bool swap = early.decay == late.decay ? early.photon == 1 : ((early.decay ^ late.decay) & 1U) != 0;
    const TimedPhoton& one = swap ? late : early;
    const TimedPhoton& two = swap ? early : late;
    events.crystals.push_back({one.crystal, two.crystal});
    events.dt_ps.push_back(static_cast<float>(swap ? -pair.dt_ps : pair.dt_ps));
    events.kind.push_back(kindOf(one, two));
    events.scatters.push_back(static_cast<std::uint8_t>(one.scatters + two.scatters));
    events.energy_keV.push_back({one.energy_keV, two.energy_keV});
    to.share.push_back(static_cast<float>(early.time_ps / length_ps));
}

}  // namespace

void appendSlice(const Slice& slice, double length_ps, Delayeds delayeds, SliceBatch& batch) {
    for (const PhotonCoincidence& pair : slice.prompts) {
        append(slice, pair, length_ps, batch.prompts);
    }
    for (const PhotonCoincidence& pair : slice.delayeds) {
        if (delayeds == Delayeds::Listed) {
            append(slice, pair, length_ps, batch.delayeds);
        } else {
            batch.delayeds.share.push_back(static_cast<float>(slice.photons[pair.first].time_ps / length_ps));
        }
    }
    batch.prompts.perSlice.push_back(static_cast<std::uint32_t>(slice.prompts.size()));
    batch.delayeds.perSlice.push_back(static_cast<std::uint32_t>(slice.delayeds.size()));
    batch.reports.push_back(slice.report);
}

}  // namespace tof
