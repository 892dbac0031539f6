// SPDX-License-Identifier: Apache-2.0
// Priors judged: contrast at matched noise beside a filtered OSEM, even resolution by kappa, and what an
// anatomy does that is right, shifted or wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/experiment/beyond_parts.h"
#include "recon/experiment/map_parts.h"
#include "recon/experiment/papers.h"
#include "recon/metrics/gaussian_filter.h"
#include "recon/phantom/phantom.h"

namespace tof {

namespace {

constexpr const char* kEvenResolution =
    "J. A. Fessler, W. L. Rogers, IEEE Trans. Image Process. 5 (1996) 1346-1358: kappa makes resolution even";
constexpr double kFilter_mm = 5;
constexpr int kOsemIterations = 12;

/// The spheres of smallAndLargeSpheres(), which come in turn.
enum class Spheres { Small, Large };

/// Mean CRC of them.
double crcOf(const Figures& figures, Spheres which) {
    double sum = 0;
    int spheres = 0;
    int wanted = 0;
    for (const RoiFigures& roi : figures.rois) {
        if (roi.hasCrc && (spheres++ % 2 == 0) == (which == Spheres::Small)) {
            sum += roi.crc;
            ++wanted;
        }
    }
    return wanted > 0 ? sum / wanted : kMissing;
}

/// A value between those of the runs whose noises lie around `noise`; kMissing where none do. Runs are by
/// falling noise.
double atNoise(const std::vector<Figures>& runs, double noise, Spheres kind) {
    for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
        const double a = runs[i].noise;
        const double b = runs[i + 1].noise;
        if (a >= noise && noise >= b) {
            const double share = a > b ? (a - noise) / (a - b) : 0;
            return (1 - share) * crcOf(runs[i], kind) + share * crcOf(runs[i + 1], kind);
        }
    }
    return kMissing;
}

void addContrast(ExperimentReport& report, const ExperimentContext& context) {
    const std::string phantom = smallAndLargeSpheres();
    const auto data = mapData(context, phantom, context.pick(2e5, 3e6, 3e7), 0, 0.2);
    const RoiSet rois = autoRois(phantom);
    const FigureEvaluator evaluator(rois, data->lattice());
    RunSettings settings = mapSettings(context, "osem", context.pick(2, kOsemIterations, kOsemIterations), 0);
    const QuietRun osem = runQuietly(context, data, settings, std::nullopt, -1, "OSEM", 0.2, 0.3);
    const Volume filtered = gaussianFiltered(*osem.image, kFilter_mm);
    const Figures clinic = evaluator.evaluate(kOsemIterations, filtered.data.data());
    LineChart chart{"noise, % of the mean in a 50 mm circle",
                    "CRC, %",
                    {{"10 mm, along beta"},
                     {"22 mm, along beta"},
                     {"10 mm, OSEM and filter"},
                     {"22 mm, OSEM and filter"}}};
    std::vector<Figures> runs;
    constexpr double kBetas[] = {0.001, 0.003, 0.01, 0.03, 0.1};
    double at = 0.3;
    for (const double beta : kBetas) {
        const QuietRun made =
            runQuietly(context, data, mapSettings(context, "svrg", context.pick(2, 15, 20), beta),
                       std::nullopt, -1, fmt::format("beta {:g}", beta), at, at + 0.14);
        at += 0.14;
        runs.push_back(evaluator.evaluate(1, made.image->data.data()));
        const Figures& f = runs.back();
        report.data.rows.push_back({"contrast", fmt::format("beta {:g}, noise", beta), f.noise});
        report.data.rows.push_back(
            {"contrast", fmt::format("beta {:g}, CRC of 10 mm", beta), crcOf(f, Spheres::Small)});
        report.data.rows.push_back(
            {"contrast", fmt::format("beta {:g}, CRC of 22 mm", beta), crcOf(f, Spheres::Large)});
        chart.lines[0].add(100 * f.noise, 100 * crcOf(f, Spheres::Small));
        chart.lines[1].add(100 * f.noise, 100 * crcOf(f, Spheres::Large));
        report.images.push_back({fmt::format("svrg, beta {:g}", beta), made.image});
    }
    chart.lines[2].add(100 * clinic.noise, 100 * crcOf(clinic, Spheres::Small));
    chart.lines[3].add(100 * clinic.noise, 100 * crcOf(clinic, Spheres::Large));
    report.pictures.push_back({"beta.svg",
                               "Contrast recovery against noise, a point for each beta; OSEM after 12 "
                               "iterations with a filter of 5 mm is one point.",
                               std::move(chart)});
    for (const auto& [kind, size] :
         {std::pair(Spheres::Small, "10 mm"), std::pair(Spheres::Large, "22 mm")}) {
        const double with = atNoise(runs, clinic.noise, kind);
        addNumber(report, "contrast", fmt::format("CRC of {}, RDP", size), with, "",
                  fmt::format("at {:.1f} % noise", 100 * clinic.noise));
        addNumber(report, "contrast", fmt::format("CRC of {}, OSEM and filter", size), crcOf(clinic, kind));
        report.checks.push_back(
            {fmt::format("CRC of spheres of {}, RDP less OSEM with 5 mm, at its noise", size), atLeast(0),
             with - crcOf(clinic, kind), "the aim of penalised reconstruction"});
    }
}

/// Spheres of 10 mm at growing distances from the axis, where water lets ever more photons out.
std::string spheresAcross() {
    std::string shapes =
        R"({"kind":"cylinder","name":"water","role":"background","centre_mm":[0,0,0],"radius_mm":120,)"
        R"("length_mm":120,"activity":1,"mu_per_mm":0.0096})";
    for (int k = 0; k < 4; ++k) {
        const double angle = kPi * k / 2;
        const double radius = 28.0 * k;
        shapes += fmt::format(
            R"(,{{"kind":"sphere","name":"at {:g} mm","role":"sphere","centre_mm":[{:.3f},{:.3f},2],)"
            R"("radius_mm":5,"activity":2,"mu_per_mm":0.0096}})",
            radius, radius * std::cos(angle), radius * std::sin(angle));
    }
    return fmt::format(R"({{"name":"spheres across","shapes":[{}]}})", shapes);
}

void addUniformity(ExperimentReport& report, const ExperimentContext& context) {
    const std::string phantom = spheresAcross();
    const auto data = mapData(context, phantom, 0, 0, 0.2);
    const FigureEvaluator evaluator(autoRois(phantom), data->lattice());
    double spreads[2] = {};
    for (const Kappa kappa : {Kappa::On, Kappa::Off}) {
        const bool on = kappa == Kappa::On;
        RunSettings settings = mapSettings(context, "svrg", context.pick(2, 25, 30), 0.001);
        settings.set("prior", "quadratic");
        settings.kappa = kappa;
        const QuietRun made = runQuietly(context, data, settings, std::nullopt, -1,
                                         on ? "with kappa" : "without kappa", on ? 0.2 : 0.6, on ? 0.6 : 1.0);
        const Figures figures = evaluator.evaluate(1, made.image->data.data());
        double low = std::numeric_limits<double>::infinity();
        double high = 0;
        for (const RoiFigures& roi : figures.rois) {
            if (roi.hasCrc) {
                low = std::min(low, roi.crc);
                high = std::max(high, roi.crc);
                addNumber(report, on ? "with kappa" : "without kappa", "CRC " + roi.name, roi.crc);
            }
        }
        spreads[on ? 0 : 1] = 2 * (high - low) / (high + low);
    }
    report.checks.push_back({"spread of CRC of equal spheres over the field, with kappa", atMost(0.05),
                             spreads[0], kEvenResolution});
    report.checks.push_back({"spread of CRC over the field with kappa, over that without", below(0.5),
                             spreads[0] / spreads[1], kEvenResolution,
                             fmt::format("{:.3f} and {:.3f} of the mean", spreads[0], spreads[1])});
}

/// Labels of water and of the large spheres alone, moved or turned: the small ones are what no anatomy shows.
Volume anatomyOf(const std::string& phantom, const Lattice& lattice, double shift_mm, double turn_rad) {
    const Phantom all = Phantom::fromJson(phantom, "map");
    Volume labels(lattice);
    lattice.forEachVoxel([&](int x, int y, int z) {
        Vec3 p = lattice.centre(x, y, z);
        p = {std::cos(turn_rad) * p.x + std::sin(turn_rad) * p.y - shift_mm,
             std::cos(turn_rad) * p.y - std::sin(turn_rad) * p.x, p.z};
        float label = 0;
        for (std::size_t s = 0; s < all.shapes.size(); ++s) {
            const PhantomShape& shape = all.shapes[s];
            if (s == 0 ? std::hypot(p.x, p.y) < 120
                       : shape.name.rfind("large", 0) == 0 &&
                             std::hypot(std::hypot(p.x - shape.centre.x, p.y - shape.centre.y),
                                        p.z - shape.centre.z) < 11) {
                label = static_cast<float>(s + 1);
            }
        }
        labels.at(x, y, z) = label;
    });
    return labels;
}

void addAnatomy(ExperimentReport& report, const ExperimentContext& context) {
    const std::string phantom = smallAndLargeSpheres();
    const auto data = mapData(context, phantom, 0, 0, 0.2);
    const FigureEvaluator evaluator(autoRois(phantom), data->lattice());
    struct Case {
        const char* name;
        double shift_mm;
        double turn_rad;
    };
    constexpr Case kCases[] = {{"no anatomy", 0, 0},
                               {"right anatomy", 0, 0},
                               {"anatomy shifted by 4 mm", 4, 0},
                               {"wrong anatomy", 0, kPi / 3}};
    double large[4] = {};
    double at = 0.2;
    for (std::size_t i = 0; i < std::size(kCases); ++i) {
        const Case& one = kCases[i];
        RunSettings settings = mapSettings(context, "svrg", context.pick(2, 15, 20), 0.1);
        if (i > 0) {
            settings.anatomy = one.name;
            settings.keptAnatomy = {one.name,
                                    {std::make_shared<const Volume>(
                                        anatomyOf(phantom, data->lattice(), one.shift_mm, one.turn_rad))}};
        }
        const QuietRun made = runQuietly(context, data, settings, std::nullopt, -1, one.name, at, at + 0.2);
        at += 0.2;
        const Figures figures = evaluator.evaluate(1, made.image->data.data());
        large[i] = crcOf(figures, Spheres::Large);
        addNumber(report, one.name, "CRC of 22 mm, which it shows", large[i]);
        addNumber(report, one.name, "CRC of 10 mm, which it does not show", crcOf(figures, Spheres::Small),
                  "", "the bias of a lesion that no anatomy shows");
        report.images.push_back({one.name, made.image});
    }
    report.checks.push_back({"CRC of what the right anatomy shows, less that without", atLeast(0),
                             large[1] - large[0], "J. E. Bowsher and others, 2004"});
    report.checks.push_back({"CRC of what the wrong anatomy shows elsewhere, less that of the right one",
                             atMost(0), large[3] - large[1], "J. E. Bowsher and others, 2004"});
}

/// Kernelised EM beside OSEM where counts are few.
void addFewCounts(ExperimentReport& report, const ExperimentContext& context) {
    const std::string phantom = smallAndLargeSpheres();
    const auto data = mapData(context, phantom, context.pick(5e4, 2e5, 2e6), 0, 0.2);
    const FigureEvaluator evaluator(autoRois(phantom), data->lattice());
    double noises[2] = {};
    for (const char* const algorithm : {"osem", "kem"}) {
        const bool kernelised = algorithm == std::string("kem");
        RunSettings settings = mapSettings(context, algorithm, context.pick(2, 8, 8), 0);
        settings.subsets = 0;
        if (kernelised) {
            settings.anatomy = "labels";
            settings.keptAnatomy = {
                "labels", {std::make_shared<const Volume>(anatomyOf(phantom, data->lattice(), 0, 0))}};
        }
        const std::string name = fmt::format("few counts, {}", algorithm);
        const QuietRun made = runQuietly(context, data, settings, std::nullopt, -1, name,
                                         kernelised ? 0.6 : 0.2, kernelised ? 1.0 : 0.6);
        const Figures figures = evaluator.evaluate(1, made.image->data.data());
        noises[kernelised ? 1 : 0] = figures.noise;
        addNumber(report, name, "noise", figures.noise);
        addNumber(report, name, "CRC of 22 mm, which the anatomy shows", crcOf(figures, Spheres::Large));
        addNumber(report, name, "CRC of 10 mm, which it does not show", crcOf(figures, Spheres::Small));
        report.images.push_back({name, made.image});
    }
    report.checks.push_back({"noise of KEM over that of OSEM after as many iterations at few counts",
                             below(1), noises[1] / noises[0],
                             "G. Wang, J. Qi, IEEE Trans. Med. Imaging 34 (2015) 61-71"});
}

}  // namespace

ExperimentReport runMap(const ExperimentContext& context) {
    ExperimentReport report;
    report.conditions = fmt::format(
        "Spheres in water, expected counts of detectors of 5.8 mm and 400 ps; relative difference prior "
        "unless "
        "said; {}",
        context.engine);
    report.seeds = {1};
    report.data.columns = {"part", "quantity", "value"};
    addContrast(report, within(context, 0, 0.5));
    addUniformity(report, within(context, 0.5, 0.75));
    addAnatomy(report, within(context, 0.75, 0.9));
    addFewCounts(report, within(context, 0.9, 1));
    return report;
}

}  // namespace tof
