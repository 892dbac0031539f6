// SPDX-License-Identifier: Apache-2.0
// Counts per second and activity of lines and points at low rates.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "recon/base/sum.h"
#include "recon/experiment/nema_run.h"
#include "recon/nema/sensitivity.h"
#include "recon/nema/small_animal.h"

namespace tof {

namespace {

struct SleeveCharts {
    LineChart sleeves{"wall, mm", "kcps/MBq", {}};
    LineChart slices{"mm along the axis", "sensitivity of a slice, cps/MBq", {}};
};

/// `rate` fills sinograms with so many sleeves and tells their counts per second and MBq.
void lineInSleeves(NemaRun& run, SleeveCharts& charts, const std::string& key, const std::string& name,
                   std::size_t sleeves, const std::function<double(int, SliceSinograms&)>& rate) {
    const SinogramGrid whole = sensitivitySlices(run.scanner());
    std::vector<double> walls;
    std::vector<double> rates;
    std::vector<double> profile;
    for (int count = 1; count <= static_cast<int>(sleeves); ++count) {
        SliceSinograms counts(run.scanner(), whole);
        rates.push_back(rate(count, counts) / 1000);
        walls.push_back(sleeveWall_mm(count));
        if (count == 1) {
            profile = counts.bySlice();
        }
    }
    const SleeveFit fit = fitSleeves(walls, rates);
    run.found(key, fit.rate);
    run.note(fmt::format("The sleeves attenuate {:.4f} per mm of wall ({}).", fit.attenuation_per_mm, name));
    charts.sleeves.lines.push_back({name, walls, rates});
    charts.sleeves.lines.push_back({fmt::format("{}, fitted", name)});
    for (const double wall : {0.0, walls.back()}) {
        charts.sleeves.lines.back().add(wall, fit.rate * std::exp(-2 * fit.attenuation_per_mm * wall));
    }
    const double all = sumOf(profile);
    charts.slices.lines.push_back({name});
    for (int slice = 0; slice < whole.slices; ++slice) {
        charts.slices.lines.back().add(whole.z_mm(slice),
                                       1000 * fit.rate * profile[static_cast<std::size_t>(slice)] / all);
    }
}

}  // namespace

void nemaSensitivity(NemaRun& run) {
    SleeveCharts charts;
    const SensitivityLists& lists = run.request().sensitivity;
    if (!lists.files.empty()) {
        lineInSleeves(run, charts, "sensitivity_0", "measured", lists.files.size(),
                      [&](int sleeves, SliceSinograms& counts) {
                          const auto list = static_cast<std::size_t>(sleeves - 1);
                          counts = lists.counts[list];
                          return counts.total() / lists.duration_s[list] / lists.activity_MBq;
                      });
    } else {
        for (const double off_mm : {0.0, 100.0}) {
            const char* const name = off_mm > 0 ? "10 cm off" : "on the axis";
            lineInSleeves(run, charts, off_mm > 0 ? "sensitivity_10" : "sensitivity_0", name,
                          kNemaSleeves_mm.size(), [&](int sleeves, SliceSinograms& counts) {
                              run.begin(fmt::format("sensitivity {}, {} sleeves", name, sleeves),
                                        (off_mm > 0 ? 0.5 : 0) + 0.1 * (sleeves - 1));
                              const NemaScan made = run.scan(run.scanner(), linesInSleeves(sleeves, off_mm),
                                                             run.withoutBed(), kNemaLow_MBq, counts);
                              return counts.total() / made.duration_s / kNemaLow_MBq;
                          });
        }
    }
    run.picture({"sleeves.svg", "Rates in one to five sleeves and their extrapolation to none.",
                 std::move(charts.sleeves)});
    run.picture({"sensitivity.svg", "Sensitivity of every slice.", std::move(charts.slices)});
}

void smallSensitivity(NemaRun& run) {
    constexpr int kPlaces = 9;
    const SinogramGrid whole = SinogramGrid::of(run.scanner(), 1, 1, kAroundPoint_mm);
    const double length = whole.slices * whole.slice_mm;
    LineChart chart{"mm along the axis", "% of decays recorded", {{"point in acrylic"}}};
    double mean = 0;
    for (int place = 0; place < kPlaces; ++place) {
        run.begin(fmt::format("sensitivity of a point, {} of {}", place + 1, kPlaces),
                  static_cast<double>(place) / kPlaces);
        const double z = length * ((place + 0.5) / kPlaces - 0.5);
        SliceSinograms counts(run.scanner(), whole);
        const NemaScan made =
            run.scan(run.scanner(), pointInAcrylic({0, 0, z}), run.withoutBed(), kNemaLow_MBq, counts);
        const double percent = 100 * counts.total() / (made.duration_s * kNemaLow_MBq * 1e6);
        mean += percent / kPlaces;
        chart.lines.front().add(z, percent);
        if (2 * place + 1 == kPlaces) {
            run.found("nu4_sensitivity", percent);
        }
    }
    run.found("nu4_sensitivity_mean", mean);
    run.picture({"nu4-sensitivity.svg", "Share of a point's positrons that are recorded, along the axis.",
                 std::move(chart)});
}

}  // namespace tof
