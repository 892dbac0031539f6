// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/ha_crc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/view.h"
#include "recon/binning/analytic.h"
#include "recon/binning/binning.h"
#include "recon/experiment/labr3_scan.h"
#include "recon/experiment/own_data.h"
#include "recon/kernel/point_response.h"
#include "recon/simulate/poisson.h"
#include "recon/systems/histo/histo_measurement.h"

namespace tof {

namespace {

constexpr double kPaperNoise = 0.08;
constexpr double kDataShare = 0.5;

/// On the device where the others are there, too: a hundred reconstructions by the host would take hours.
std::string fourierEngine(const ExperimentContext& context) {
    const bool onDevice = context.engine == "cuda" && std::holds_alternative<std::shared_ptr<const Engine>>(
                                                          context.engines.find("cufft"));
    return onDevice ? "cufft" : "fftw";
}

bool isFourier(const CrcCurve& curve) {
    return curve.engine == "fftw" || curve.engine == "cufft";
}

std::vector<CrcCurve> curvesOfPaper(const ExperimentContext& context) {
    const std::string& engine = context.engine;
    return {{"Fourier, invariant", fourierEngine(context), "invariant", 22},
            {"space, invariant", engine, "invariant", 22},
            {"space, variant1", engine, "variant1", 19},
            {"space, variant2", engine, "variant2", 21},
            {"space, variant3", engine, "variant3", 26}};
}

/// For tests of what comes after: ones in every voxel.
std::shared_ptr<const HistoData> evenData() {
    auto data = std::make_shared<HistoData>();
    data->lattice = Lattice::centred({48, 48, 4}, {8, 8, 8});
    data->views = ViewGrid(6, 1, 10 * kRadPerDeg).views();
    data->counts.assign(data->views.size() * data->voxels(), 1.0F);
    data->phantom = "spheres";
    return data;
}

/// Expected data: what detectors of 5.8 mm and 400 ps would count along lines that are hardly tilted, without
/// noise, scatter and randoms.
std::shared_ptr<const HistoData> expectedData(const ExperimentContext& context) {
    AnalyticSettings how;
    how.lattice = Lattice::centred({96, 96, 10}, {4, 4, 4});
    how.azimuths = 20;
    how.tilts = 1;
    how.counts = 1e8;
    how.noiseFree = true;
    how.response = KernelSpec::preset("invariant");
    Scanner scanner = Scanner::find("labr3-ideal");
    scanner.acceptance_rad = 2 * kRadPerDeg;  // lines of 10 degrees cost five times as much and show the same
    const Phantom phantom = spheresWithin(how.lattice);
    const ThreadPool pool(context.threads);
    const Volume attenuation = phantom.wholeAttenuation(how.lattice, kAttenuationSpacing_mm);
    HistoData data = analyticData(scanner, phantom, how, &attenuation, pool,
                                  [&](double share) { context.progress("expected data", 0.2 * share); });
    data.phantom = "spheres";
    return std::make_shared<const HistoData>(std::move(data));
}

RunSettings settingsFor(const CrcCurve& curve, int iterations, double relaxation) {
    RunSettings settings = settingsOf("ramla", curve.engine, iterations);
    settings.set("kernel", curve.kernel);
    settings.relaxation = relaxation;
    if (isFourier(curve)) {
        // The Gaussian's own transform: with that of its samples both would agree by construction.
        settings.set("spectrum", "analytic");
    }
    return settings;
}

/// The first and the last noise that every curve has.
std::pair<double, double> commonNoise(const std::vector<CrcCurve>& curves) {
    double first = 0;
    double last = std::numeric_limits<double>::infinity();
    for (const CrcCurve& curve : curves) {
        first = std::max(first, curve.run.figures.front().noise);
        last = std::min(last, curve.run.figures.back().noise);
    }
    return {first, last};
}

/// A figure where a curve passes a noise level.
template <typename Figure>
double at(const std::vector<Figures>& figures, double level, const Figure& figure) {
    for (std::size_t i = 0; i + 1 < figures.size(); ++i) {
        const double a = figures[i].noise;
        const double b = figures[i + 1].noise;
        if ((a <= level && level <= b) || (b <= level && level <= a)) {
            const double share = b != a ? (level - a) / (b - a) : 0;
            return figure(figures[i]) + share * (figure(figures[i + 1]) - figure(figures[i]));
        }
    }
    return figure(level < figures.front().noise ? figures.front() : figures.back());
}

/// The relaxation with which noise passes the paper's 8 % in the middle of 20 to 24 iterations: noise grows
/// with the strength of updates. Nothing of CRC is looked at.
template <typename Run>
double relaxationOfPaper(const Run& run) {
    constexpr double kIteration = 22;
    constexpr int kSteps = 8;
    double low = 1e-3;
    double high = 0.3;
    for (int i = 0; i < kSteps; ++i) {
        const double middle = std::sqrt(low * high);
        const std::vector<Figures> figures = run(middle);
        const double at = crossing(figures, kPaperNoise);
        const bool tooWeak = std::isnan(at) ? figures.back().noise < kPaperNoise : at > kIteration;
        (tooWeak ? low : high) = middle;
    }
    return std::sqrt(low * high);
}

/// This scan with other counts.
std::shared_ptr<const HistoData> resampled(const HistoData& data, std::uint64_t seed,
                                           const ThreadPool& pool) {
    auto copy = std::make_shared<HistoData>(data);
    copy->counts = poissonCounts(data.counts, 1, seed, pool);
    copy->hash.clear();
    return copy;
}

CrcCurves makeCurves(const ExperimentContext& context) {
    CrcCurves all;
    const bool full = context.size == ExperimentSize::Full;
    const bool own = !context.dataFile.empty();
    const std::shared_ptr<const Measurement> measured =
        own    ? ownHistoImages(context)
        : full ? std::make_shared<HistoMeasurement>(labr3Scan(context, 0, kDataShare))
               : std::static_pointer_cast<const Measurement>(std::make_shared<HistoMeasurement>(
                     context.size == ExperimentSize::Tiny ? evenData() : expectedData(context)));
    if (measured->phantom().empty()) {
        throw WrongUse("--data: {} names no phantom, so nothing is known of its spheres", context.dataFile);
    }
    const RoiSet rois = autoRois(own ? measured->phantom() : "spheres");
    const bool trial = context.events > 0;  // whether the full size works, not what it shows
    const int iterations = full && trial ? 4 : context.pick(2, 16, 26);
    // Updates times relaxation are those of the full size: of some 26 x 120 x 0.015 = 47, and 16 x 20 x 0.15
    // = 48.
    all.relaxation = full || own ? 0.015 : 0.15;
    const double from = full ? kDataShare : 0.2;
    const int slice = nearestVoxel(measured->lattice(), {0, 0, 2})[2];
    all.noiseFree = !full && !own;
    all.curves = curvesOfPaper(context);
    const std::size_t replicates = full && !own ? (trial ? 2 : 20) : 0;
    if (replicates > 0) {
        const std::string& engine = context.engine;
        all.further = {{"space, invariant, further", engine, "invariant", 22},
                       {"space, variant2, further", engine, "variant2", 21},
                       {"space, variant3, further", engine, "variant3", 26}};
    }
    const std::size_t furtherReplicates = std::min<std::size_t>(replicates, 10);
    // The Fourier run has no replicates: no check needs its spread.
    const double passes = static_cast<double>(all.curves.size() + (all.curves.size() - 1) * replicates +
                                              all.further.size() * (1 + furtherReplicates));
    double done = 0;
    const auto reconstructed = [&](const std::shared_ptr<const Measurement>& data, const CrcCurve& curve,
                                   double relaxation) {
        const double begin = from + (1 - from) * done / passes;
        done += 1;
        const double end = from + (1 - from) * std::min(1.0, done / passes);
        return runQuietly(context, data, settingsFor(curve, iterations, relaxation), rois, slice, curve.label,
                          begin, end);
    };
    if (full && !own && context.engine != "cpu") {  // eight runs more, which take a host a quarter of an hour
        all.relaxation = relaxationOfPaper([&](double relaxation) {
            return runQuietly(context, measured, settingsFor(all.curves[1], iterations, relaxation), rois, -1,
                              "relaxation", from, from)
                .figures;
        });
    }
    for (CrcCurve& curve : all.curves) {
        try {
            curve.run = reconstructed(measured, curve, all.relaxation);
        } catch (const Unavailable& fault) {
            all.missing.push_back(fmt::format("{}: {}", curve.label, fault.what()));
        }
    }
    all.curves.erase(std::remove_if(all.curves.begin(), all.curves.end(),
                                    [](const CrcCurve& curve) { return curve.run.figures.empty(); }),
                     all.curves.end());
    const auto [firstLevel, lastLevel] = commonNoise(all.curves);
    all.lastLevel = lastLevel;
    all.level = firstLevel <= kPaperNoise && kPaperNoise <= lastLevel ? kPaperNoise : lastLevel;
    if (replicates > 0) {
        for (CrcCurve& curve : all.further) {
            curve.run = reconstructed(measured, curve, kFurther * all.relaxation);
        }
        const auto& data = std::static_pointer_cast<const HistoMeasurement>(measured)->data();
        const ThreadPool pool(context.threads);
        for (std::uint64_t r = 1; r <= replicates; ++r) {
            all.seeds.push_back(1000 + r);
            const auto again = std::make_shared<HistoMeasurement>(resampled(*data, all.seeds.back(), pool));
            for (CrcCurve& curve : all.curves) {
                if (!isFourier(curve)) {
                    curve.replicates.push_back(reconstructed(again, curve, all.relaxation).figures);
                }
            }
            for (CrcCurve& curve : all.further) {
                if (r <= furtherReplicates) {
                    curve.replicates.push_back(
                        reconstructed(again, curve, kFurther * all.relaxation).figures);
                }
            }
        }
        all.seeds.insert(all.seeds.begin(), kLabr3ScanSeed);
    }
    const EventTally events = measured->events();
    all.conditions = fmt::format(
        "{}, {} views of {}, {}, RAMLA with lambda {:.3g}, {} iterations{}.",
        own    ? "The user's own data"
        : full ? "Phantom spheres (10 mm, 6:1, 75 mm from the axis) in the LaBr3 scanner with scatter and "
                 "randoms, corrected"
               : "Phantom spheres (10 mm, 6:1, 75 mm from the axis), expected counts of detectors of 5.8 mm "
                 "and 400 ps",
        std::static_pointer_cast<const HistoMeasurement>(measured)->data()->views.size(),
        latticeText(measured->lattice()),
        all.noiseFree ? std::string("without noise") : fmt::format("{:.4g} events", events.kept),
        all.relaxation, iterations,
        replicates > 0 ? fmt::format(", {} replicates", replicates) : std::string());
    return all;
}

}  // namespace

double crossing(const std::vector<Figures>& figures, double level) {
    for (std::size_t i = 0; i + 1 < figures.size(); ++i) {
        if (figures[i].noise <= level && level <= figures[i + 1].noise) {
            return figures[i].iteration +
                   (level - figures[i].noise) / (figures[i + 1].noise - figures[i].noise);
        }
    }
    return kMissing;
}

double crcAt(const std::vector<Figures>& figures, double level) {
    return at(figures, level, [](const Figures& f) { return f.crc; });
}

double overshootAt(const std::vector<Figures>& figures, double level) {
    return at(figures, level, [](const Figures& f) { return f.overshoot; });
}

double differenceOfReplicate(const CrcCurve& one, const CrcCurve& other, std::size_t replicate,
                             double level) {
    const std::vector<Figures>& figures = other.replicates[replicate];
    const std::vector<Figures>& scan = other.run.figures;
    // Replicates are noisier than the scan and pass the level sooner: as many iterations, not as much noise.
    const double iteration = crossing(scan, level);
    const double place = std::isnan(iteration) ? static_cast<double>(scan.size()) - 1
                                               : iteration - static_cast<double>(scan.front().iteration);
    const auto below = std::min(static_cast<std::size_t>(place), figures.size() - 1);
    const auto above = std::min(below + 1, figures.size() - 1);
    const auto between = [&](double a, double b) {
        return a + (place - static_cast<double>(below)) * (b - a);
    };
    const double noise = between(figures[below].noise, figures[above].noise);
    return crcAt(one.replicates[replicate], noise) - between(figures[below].crc, figures[above].crc);
}

const CrcCurve* CrcCurves::find(const std::string& kernel, CrcWay way) const {
    const auto found = std::find_if(curves.begin(), curves.end(), [&](const CrcCurve& curve) {
        return curve.kernel == kernel && isFourier(curve) == (way == CrcWay::Fourier);
    });
    return found != curves.end() ? &*found : nullptr;
}

double CrcCurves::crc(const std::vector<Figures>& figures, double at) const {
    return noiseFree ? figures.back().crc : crcAt(figures, at);
}

double CrcCurves::overshoot(const std::vector<Figures>& figures, double at) const {
    return noiseFree ? figures.back().overshoot : overshootAt(figures, at);
}

std::size_t CrcCurves::matched(const std::vector<Figures>& figures) const {
    if (noiseFree) {
        return figures.size() - 1;
    }
    const auto nearest =
        std::min_element(figures.begin(), figures.end(), [this](const Figures& a, const Figures& b) {
            return std::abs(a.noise - level) < std::abs(b.noise - level);
        });
    return static_cast<std::size_t>(nearest - figures.begin());
}

std::shared_ptr<const CrcCurves> crcCurves(const ExperimentContext& context) {
    return context.once<CrcCurves>("ha-crc", [&] { return makeCurves(context); });
}

}  // namespace tof
