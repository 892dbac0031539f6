// SPDX-License-Identifier: Apache-2.0
#include "recon/work/rank_plan.h"

#include <fmt/format.h>

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
/// Of an update: image, correction, sensitivity.
constexpr double kPassesPerUpdate = 4;
/// Images of a run beside those of blocks.
constexpr double kImages = 6;

double ceilOf(double a, double b) {
    return std::ceil(a / b);
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

PlanRates ratesFromBench(const std::string& json, const std::string& source, const std::string& engine,
                         const PlanRates& others) {
    const nlohmann::json bench = parseJson(json, source);
    if (!bench.is_object() || !bench.contains("results") || !bench["results"].is_array()) {
        throw BadInput(source + ": is not what 'tofscope-cli bench --out' writes");
    }
    PlanRates rates = others;
    rates.mac_per_s = 0;
    for (const auto& result : bench["results"]) {
        const bool asked = engine.empty() || result.value("engine", std::string()) == engine;
        if (asked && result.contains("mac_per_s") && result["mac_per_s"].is_number()) {
            rates.mac_per_s = std::max(rates.mac_per_s, result["mac_per_s"].get<double>());
        }
    }
    if (!(rates.mac_per_s > 0)) {
        throw BadInput(fmt::format("{}: holds no measurement of engine '{}'", source, engine));
    }
    if (bench.contains("machine") && bench["machine"].is_object()) {
        rates.copy_bytes_per_s = bench["machine"].value("copy_bytes_per_s", rates.copy_bytes_per_s);
    }
    return rates;
}

RankPlan planOf(const PlannedRun& run, const PlanRates& rates, int ranks) {
    const double voxels = static_cast<double>(run.lattice.voxels());
    const auto views = static_cast<double>(run.views);
    const auto blocks = static_cast<double>(run.blocks);
    const double planes = run.lattice.size[2];
    const double n = ranks;
    const bool slabs = std::floor(views / blocks) < n;
    if (slabs && n > planes) {
        throw WrongUse(fmt::format("{} ranks, but there are {} planes to divide among them", ranks, planes));
    }
    // The slowest rank: the one with most views, or most planes.
    const double share =
        slabs ? std::min(1.0, (ceilOf(planes, n) + (n > 1 ? 2.0 * run.reach : 0.0)) / planes) : 1.0;
    const double projected = slabs ? views : blocks * ceilOf(std::floor(views / blocks), n);
    const double perView =
        share * voxels * (2 * run.taps / rates.mac_per_s + kPassesPerView * kFloat / rates.copy_bytes_per_s);
    const double perUpdate = share * voxels * kPassesPerUpdate * kFloat / rates.copy_bytes_per_s;

    RankPlan plan;
    plan.ranks = ranks;
    plan.division = slabs ? "slabs" : "views";
    plan.compute_s = projected * perView + blocks * perUpdate;
    const double data = projected * share * voxels * static_cast<double>(run.arrays) * kFloat;
    const double images = (kImages + (run.blockSensitivities ? blocks : 0.0)) * share * voxels * kFloat;
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
            plan.sentBytes = blocks * 2 * (n - 1) / n * voxels * kFloat;
            plan.network_s = plan.sentBytes / link + blocks * (2 * rates.message_s + 2 * agree);
        }
    }
    plan.iteration_s = std::max(plan.compute_s, plan.feed_s) + plan.network_s;
    return plan;
}

}  // namespace tof
