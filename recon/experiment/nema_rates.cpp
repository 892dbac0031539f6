// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/nema_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "recon/nema/small_animal.h"

namespace tof {

namespace {

/// The scatter phantom at one activity.
struct RateScan {
    double activity_MBq = 0;
    SliceSinograms prompts;
    double randoms = 0;  ///< delayeds within the sinogram
    NemaScan made{};
};

/// All slices are one: the line source is parallel to the axis.
SinogramGrid scatterGrid(const Scanner& scanner, const RateRules& rules) {
    constexpr int kAngles = 120;
    SinogramGrid grid =
        SinogramGrid::of(scanner, kAngles, rules.bin_mm, rules.radius_mm, rules.halfLength_mm);
    grid.slice_mm *= grid.slices;
    grid.slices = 1;
    return grid;
}

void scatterFractionOf(NemaRun& run, const RateTest& test) {
    run.begin("scatter fraction", 0);
    SliceSinograms prompts(run.scanner(), scatterGrid(run.scanner(), test.rules));
    run.scan(run.scanner(), test.phantom, run.atLowRate(), kNemaLow_MBq, prompts);
    const StripCounts strip = stripCounts(prompts, findLine(prompts, test.rules), test.rules);
    run.found(test.figures + "scatter_fraction", 100 * strip.scatterFraction());
    LineChart chart{"mm from the line source", "share of a bin's counts in the highest, log10", {}};
    const double top = *std::max_element(strip.profile.begin(), strip.profile.end());
    chart.lines.push_back({"prompts without randoms"});
    for (std::size_t i = 0; i < strip.s_mm.size(); ++i) {
        if (strip.profile[i] > 0) {
            chart.lines.back().add(strip.s_mm[i], std::log10(strip.profile[i] / top));
        }
    }
    run.picture({test.figures + "scatter.svg",
                 "Counts by the distance from the line source, all angles shifted.", std::move(chart)});
}

void tellRates(DataTable& table, const std::string& phantom, const RatePoint& point, const NemaScan& made) {
    const double kilo = 1e-3;
    const auto started = static_cast<double>(made.pairs.started);
    table.rows.push_back({point.kBqPerMl(), point.activity_MBq, kilo * point.total, kilo * point.trues,
                          kilo * point.scattered, kilo * point.randoms, kilo * point.necr(),
                          kilo * point.necrWithDelayeds(), 100 * point.scatterFraction,
                          1e-6 * static_cast<double>(made.pairs.singles) / started * point.activity_MBq * 1e6,
                          100 * static_cast<double>(made.pairs.dead) / started, phantom});
}

void tellPeak(NemaRun& run, const RateTest& test, const std::vector<RatePoint>& points) {
    const RatePeak peak = peakOf(points, &RatePoint::necr);
    if (!peak.within) {
        run.note(fmt::format(
            "NECR of {} is highest at {:g} kBq/ml, an end of the activities: its peak was not reached.",
            test.phantom.name, peak.kBqPerMl));
        return;
    }
    const bool perMl = nemaFigure(test.figures + "necr_peak_at").unit == std::string("kBq/ml");
    run.found(test.figures + "necr_peak", peak.value / 1000);
    run.found(test.figures + "necr_peak_at", peak.kBqPerMl * (perMl ? 1 : test.rules.volume_ml / 1000));
    const auto nearest = std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
        return std::abs(a.kBqPerMl() - peak.kBqPerMl) < std::abs(b.kBqPerMl() - peak.kBqPerMl);
    });
    run.found(test.figures + "scatter_fraction_at_peak", 100 * nearest->scatterFraction);
}

void drawRates(NemaRun& run, const std::string& figures, const std::vector<RatePoint>& points) {
    LineChart chart{"kBq/ml", "kcps", {{"trues"}, {"scattered"}, {"randoms"}, {"NECR"}, {"NECR 2R"}}};
    LineChart share{"kBq/ml", "scatter fraction, %", {{"randoms taken off"}}};
    for (const RatePoint& p : points) {
        const double values[] = {p.trues, p.scattered, p.randoms, p.necr(), p.necrWithDelayeds()};
        for (std::size_t i = 0; i < chart.lines.size(); ++i) {
            chart.lines[i].add(p.kBqPerMl(), 1e-3 * values[i]);
        }
        share.lines.front().add(p.kBqPerMl(), 100 * p.scatterFraction);
    }
    run.picture({figures + "rates.svg", "Count rates of the scatter phantom against its activity.",
                 std::move(chart)});
    run.picture({figures + "scatter-by-rate.svg", "Scatter fraction against activity.", std::move(share)});
}

void countRatesOf(NemaRun& run, const RateTest& test) {
    const std::vector<double> all = concentrationsOf(run, test);
    std::vector<RateScan> scans;
    SliceSinograms together(run.scanner(), scatterGrid(run.scanner(), test.rules));
    for (std::size_t i = 0; i < all.size(); ++i) {
        run.begin(fmt::format("count rates at {:g} kBq/ml", all[i]),
                  static_cast<double>(i) / static_cast<double>(all.size()));
        RateScan& one = scans.emplace_back(
            RateScan{all[i] * test.rules.volume_ml / 1000, SliceSinograms(run.scanner(), together.grid())});
        SliceSinograms delayeds(run.scanner(), together.grid());
        one.made = run.scan(run.scanner(), test.phantom, Physics::of(run.scanner()), one.activity_MBq,
                            one.prompts, &delayeds);
        one.randoms = delayeds.total();
        together.add(one.prompts);
    }
    const LinePlace line = findLine(together, test.rules);
    std::vector<RatePoint> points;
    for (const RateScan& one : scans) {
        points.push_back(ratesOf(stripCounts(one.prompts, line, test.rules), one.randoms, one.made.duration_s,
                                 one.activity_MBq, test.rules));
        tellRates(run.report().data, test.phantom.name, points.back(), one.made);
    }
    tellPeak(run, test, points);
    drawRates(run, test.figures, points);
}

void smallRates(NemaRun& run, const RateTest& test) {
    scatterFractionOf(run, test);
    countRatesOf(run, test);
}

/// From 2 to 80 kBq/ml, three at the tiny size.
std::vector<double> usualConcentrations(ExperimentSize size) {
    switch (size) {
        case ExperimentSize::Tiny: return {5, 15, 45};
        case ExperimentSize::Quick: return {3, 8, 12, 18, 26, 36, 50};
        case ExperimentSize::Full: break;
    }
    return {2, 4, 6, 8, 10, 12, 14, 17, 20, 24, 28, 33, 38, 44, 50, 60, 70, 80};
}

}  // namespace

RateTest wholeBodyRates() {
    return {"", Phantom::find("nema-scatter")};
}

std::vector<double> concentrationsOf(const NemaRun& run, const RateTest& test) {
    std::vector<double> all = run.request().kBqPerMl;
    if (all.empty()) {
        all = usualConcentrations(run.context().size);
        for (double& one : all) {
            one *= test.usualShare * RateRules().volume_ml / test.rules.volume_ml;
        }
    }
    return all;
}

void nemaScatterFraction(NemaRun& run) {
    scatterFractionOf(run, wholeBodyRates());
}

void nemaCountRates(NemaRun& run) {
    countRatesOf(run, wholeBodyRates());
}

void mouseRates(NemaRun& run) {
    smallRates(run, {"mouse_", lineInCylinder(kMouse), rateRulesOf(kMouse), 1.0 / 6});
}

void ratRates(NemaRun& run) {
    smallRates(run, {"rat_", lineInCylinder(kRat), rateRulesOf(kRat), 0.25});
}

}  // namespace tof
