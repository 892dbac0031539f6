// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/ha_crc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/view.h"
#include "recon/binning/analytic.h"
#include "recon/binning/binning.h"
#include "recon/experiment/labr3_scan.h"
#include "recon/experiment/own_data.h"
#include "recon/experiment/papers.h"
#include "recon/kernel/point_response.h"
#include "recon/simulate/poisson.h"
#include "recon/systems/histo/histo_measurement.h"

namespace tof {

namespace {

constexpr double kPaperNoise = 0.08;
constexpr double kDataShare = 0.5;

std::vector<CrcCurve> curvesOfPaper(const ExperimentContext& context) {
    const std::string& engine = context.engine;
    return {{"Fourier, invariant", "fftw", "invariant", 22},
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
    if (settings.engine == "fftw") {
        // The Gaussian's own transform: with that of its samples both would agree by construction.
        settings.set("spectrum", "analytic");
    }
    return settings;
}

double commonLevel(const std::vector<CrcCurve>& curves) {
    double first = 0;
    double last = std::numeric_limits<double>::infinity();
    for (const CrcCurve& curve : curves) {
        first = std::max(first, curve.run.figures.front().noise);
        last = std::min(last, curve.run.figures.back().noise);
    }
    return first <= kPaperNoise && kPaperNoise <= last ? kPaperNoise : last;
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

/// The same scan with other counts.
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
    const int iterations = context.pick(2, 16, 26);
    // Updates times relaxation are those of the full size: 26 x 120 x 0.015 = 47, and 16 x 20 x 0.15 = 48.
    const double relaxation = full || own ? 0.015 : 0.15;
    const double from = full ? kDataShare : 0.2;
    const int slice = nearestVoxel(measured->lattice(), {0, 0, 2})[2];
    all.noiseFree = !full && !own;
    all.curves = curvesOfPaper(context);
    const std::size_t replicates = full && !own ? 20 : 0;
    const double passes = static_cast<double>(all.curves.size() * (1 + replicates));
    double done = 0;
    const auto reconstructed = [&](const std::shared_ptr<const Measurement>& data, const CrcCurve& curve) {
        const double begin = from + (1 - from) * done / passes;
        const double end = from + (1 - from) * (done + 1) / passes;
        done += 1;
        return runQuietly(context, data, settingsFor(curve, iterations, relaxation), rois, slice, curve.label,
                          begin, end);
    };
    for (CrcCurve& curve : all.curves) {
        try {
            curve.run = reconstructed(measured, curve);
        } catch (const Unavailable& fault) {
            all.missing.push_back(fmt::format("{}: {}", curve.label, fault.what()));
        }
    }
    all.curves.erase(std::remove_if(all.curves.begin(), all.curves.end(),
                                    [](const CrcCurve& curve) { return curve.run.figures.empty(); }),
                     all.curves.end());
    all.level = commonLevel(all.curves);
    if (replicates > 0) {
        const auto& data = std::static_pointer_cast<const HistoMeasurement>(measured)->data();
        const ThreadPool pool(context.threads);
        for (std::uint64_t r = 1; r <= replicates; ++r) {
            all.seeds.push_back(1000 + r);
            const auto again = std::make_shared<HistoMeasurement>(resampled(*data, all.seeds.back(), pool));
            for (CrcCurve& curve : all.curves) {
                curve.replicates.push_back(reconstructed(again, curve).figures);
            }
        }
        all.seeds.insert(all.seeds.begin(), kLabr3ScanSeed);
    }
    const EventTally events = measured->events();
    all.conditions = fmt::format(
        "{}, {} views of {}, {}, RAMLA with lambda {:g}, {} iterations{}.",
        own    ? "The user's own data"
        : full ? "Phantom spheres (10 mm, 6:1, 75 mm from the axis) in the LaBr3 scanner with scatter and "
                 "randoms, corrected"
               : "Phantom spheres (10 mm, 6:1, 75 mm from the axis), expected counts of detectors of 5.8 mm "
                 "and 400 ps",
        std::static_pointer_cast<const HistoMeasurement>(measured)->data()->views.size(),
        latticeText(measured->lattice()),
        all.noiseFree ? std::string("without noise") : fmt::format("{:.4g} events", events.kept), relaxation,
        iterations, replicates > 0 ? fmt::format(", {} replicates", replicates) : std::string());
    return all;
}

}  // namespace

const CrcCurve* CrcCurves::find(const std::string& kernel, bool fourier) const {
    const auto found = std::find_if(curves.begin(), curves.end(), [&](const CrcCurve& curve) {
        return curve.kernel == kernel && (curve.engine == "fftw") == fourier;
    });
    return found != curves.end() ? &*found : nullptr;
}

double CrcCurves::crc(const std::vector<Figures>& figures) const {
    const auto figure = [](const Figures& f) { return f.crc; };
    return noiseFree ? figures.back().crc : at(figures, level, figure);
}

double CrcCurves::overshoot(const std::vector<Figures>& figures) const {
    const auto figure = [](const Figures& f) { return f.overshoot; };
    return noiseFree ? figures.back().overshoot : at(figures, level, figure);
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
