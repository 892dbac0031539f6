// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/nema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

#include "recon/base/error.h"
#include "recon/data/event_part.h"
#include "recon/experiment/nema_accuracy.h"
#include "recon/experiment/nema_image.h"
#include "recon/experiment/nema_scan.h"
#include "recon/experiment/papers.h"
#include "recon/io/bytes/text_header.h"
#include "recon/io/format_table.h"
#include "recon/nema/count_rates.h"
#include "recon/nema/published.h"
#include "recon/nema/resolution.h"
#include "recon/nema/sensitivity.h"
#include "recon/nema/small_animal.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/surrounding_solids.h"

namespace tof {

namespace {

constexpr const char* kStandard = "NEMA NU 2-2018";
constexpr std::uint64_t kNemaSeed = 1;
constexpr double kLow_MBq = 5;  ///< activity of scans without losses: any would do

/// One bin for all that a slice counts.
SinogramGrid slicesOf(const Scanner& scanner) {
    return SinogramGrid::of(scanner, 1, 2 * scanner.fovRadius_mm, scanner.fovRadius_mm);
}

/// One scanner under the standard's tests; what they find is added to the report.
class NemaRun {
  public:
    NemaRun(const NemaRequest& request, const ExperimentContext& context)
        : request_(request),
          scanner_(request.scanner),
          context_(context),
          pool_(context.threads),
          events_(context.events > 0 ? context.events
                                     : context.pick<std::uint64_t>(2'000, 20'000, 1'000'000)),
          published_(publishedFigures(request.scanner)) {
        if (!request.sensitivity.files.empty()) {
            report_.conditions = fmt::format("{}, {}, measured lists of {:g} MBq", scanner_.name, kStandard,
                                             request.sensitivity.activity_MBq);
        } else {
            report_.conditions = fmt::format(
                "{}, {}, {} events in every sleeve and prompts at every activity; scans in time by engine {}",
                scanner_.name, kStandard, events_, context.engine);
            report_.seeds = {kNemaSeed};
        }
        report_.data.columns = {"kBq/ml",         "MBq",          "prompts kcps", "trues kcps",
                                "scattered kcps", "randoms kcps", "NECR kcps",    "NECR 2R kcps",
                                "scatter %",      "singles Mcps", "dead %",       "phantom"};
    }

    /// A test, and the share of the whole's progress at which it begins and ends.
    struct Test {
        const char* name;
        void (NemaRun::*run)();
        double from;
        double to;
        enum class Done { Usually, OnRequest } done = Done::Usually;
    };
    [[nodiscard]] static const std::array<Test, 10>& tests() {
        static const std::array<Test, 10> kTests{
            {{"resolution", &NemaRun::resolution, 0, 0.15},
             {"sensitivity", &NemaRun::sensitivity, 0.15, 0.4},
             {"scatter", &NemaRun::scatterFraction, 0.4, 0.45},
             {"rates", &NemaRun::countRates, 0.45, 1},
             {"image-quality", &NemaRun::imageQualityOfScan, 0, 1, Test::Done::OnRequest},
             {"accuracy", &NemaRun::accuracy, 0, 1, Test::Done::OnRequest},
             {"nu4-resolution", &NemaRun::smallResolution, 0, 0.1, Test::Done::OnRequest},
             {"nu4-sensitivity", &NemaRun::smallSensitivity, 0.1, 0.2, Test::Done::OnRequest},
             {"nu4-mouse", &NemaRun::mouse, 0.2, 0.6, Test::Done::OnRequest},
             {"nu4-rat", &NemaRun::rat, 0.6, 1, Test::Done::OnRequest}}};
        return kTests;
    }

    ExperimentReport run() {
        for (const Test& test : tests()) {
            const auto& wanted = request_.tests;
            const bool usual = wanted.empty() && test.done == Test::Done::Usually;
            if (usual || std::find(wanted.begin(), wanted.end(), test.name) != wanted.end()) {
                from_ = test.from;
                to_ = test.to;
                (this->*test.run)();
            }
        }
        judge();
        return std::move(report_);
    }

  private:
    struct Scan {
        double duration_s = 0;
        SimulationReport pairs;
    };
    /// The scatter phantom at one activity.
    struct RateScan {
        double activity_MBq = 0;
        SliceSinograms prompts;
        double randoms = 0;  ///< delayeds within the sinogram
        Scan made{};
    };

    /// A line in the air, held from beyond the scanner's end, with no bed under it.
    [[nodiscard]] Physics withoutBed() const {
        Physics physics = atLowRate();
        physics.bed = false;
        return physics;
    }

    /// Rates so low that nothing is lost and no randoms are there, as the standard wants it.
    [[nodiscard]] Physics atLowRate() const {
        Physics physics = Physics::of(scanner_);
        physics.randoms = false;
        return physics;
    }

    /// Events into sinograms as they come; `delayeds` gets those of the delayed window.
    Scan scan(const Scanner& scanner, const Phantom& phantom, const Physics& physics, double activity_MBq,
              SliceSinograms& prompts, SliceSinograms* delayeds) {
        SimulationSettings settings;
        // Points have no scatter to be followed, and all of an image's noise lies in one voxel.
        settings.events = physics.scatter ? events_ : 5 * events_;
        settings.seed = kNemaSeed;
        settings.activity_MBq = activity_MBq;
        settings.physics = physics;
        SimulationHooks hooks;
        EventList late;
        hooks.delayed = delayeds != nullptr ? &late : nullptr;
        hooks.progress = [&](std::uint64_t /*made*/) { context_.progress(doing_, done_); };
        if (physics.randoms) {
            hooks.slices = slicesBy(context_.engines, context_.engine == "cuda" ? "cuda" : "cpu");
        }
        hooks.take = [&](EventList& part) {
            prompts.add(part);
            clearEvents(part);
        };
        Scan made;
        const EventList left =
            simulateWith(scanner, onBed(phantom, scanner, physics), settings, pool_, hooks, &made.pairs);
        made.duration_s = left.duration_s;
        if (delayeds != nullptr) {
            delayeds->add(late);
        }
        return made;
    }

    /// Says what comes next, `share` of the way through the test.
    void begin(std::string what, double share) {
        doing_ = std::move(what);
        done_ = from_ + share * (to_ - from_);
        context_.progress(doing_, done_);
    }

    /// Points at distances from the axis, in the middle and toward an end, and how their images are made.
    struct PointTest {
        const char* figures;  ///< what the keys of its figures begin with
        std::vector<double> off_mm;
        double unit_mm;               ///< keys have distances in these units
        double share;                 ///< how far the other place lies from the middle, by the length
        std::array<double, 2> means;  ///< weights of the middle and of that place in its figures
        double voxel_mm;
        double around_mm;    ///< image of a point to each side
        double farthest_mm;  ///< lines rebin without being moved by more than a slice up to there
        const char* picture;
        const char* words;
        Phantom (*source)(Vec3 at);
    };

    /// Six points: 1, 10 and 20 cm above the axis, in the middle and an eighth of the length from an end.
    void resolution() {
        resolutionOf({"resolution_",
                      {10, 100, 200},
                      10,
                      0.375,
                      {0.5, 0.5},
                      1,
                      20,
                      200,
                      "points.png",
                      "Points 1, 10 and 20 cm off the axis, below an eighth of the length from an end; "
                      "voxels of 1 mm.",
                      &pointInAir});
    }

    /// Eight points of NU 4-2008, section 3, in the middle and a quarter of the length from there.
    void smallResolution() {
        resolutionOf({"nu4_resolution_",
                      {5, 10, 15, 25},
                      1,
                      0.25,
                      {1, 0},
                      0.25,
                      8,
                      35,
                      "nu4-points.png",
                      "Points 5, 10, 15 and 25 mm off the axis, below a quarter of the length from the "
                      "middle; voxels of 0.25 mm.",
                      &pointInAcrylic});
    }

    void resolutionOf(const PointTest& test) {
        const SinogramGrid whole = SinogramGrid::of(scanner_, 1, 1, 1);
        const double length = whole.slices * whole.slice_mm;
        const auto points = 2 * static_cast<double>(test.off_mm.size());
        SliceMosaic pictures(2);
        int point = 0;
        for (const double off_mm : test.off_mm) {
            if (off_mm + test.around_mm > scanner_.fovRadius_mm) {
                report_.notes.push_back(
                    fmt::format("A point {:g} mm off the axis lies too near the edge of the field.", off_mm));
                continue;
            }
            std::array<double, 3> mean{0, 0, 0};
            for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
                begin(fmt::format("resolution, point {} of {:g}", point + 1, points), point / points);
                const double away = place == 0 ? 0 : test.share * length;
                const double z = whole.slice_mm * std::round(away / whole.slice_mm);
                const auto image =
                    std::make_shared<const Volume>(imageOfPoint(test, {0, -off_mm, z}, whole.slice_mm));
                const PointWidths widths = widthsOf(*image);
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    // A weight of zero keeps a width that is no number out.
                    mean[axis] += test.means[place] > 0 ? test.means[place] * widths.fwhm_mm[axis] : 0;
                }
                report_.notes.push_back(
                    fmt::format("A point at y = {:g}, z = {:.1f} mm is {:.2f} mm wide (a tenth: {:.2f}) "
                                "radially, {:.2f} ({:.2f}) "
                                "tangentially, {:.2f} ({:.2f}) along z.",
                                -off_mm, z, widths.fwhm_mm[1], widths.fwtm_mm[1], widths.fwhm_mm[0],
                                widths.fwtm_mm[0], widths.fwhm_mm[2], widths.fwtm_mm[2]));
                constexpr int kZoom = 4;
                const float top = *std::max_element(image->data.begin(), image->data.end());
                pictures[place].push_back(
                    {image, Plane::Transverse, {0, -off_mm, z}, {0, static_cast<double>(top)}, kZoom});
                ++point;
            }
            const std::string key = fmt::format("{}{:g}", test.figures, off_mm / test.unit_mm);
            found(key + "_radial", mean[1]);
            found(key + "_tangential", mean[0]);
            found(key + "_axial", mean[2]);
        }
        report_.pictures.push_back({test.picture, test.words, std::move(pictures)});
    }

    [[nodiscard]] static Phantom pointInAir(Vec3 at) {
        Phantom phantom;
        phantom.name = "point source";
        PhantomShape& ball = phantom.shapes.emplace_back();
        ball.centre = at;
        ball.radius_mm = 0.5;
        ball.activity = 1;
        return phantom;
    }

    /// Lines that single-slice rebinning moves by less than a slice, back-projected around the point.
    [[nodiscard]] Volume imageOfPoint(const PointTest& test, Vec3 at, double slice_mm) {
        constexpr int kAngles = 720;
        Scanner straight = scanner_;
        straight.acceptance_rad = std::min(straight.acceptance_rad, std::atan(slice_mm / test.farthest_mm));
        Physics physics = atLowRate();
        physics.scatter = false;
        const int slices = 2 * static_cast<int>(std::ceil(test.around_mm / slice_mm)) + 1;
        const int bins = 2 * static_cast<int>((test.farthest_mm + test.around_mm) / test.voxel_mm);
        SliceSinograms counts(scanner_, {slices, kAngles, bins, slice_mm, test.voxel_mm, at.z});
        scan(straight, test.source(at), physics, kLow_MBq, counts, nullptr);
        const int side = 2 * static_cast<int>(test.around_mm / test.voxel_mm) + 1;
        const Lattice around{{side, side, slices},
                             {test.voxel_mm, test.voxel_mm, slice_mm},
                             {at.x - test.around_mm, at.y - test.around_mm, counts.grid().z_mm(0)}};
        return filteredBackProjection(counts, around, pool_);
    }

    void sensitivity() {
        sleevesChart_ = {"wall, mm", "kcps/MBq", {}};
        sliceChart_ = {"mm along the axis", "sensitivity of a slice, cps/MBq", {}};
        const SensitivityLists& lists = request_.sensitivity;
        if (!lists.files.empty()) {
            lineInSleeves("sensitivity_0", "measured", lists.files.size(),
                          [&](int sleeves, SliceSinograms& counts) {
                              const auto list = static_cast<std::size_t>(sleeves - 1);
                              counts = lists.counts[list];
                              return counts.total() / lists.duration_s[list] / lists.activity_MBq;
                          });
        } else {
            for (const double off_mm : {0.0, 100.0}) {
                const char* const name = off_mm > 0 ? "10 cm off" : "on the axis";
                lineInSleeves(off_mm > 0 ? "sensitivity_10" : "sensitivity_0", name, kNemaSleeves_mm.size(),
                              [&](int sleeves, SliceSinograms& counts) {
                                  begin(fmt::format("sensitivity {}, {} sleeves", name, sleeves),
                                        (off_mm > 0 ? 0.5 : 0) + 0.1 * (sleeves - 1));
                                  const Scan made = scan(scanner_, linesInSleeves(sleeves, off_mm),
                                                         withoutBed(), kLow_MBq, counts, nullptr);
                                  return counts.total() / made.duration_s / kLow_MBq;
                              });
            }
        }
        report_.pictures.push_back({"sleeves.svg",
                                    "Rates in one to five sleeves and their extrapolation to none.",
                                    std::move(sleevesChart_)});
        report_.pictures.push_back(
            {"sensitivity.svg", "Sensitivity of every slice.", std::move(sliceChart_)});
    }

    /// `rate` fills sinograms with so many sleeves and tells their counts per second and MBq.
    void lineInSleeves(const std::string& key, const std::string& name, std::size_t sleeves,
                       const std::function<double(int, SliceSinograms&)>& rate) {
        const SinogramGrid whole = slicesOf(scanner_);
        std::vector<double> walls;
        std::vector<double> rates;
        std::vector<double> profile;
        for (int count = 1; count <= static_cast<int>(sleeves); ++count) {
            SliceSinograms counts(scanner_, whole);
            rates.push_back(rate(count, counts) / 1000);
            walls.push_back(sleeveWall_mm(count));
            if (count == 1) {
                profile = counts.bySlice();
            }
        }
        const SleeveFit fit = fitSleeves(walls, rates);
        found(key, fit.rate);
        report_.notes.push_back(
            fmt::format("The sleeves attenuate {:.4f} per mm of wall ({}).", fit.attenuation_per_mm, name));
        sleevesChart_.lines.push_back({name, walls, rates});
        sleevesChart_.lines.push_back({fmt::format("{}, fitted", name)});
        for (const double wall : {0.0, walls.back()}) {
            sleevesChart_.lines.back().add(wall, fit.rate * std::exp(-2 * fit.attenuation_per_mm * wall));
        }
        const double all = std::accumulate(profile.begin(), profile.end(), 0.0);
        sliceChart_.lines.push_back({name});
        for (int slice = 0; slice < whole.slices; ++slice) {
            sliceChart_.lines.back().add(whole.z_mm(slice),
                                         1000 * fit.rate * profile[static_cast<std::size_t>(slice)] / all);
        }
    }

    /// A scatter phantom of a standard.
    struct RateTest {
        std::string figures;  ///< what the keys of its figures begin with
        Phantom phantom;
        RateRules rules{};
        double usualShare = 1;  ///< share of NU 2's usual activities
    };
    [[nodiscard]] static RateTest wholeBody() { return {"", Phantom::find("nema-scatter")}; }

    /// All slices are one: the line source is parallel to the axis.
    [[nodiscard]] SinogramGrid scatterGrid(const RateRules& rules) const {
        constexpr int kAngles = 120;
        SinogramGrid grid =
            SinogramGrid::of(scanner_, kAngles, rules.bin_mm, rules.radius_mm, rules.halfLength_mm);
        grid.slice_mm *= grid.slices;
        grid.slices = 1;
        return grid;
    }

    void scatterFraction() { scatterFractionOf(wholeBody()); }
    void countRates() { countRatesOf(wholeBody()); }
    void mouse() { smallRates({"mouse_", lineInCylinder(kMouse), rateRulesOf(kMouse), 1.0 / 6}); }
    void rat() { smallRates({"rat_", lineInCylinder(kRat), rateRulesOf(kRat), 0.25}); }
    void smallRates(const RateTest& test) {
        scatterFractionOf(test);
        countRatesOf(test);
    }

    /// A point on the axis, at the middle and in steps to both ends.
    void smallSensitivity() {
        constexpr int kPlaces = 9;
        const SinogramGrid whole = SinogramGrid::of(scanner_, 1, 1, kAroundPoint_mm);
        const double length = whole.slices * whole.slice_mm;
        LineChart chart{"mm along the axis", "% of decays recorded", {{"point in acrylic"}}};
        double mean = 0;
        for (int place = 0; place < kPlaces; ++place) {
            begin(fmt::format("sensitivity of a point, {} of {}", place + 1, kPlaces),
                  static_cast<double>(place) / kPlaces);
            const double z = length * ((place + 0.5) / kPlaces - 0.5);
            SliceSinograms counts(scanner_, whole);
            const Scan made =
                scan(scanner_, pointInAcrylic({0, 0, z}), withoutBed(), kLow_MBq, counts, nullptr);
            const double percent = 100 * counts.total() / (made.duration_s * kLow_MBq * 1e6);
            mean += percent / kPlaces;
            chart.lines.front().add(z, percent);
            if (2 * place + 1 == kPlaces) {
                found("nu4_sensitivity", percent);
            }
        }
        found("nu4_sensitivity_mean", mean);
        report_.pictures.push_back({"nu4-sensitivity.svg",
                                    "Share of a point's positrons that are recorded, along the axis.",
                                    std::move(chart)});
    }

    void scatterFractionOf(const RateTest& test) {
        begin("scatter fraction", 0);
        SliceSinograms prompts(scanner_, scatterGrid(test.rules));
        scan(scanner_, test.phantom, atLowRate(), kLow_MBq, prompts, nullptr);
        const StripCounts strip = stripCounts(prompts, findLine(prompts, test.rules), test.rules);
        found(test.figures + "scatter_fraction", 100 * strip.scatterFraction());
        LineChart chart{"mm from the line source", "share of a bin's counts in the highest, log10", {}};
        const double top = *std::max_element(strip.profile.begin(), strip.profile.end());
        chart.lines.push_back({"prompts without randoms"});
        for (std::size_t i = 0; i < strip.s_mm.size(); ++i) {
            if (strip.profile[i] > 0) {
                chart.lines.back().add(strip.s_mm[i], std::log10(strip.profile[i] / top));
            }
        }
        report_.pictures.push_back({test.figures + "scatter.svg",
                                    "Counts by the distance from the line source, all angles shifted.",
                                    std::move(chart)});
    }

    [[nodiscard]] std::vector<double> concentrationsOf(const RateTest& test) const {
        std::vector<double> all = request_.kBqPerMl;
        if (all.empty()) {
            all = usualConcentrations(context_.size);
            for (double& one : all) {
                one *= test.usualShare * RateRules().volume_ml / test.rules.volume_ml;
            }
        }
        return all;
    }

    void countRatesOf(const RateTest& test) {
        const std::vector<double> all = concentrationsOf(test);
        std::vector<RateScan> scans;
        SliceSinograms together(scanner_, scatterGrid(test.rules));
        for (std::size_t i = 0; i < all.size(); ++i) {
            begin(fmt::format("count rates at {:g} kBq/ml", all[i]),
                  static_cast<double>(i) / static_cast<double>(all.size()));
            RateScan& one = scans.emplace_back(
                RateScan{all[i] * test.rules.volume_ml / 1000, SliceSinograms(scanner_, together.grid())});
            SliceSinograms delayeds(scanner_, together.grid());
            one.made =
                scan(scanner_, test.phantom, Physics::of(scanner_), one.activity_MBq, one.prompts, &delayeds);
            one.randoms = delayeds.total();
            together.add(one.prompts);
        }
        const LinePlace line = findLine(together, test.rules);
        std::vector<RatePoint> points;
        for (const RateScan& one : scans) {
            points.push_back(ratesOf(stripCounts(one.prompts, line, test.rules), one.randoms,
                                     one.made.duration_s, one.activity_MBq, test.rules));
            tell(test.phantom.name, points.back(), one.made);
        }
        tellPeak(test, points);
        draw(test.figures, points);
    }

    void tellPeak(const RateTest& test, const std::vector<RatePoint>& points) {
        const RatePeak peak = peakOf(points, &RatePoint::necr);
        if (!peak.within) {
            report_.notes.push_back(fmt::format(
                "NECR of {} is highest at {:g} kBq/ml, an end of the activities: its peak was not reached.",
                test.phantom.name, peak.kBqPerMl));
            return;
        }
        const bool perMl = nemaFigure(test.figures + "necr_peak_at").unit == std::string("kBq/ml");
        found(test.figures + "necr_peak", peak.value / 1000);
        found(test.figures + "necr_peak_at", peak.kBqPerMl * (perMl ? 1 : test.rules.volume_ml / 1000));
        const auto nearest =
            std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
                return std::abs(a.kBqPerMl() - peak.kBqPerMl) < std::abs(b.kBqPerMl() - peak.kBqPerMl);
            });
        found(test.figures + "scatter_fraction_at_peak", 100 * nearest->scatterFraction);
    }

    /// Contrast of six spheres and the rest of section 7, of a simulated scan.
    void imageQualityOfScan() {
        constexpr std::uint64_t kTimes = 50;  // an image needs more events than a rate
        const Phantom scanned = Phantom::find("nema-iq-scan");
        const double activity_MBq = nemaScanActivity_MBq(scanned);
        const ListScan scan = listScan(scanner_,
                                       {"image quality", scanned, activity_MBq, kTimes * events_, kNemaSeed,
                                        DeadTimeOf::Left, from_, to_},
                                       context_);
        report_.notes.push_back(fmt::format(
            "Image quality: {} prompts in {:.1f} s of {:.0f} MBq in the torso and the line "
            "beyond the field, {:.0f} "
            "randoms and {:.0f} scattered among them; list-mode OSEM, {} iterations, no filter.",
            kTimes * events_, scan.duration_s, activity_MBq, scan.randoms, scan.scatter, scan.iterations));
        const Phantom phantom = Phantom::find("nema-iq-2018");
        const ImageQuality quality = imageQuality(*scan.image, phantom, {});
        ExperimentReport found =
            imageQualityReport({scanner_.name, scan.image, phantom, {}, published_}, quality);
        take(std::move(found));
        report_.images.push_back({"image quality, " + scanner_.name, scan.image});
        const ImageQuality early = imageQuality(*scan.early, phantom, {});
        for (const SphereQuality& sphere : early.spheres) {
            report_.notes.push_back(
                fmt::format("After {} iterations {} has {:.1f} % at a background variability of {:.1f} %.",
                            scan.iterations / 2, sphere.name, sphere.contrast, sphere.variability));
        }
        for (const SphereQuality& sphere : quality.spheres) {
            judgeContrast(sphere);
        }
    }

    /// Adds what another report says; its table where it is the only test.
    void take(ExperimentReport found) {
        if (request_.tests.size() == 1) {
            report_.data = std::move(found.data);
        }
        const auto append = [](auto& to, auto& from) {
            std::move(from.begin(), from.end(), std::back_inserter(to));
        };
        append(report_.comparisons, found.comparisons);
        append(report_.notes, found.notes);
        append(report_.pictures, found.pictures);
    }

    /// Errors of the scatter phantom's slices against its activity, section 6.
    void accuracy() {
        constexpr std::uint64_t kTimes = 5;  // an image needs more events than a rate
        const RateTest test = wholeBody();
        const std::vector<double> all = concentrationsOf(test);
        if (all.size() <= kAccuracyReferences) {
            throw WrongUse(
                "accuracy is told against the three lowest activities; give four --activities or more");
        }
        const SinogramGrid seen = SinogramGrid::of(scanner_, 1, 1, 1);
        AccuracyRequest wanted{{}, {}, published_};
        // Images are longer than the scanner, which sees little of the last ring's slices.
        wanted.halfLength_mm =
            std::min(wanted.halfLength_mm, 0.5 * seen.slices * seen.slice_mm - 2 * seen.slice_mm);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto at = [&](std::size_t k) {
                return from_ + (to_ - from_) * static_cast<double>(k) / static_cast<double>(all.size());
            };
            const ListScan scan = listScan(scanner_,
                                           {fmt::format("accuracy at {:g} kBq/ml", all[i]), test.phantom,
                                            all[i] * test.rules.volume_ml / 1000, kTimes * events_,
                                            kNemaSeed + i, DeadTimeOf::Corrected, at(i), at(i + 1)},
                                           context_);
            auto rate = std::make_shared<Volume>(*scan.image);
            for (float& value : rate->data) {
                value = static_cast<float>(static_cast<double>(value) / scan.duration_s);
            }
            rate->units = "1/s";
            wanted.scans.push_back({std::move(rate), all[i]});
        }
        take(accuracyReport(wanted));
    }

    /// What was published of a sphere of this size is met within 8 points.
    void judgeContrast(const SphereQuality& sphere) {
        constexpr double kPoints = 8;
        for (const PublishedFigure& one : published_) {
            if (one.key == fmt::format("contrast_{:g}", sphere.diameter_mm)) {
                report_.checks.push_back({"contrast recovery, " + sphere.name,
                                          within(one.value, kPoints, "%"), sphere.contrast, one.source});
            }
        }
    }

    void tell(const std::string& phantom, const RatePoint& point, const Scan& made) {
        const double kilo = 1e-3;
        const auto started = static_cast<double>(made.pairs.started);
        report_.data.rows.push_back(
            {point.kBqPerMl(), point.activity_MBq, kilo * point.total, kilo * point.trues,
             kilo * point.scattered, kilo * point.randoms, kilo * point.necr(),
             kilo * point.necrWithDelayeds(), 100 * point.scatterFraction,
             1e-6 * static_cast<double>(made.pairs.singles) / started * point.activity_MBq * 1e6,
             100 * static_cast<double>(made.pairs.dead) / started, phantom});
    }

    void draw(const std::string& figures, const std::vector<RatePoint>& points) {
        LineChart chart{"kBq/ml", "kcps", {{"trues"}, {"scattered"}, {"randoms"}, {"NECR"}, {"NECR 2R"}}};
        LineChart share{"kBq/ml", "scatter fraction, %", {{"randoms taken off"}}};
        for (const RatePoint& p : points) {
            const double values[] = {p.trues, p.scattered, p.randoms, p.necr(), p.necrWithDelayeds()};
            for (std::size_t i = 0; i < chart.lines.size(); ++i) {
                chart.lines[i].add(p.kBqPerMl(), 1e-3 * values[i]);
            }
            share.lines.front().add(p.kBqPerMl(), 100 * p.scatterFraction);
        }
        report_.pictures.push_back({figures + "rates.svg",
                                    "Count rates of the scatter phantom against its activity.",
                                    std::move(chart)});
        report_.pictures.push_back(
            {figures + "scatter-by-rate.svg", "Scatter fraction against activity.", std::move(share)});
    }

    /// A figure of the standard, beside what was published of it.
    void found(const std::string& key, double value) {
        const NemaFigure& figure = nemaFigure(key);
        Comparison row{figure.words, figure.unit, "", value,
                       "no figure published in the scanner's description"};
        for (const PublishedFigure& one : published_) {
            if (one.key == key) {
                row.paper = fmt::format("{:g}", one.value);
                row.remark = fmt::format("{:.3f} of it; {}", value / one.value, one.source);
                errors_.emplace_back(std::abs(value / one.value - 1), figure.words);
            }
        }
        report_.comparisons.push_back(std::move(row));
    }

    void judge() {
        if (errors_.empty()) {
            return;
        }
        std::sort(errors_.begin(), errors_.end());
        const std::size_t n = errors_.size();
        const double median = 0.5 * (errors_[(n - 1) / 2].first + errors_[n / 2].first);
        report_.checks.push_back({"median error of what was published", atMost(10, "%"), 100 * median,
                                  "published figures of the scanner's description",
                                  fmt::format("The worst of {} is {}: {:.0f} %.", n, errors_.back().second,
                                              100 * errors_.back().first)});
    }

    const NemaRequest& request_;
    const Scanner& scanner_;
    const ExperimentContext& context_;
    ThreadPool pool_;
    std::uint64_t events_;
    std::vector<PublishedFigure> published_;
    std::vector<std::pair<double, std::string>> errors_;
    ExperimentReport report_;
    LineChart sleevesChart_;
    LineChart sliceChart_;
    std::string doing_;
    double from_ = 0;
    double to_ = 1;
    double done_ = 0;
};

}  // namespace

std::vector<double> usualConcentrations(ExperimentSize size) {
    switch (size) {
        case ExperimentSize::Tiny: return {5, 15, 45};
        case ExperimentSize::Quick: return {3, 8, 12, 18, 26, 36, 50};
        case ExperimentSize::Full: break;
    }
    return {2, 4, 6, 8, 10, 12, 14, 17, 20, 24, 28, 33, 38, 44, 50, 60, 70, 80};
}

std::vector<std::string> nemaTests() {
    std::vector<std::string> names;
    for (const NemaRun::Test& test : NemaRun::tests()) {
        names.emplace_back(test.name);
    }
    return names;
}

std::vector<std::string> usualNemaTests() {
    std::vector<std::string> names;
    for (const NemaRun::Test& test : NemaRun::tests()) {
        if (test.done == NemaRun::Test::Done::Usually) {
            names.emplace_back(test.name);
        }
    }
    return names;
}

std::vector<double> concentrationsFrom(const std::string& text) {
    std::vector<double> all;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        const std::optional<double> number = parseNumber(word);
        if (!number || !(*number > (all.empty() ? 0 : all.back()) && *number < 1e6)) {
            throw WrongUse("activities '{}': give ascending numbers of kBq/ml above 0, as 5,10,20", text);
        }
        all.push_back(*number);
    }
    return all;
}

Experiment nemaExperiment(const Scanner& scanner) {
    return {"nema",
            kStandard,
            fmt::format("Resolution, sensitivity, scatter fraction, count rates and image quality of {}",
                        scanner.name),
            "",
            "",
            nullptr};
}

NemaRequest measuredSensitivity(const std::vector<std::string>& files, double activity_MBq) {
    if (files.size() < 2 || files.size() > kNemaSleeves_mm.size()) {
        throw WrongUse("{} lists of the line source: give those in 1, 2, ... sleeves in this order, 2 to {}",
                       files.size(), kNemaSleeves_mm.size());
    }
    if (!(activity_MBq > 0)) {
        throw WrongUse("lists of the line source need its activity; give --activity MBQ");
    }
    NemaRequest request;
    request.tests = {"sensitivity"};
    SensitivityLists& lists = request.sensitivity;
    lists.files = files;
    lists.activity_MBq = activity_MBq;
    ScannerText scanner;
    for (const std::string& file : files) {
        const EventList events = readEvents(file).events;
        if (events.size() == 0 || !(events.duration_s > 0)) {
            throw BadInput("{}: has {} events in {:g} s; a list with events and a duration is needed", file,
                           events.size(), events.duration_s);
        }
        if (!scanner.empty() && !(events.scannerJson == scanner)) {
            throw WrongUse("{} is of another scanner than {}; lists of one scanner are needed", file,
                           files.front());
        }
        if (scanner.empty()) {
            scanner = events.scannerJson;
            request.scanner = *scanner.scanner(files.front());
        }
        lists.counts.emplace_back(request.scanner, slicesOf(request.scanner)).add(events);
        lists.duration_s.push_back(events.duration_s);
    }
    return request;
}

ExperimentReport nemaReport(const NemaRequest& request, const ExperimentContext& context) {
    if (request.sensitivity.files.empty() && !request.scanner.detection) {
        throw WrongUse("scanner '{}' does not say how it detects; add 'detection' to its description",
                       request.scanner.name);
    }
    return NemaRun(request, context).run();
}

ExperimentReport runNema(const ExperimentContext& context) {
    return nemaReport({Scanner::find("ge-ste-blocks")}, context);
}

}  // namespace tof
