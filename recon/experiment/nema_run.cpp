// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/nema_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "recon/data/event_part.h"
#include "recon/simulate/surrounding_solids.h"

namespace tof {

SinogramGrid sensitivitySlices(const Scanner& scanner) {
    return SinogramGrid::of(scanner, 1, 2 * scanner.fovRadius_mm, scanner.fovRadius_mm);
}

NemaRun::NemaRun(const NemaRequest& request, const ExperimentContext& context)
    : request_(request),
      context_(context),
      pool_(context.threads),
      events_(context.events > 0 ? context.events : context.pick<std::uint64_t>(2'000, 20'000, 1'000'000)),
      published_(publishedFigures(request.scanner)) {
    if (!request.sensitivity.files.empty()) {
        report_.conditions = fmt::format("{}, {}, measured lists of {:g} MBq", scanner().name, kNemaStandard,
                                         request.sensitivity.activity_MBq);
    } else {
        report_.conditions = fmt::format(
            "{}, {}, {} events in every sleeve and prompts at every activity; scans in time by engine {}",
            scanner().name, kNemaStandard, events_, context.engine);
        report_.seeds = {kNemaSeed};
    }
    report_.data.columns = {"kBq/ml",         "MBq",          "prompts kcps", "trues kcps",
                            "scattered kcps", "randoms kcps", "NECR kcps",    "NECR 2R kcps",
                            "scatter %",      "singles Mcps", "dead %",       "phantom"};
}

Physics NemaRun::atLowRate() const {
    Physics physics = Physics::of(scanner());
    physics.randoms = byCard();
    // Pairs that the host makes know of no other decays, either.
    physics.deadTime = physics.pileUp = physics.multiples = physics.bandwidth = false;
    return physics;
}

Physics NemaRun::withoutBed() const {
    Physics physics = atLowRate();
    physics.bed = false;
    return physics;
}

NemaScan NemaRun::scan(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
                       double activity_MBq, const TakeEvents& take) {
    return scanWith(scanner, phantom, physics, activity_MBq, take, nullptr);
}

NemaScan NemaRun::scan(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
                       double activity_MBq, SliceSinograms& prompts, SliceSinograms* delayeds) {
    EventList late;
    const NemaScan made = scanWith(
        scanner, phantom, physics, activity_MBq, [&prompts](const EventList& part) { prompts.add(part); },
        delayeds != nullptr ? &late : nullptr);
    if (delayeds != nullptr) {
        delayeds->add(late);
    }
    return made;
}

NemaScan NemaRun::scanWith(const Scanner& scanner, const Phantom& phantom, const Physics& physics,
                           double activity_MBq, const TakeEvents& take, EventList* late) {
    SimulationSettings settings;
    // Points have no scatter to be followed, and all of an image's noise lies in one voxel.
    settings.events = physics.scatter ? events_ : 5 * events_;
    settings.seed = kNemaSeed;
    settings.activity_MBq = activity_MBq;
    settings.physics = physics;
    SimulationHooks hooks;
    hooks.delayed = late;
    hooks.progress = [&](std::uint64_t /*made*/) { context_.progress(doing_, done_); };
    if (physics.randoms) {
        hooks.slices = slicesBy(context_.engines, byCard() ? "cuda" : "cpu");
    }
    hooks.take = [&](EventList& part) {
        take(late == nullptr && physics.randoms ? pairsOfOneDecay(part) : part);
        clearEvents(part);
    };
    NemaScan made;
    made.duration_s =
        simulateWith(scanner, onBed(phantom, scanner, physics), settings, pool_, hooks, &made.pairs)
            .duration_s;
    return made;
}

void NemaRun::within(double from, double to) {
    from_ = from;
    to_ = to;
}

void NemaRun::begin(std::string what, double share) {
    doing_ = std::move(what);
    done_ = progressAt(share);
    context_.progress(doing_, done_);
}

void NemaRun::found(const std::string& key, double value) {
    const NemaFigure& figure = nemaFigure(key);
    Comparison row{figure.words, figure.unit, "", value, "no figure published in the scanner's description"};
    for (const PublishedFigure& one : published_) {
        if (one.key == key) {
            row.paper = fmt::format("{:g}", one.value);
            row.remark = fmt::format("{:.3f} of it; {}", value / one.value, one.source);
            errors_.emplace_back(std::abs(value / one.value - 1), figure.words);
        }
    }
    report_.comparisons.push_back(std::move(row));
}

void NemaRun::take(ExperimentReport found) {
    if (report_.data.rows.empty()) {
        report_.data = std::move(found.data);
    }
    const auto append = [](auto& to, auto& from) {
        std::move(from.begin(), from.end(), std::back_inserter(to));
    };
    append(report_.comparisons, found.comparisons);
    append(report_.notes, found.notes);
    append(report_.pictures, found.pictures);
}

ExperimentReport NemaRun::finish() {
    if (errors_.empty()) {
        return std::move(report_);
    }
    std::sort(errors_.begin(), errors_.end());
    const std::size_t n = errors_.size();
    const double median = 0.5 * (errors_[(n - 1) / 2].first + errors_[n / 2].first);
    report_.checks.push_back({"median error of what was published", atMost(10, "%"), 100 * median,
                              "published figures of the scanner's description",
                              fmt::format("The worst of {} is {}: {:.0f} %.", n, errors_.back().second,
                                          100 * errors_.back().first)});
    return std::move(report_);
}

}  // namespace tof
