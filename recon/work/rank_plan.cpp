// SPDX-License-Identifier: Apache-2.0
#include "recon/work/rank_plan.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/kernel/kernel_tables.h"

namespace tof {

namespace {

constexpr double kFloat = sizeof(float);
/// Passes over the memory of a voxel per view: discrepancy reads four arrays and writes one, attenuation and
/// projections read and write one each.
constexpr double kPassesPerView = 12;
/// An update goes over image, correction, sensitivity.
constexpr double kPassesPerUpdate = 4;
/// Images of a run beside those of blocks.
constexpr double kImages = 6;

double ceilOf(double a, double b) {
    return std::ceil(a / b);
}

/// Parts that ranks wait for in an iteration: of every block those of the rank that has most of it. Some
/// blocks have one part more than the others.
double partsWaitedFor(double parts, double blocks, double ranks) {
    const double few = std::floor(parts / blocks);
    const double larger = parts - few * blocks;
    return (blocks - larger) * ceilOf(few, ranks) + larger * ceilOf(few + 1, ranks);
}

/// Parts of lists that ranks share, as a block has fewer of them, or fewer that are left, than there are
/// ranks.
double partsShared(double parts, double blocks, double ranks) {
    const double few = std::floor(parts / blocks);
    const double larger = parts - few * blocks;
    return (blocks - larger) * std::fmod(few, ranks) + larger * std::fmod(few + 1, ranks);
}

double imagesOf(const PlannedRun& run) {
    const auto blocks = static_cast<double>(run.blockSensitivities ? run.blocks : 0);
    return kImages + blocks + static_cast<double>(run.images);
}

/// What was planned for a pass, for an iteration.
RankPlan withPasses(const PlannedRun& run, RankPlan plan) {
    for (double* each :
         {&plan.compute_s, &plan.feed_s, &plan.network_s, &plan.streamedBytes, &plan.sentBytes}) {
        *each *= run.passes;
    }
    plan.iteration_s = std::max(plan.compute_s, plan.feed_s) + plan.network_s;
    return plan;
}

double linesPerSecond(PlannedLines of, const PlanRates& rates) {
    switch (of) {
        case PlannedLines::Events: return rates.event_per_s;
        case PlannedLines::Bins: return rates.bin_per_s;
        case PlannedLines::OfPanels: return rates.panelLine_per_s;
        case PlannedLines::None: break;
    }
    return 1;
}

/// What sums of an image over ranks take, before each of `blocks` updates.
void addSums(const PlannedRun& run, const PlanRates& rates, RankPlan& plan) {
    const double n = plan.ranks;
    const auto blocks = static_cast<double>(run.blocks);
    const double link = plan.ranks > rates.ranksPerMachine ? rates.far_bytes_per_s : rates.near_bytes_per_s;
    const double agree = std::ceil(std::log2(n)) * rates.message_s;  // numbers that all must know
    plan.sentBytes = blocks * 2 * (n - 1) / n * static_cast<double>(run.lattice.voxels()) * kFloat;
    plan.network_s = plan.sentBytes / link + blocks * (2 * rates.message_s + 2 * agree);
}

RankPlan planOfLines(const PlannedRun& run, const PlanRates& rates, int ranks) {
    const double voxels = static_cast<double>(run.lattice.voxels());
    const auto parts = static_cast<double>(run.views);
    const auto blocks = static_cast<double>(run.blocks);
    const double n = ranks;
    const bool whole = run.of != PlannedLines::OfPanels && std::floor(parts / blocks) >= n;
    const bool stays = whole && run.of == PlannedLines::Bins;  // lists can be divided anywhere
    const double share = stays ? partsWaitedFor(parts, blocks, n) / parts : 1 / n;
    const double shared = stays ? 0 : run.of == PlannedLines::Events ? partsShared(parts, blocks, n) : parts;
    RankPlan plan;
    plan.ranks = ranks;
    plan.division = whole ? "lines" : "lines of each part";
    plan.compute_s = share * run.lines / linesPerSecond(run.of, rates) +
                     blocks * voxels * kPassesPerUpdate * kFloat / rates.copy_bytes_per_s;
    const double data = share * run.lines * run.lineBytes;
    plan.memoryBytes = data + imagesOf(run) * voxels * kFloat;
    if (run.of != PlannedLines::Events) {
        plan.streamedBytes = std::min(data, std::max(0.0, plan.memoryBytes - rates.memoryBytes));
        plan.feed_s = plan.streamedBytes / rates.feed_bytes_per_s;
    }
    if (ranks > 1) {
        addSums(run, rates, plan);
        // What is expected of a part, before its discrepancy.
        plan.network_s += shared * 2 * std::ceil(std::log2(n)) * rates.message_s;
    }
    return withPasses(run, plan);
}

}  // namespace

PlannedRun plannedRun(const Lattice& lattice, const std::vector<View>& views, const KernelSpec& kernel) {
    PlannedRun run;
    run.lattice = lattice;
    run.views = views.size();
    run.blocks = views.size();
    // Views of one tilt have about as many taps: a few of each stand for all.
    const std::size_t step = std::max<std::size_t>(1, views.size() / 24);
    std::size_t looked = 0;
    for (std::size_t i = 0; i < views.size(); i += step) {
        const KernelOutline outline(kernel, lattice, views[i]);
        run.taps += static_cast<double>(outline.taps().size());
        ++looked;
        for (const KernelTap& tap : outline.taps()) {
            run.reach = std::max(run.reach, std::abs(tap.z));
        }
    }
    run.taps /= static_cast<double>(std::max<std::size_t>(looked, 1));
    run.reach = std::min(run.reach, lattice.size[2]);
    return run;
}

PlannedRun plannedRun(const Measurement& data, const FormTable& forms) {
    const Form* const form = forms.of(data);
    if (form == nullptr || form->plan == nullptr) {
        throw WrongUse("{} are planned by their views and a kernel", data.kind());
    }
    return form->plan(data);
}

PlanRates ratesFromBench(const std::string& json, const std::string& source, const std::string& engine,
                         const PlanRates& others) {
    const nlohmann::json bench = parseJson(json, source);
    PlanRates rates = others;
    if (bench.is_object() && bench.contains("list") && bench["list"].is_array()) {
        rates.event_per_s = 0;
        for (const auto& result : bench["list"]) {
            if (engine.empty() || result.value("engine", std::string()) == engine) {
                rates.event_per_s = std::max(rates.event_per_s, result.value("events_per_s", 0.0));
            }
        }
        if (rates.event_per_s > 0) {
            return rates;
        }
        throw BadInput("{}: holds no measurement of engine '{}'", source, engine);
    }
    if (!bench.is_object() || !bench.contains("results") || !bench["results"].is_array()) {
        throw BadInput(source + ": is not what 'tofscope-cli bench --out' writes");
    }
    rates.mac_per_s = 0;
    for (const auto& result : bench["results"]) {
        const bool asked = engine.empty() || result.value("engine", std::string()) == engine;
        if (asked && result.contains("mac_per_s") && result["mac_per_s"].is_number()) {
            rates.mac_per_s = std::max(rates.mac_per_s, result["mac_per_s"].get<double>());
        }
    }
    if (!(rates.mac_per_s > 0)) {
        throw BadInput("{}: holds no measurement of engine '{}'", source, engine);
    }
    if (bench.contains("machine") && bench["machine"].is_object()) {
        rates.copy_bytes_per_s = bench["machine"].value("copy_bytes_per_s", rates.copy_bytes_per_s);
    }
    return rates;
}

RankPlan planOf(const PlannedRun& run, const PlanRates& rates, int ranks) {
    if (run.of != PlannedLines::None) {
        return planOfLines(run, rates, ranks);
    }
    const double voxels = static_cast<double>(run.lattice.voxels());
    const auto views = static_cast<double>(run.views);
    const auto blocks = static_cast<double>(run.blocks);
    const double planes = run.lattice.size[2];
    const double n = ranks;
    const bool slabs = std::floor(views / blocks) < n;
    if (slabs && n > planes) {
        throw WrongUse("{} ranks, but there are {} planes to divide among them", ranks, planes);
    }
    // The slowest rank: the one with most views, or most planes.
    const double share =
        slabs ? std::min(1.0, (ceilOf(planes, n) + (n > 1 ? 2.0 * run.reach : 0.0)) / planes) : 1.0;
    const double projected = slabs ? views : partsWaitedFor(views, blocks, n);
    const double perView =
        share * voxels * (2 * run.taps / rates.mac_per_s + kPassesPerView * kFloat / rates.copy_bytes_per_s);
    const double perUpdate = share * voxels * kPassesPerUpdate * kFloat / rates.copy_bytes_per_s;

    RankPlan plan;
    plan.ranks = ranks;
    plan.division = slabs ? "slabs" : "views";
    plan.compute_s = projected * perView + blocks * perUpdate;
    const double data = projected * share * voxels * static_cast<double>(run.arrays) * kFloat;
    const double images = imagesOf(run) * share * voxels * kFloat;
    plan.memoryBytes = data + images;
    plan.streamedBytes = std::min(data, std::max(0.0, plan.memoryBytes - rates.memoryBytes));
    plan.feed_s = plan.streamedBytes / rates.feed_bytes_per_s;
    if (ranks > 1) {
        const double link = ranks > rates.ranksPerMachine ? rates.far_bytes_per_s : rates.near_bytes_per_s;
        const double halo = std::min(2.0 * run.reach, planes) / planes * voxels * kFloat;
        const double agree = std::ceil(std::log2(n)) * rates.message_s;  // numbers that all must know
        if (slabs) {
            plan.sentBytes = (views + blocks) * halo;
            plan.network_s = plan.sentBytes / link + (views + blocks) * (2 * rates.message_s + agree);
        } else {
            addSums(run, rates, plan);
        }
    }
    return withPasses(run, plan);
}

}  // namespace tof
