// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/nema_image.h"

#include <fmt/format.h>

#include <cmath>

#include "recon/nema/small_image_quality.h"

namespace tof {

namespace {

constexpr double kEarlRatio = 10;
constexpr const char* kEarl = "EARL standards 1, accreditation specifications of January 2017";

/// The check of a recovery between its limits.
Check between(const std::string& what, const std::array<double, 2>& limits, double value) {
    return {what, within(0.5 * (limits[0] + limits[1]), 0.5 * (limits[1] - limits[0])), value, kEarl};
}

void judge(const ImageQuality& quality, double ratio, ExperimentReport& report) {
    if (std::abs(ratio / kEarlRatio - 1) > 0.1) {
        report.notes.push_back(fmt::format(
            "EARL's limits are for spheres {:g} times as active as the background; these are {:g} times.",
            kEarlRatio, ratio));
        return;
    }
    for (const SphereQuality& sphere : quality.spheres) {
        for (const EarlLimits& limits : earlLimits()) {
            if (limits.diameter_mm == sphere.diameter_mm) {
                report.checks.push_back(
                    between(sphere.name + ", mean (A50)", limits.mean, sphere.meanRecovery));
                report.checks.push_back(between(sphere.name + ", maximum", limits.max, sphere.maxRecovery));
            }
        }
    }
}

/// A sphere's contrast beside what was published of one of its size.
Comparison contrastOf(const SphereQuality& sphere, const std::vector<PublishedFigure>& published) {
    Comparison row{"Contrast recovery, " + sphere.name, "%", "", sphere.contrast, ""};
    for (const PublishedFigure& one : published) {
        if (one.key == fmt::format("contrast_{:g}", sphere.diameter_mm)) {
            row.paper = fmt::format("{:g}", one.value);
            row.remark = one.source;
        }
    }
    return row;
}

ExperimentReport smallReport(const ImageQualityRequest& request) {
    const SmallImageQuality quality = smallImageQuality(*request.image, request.phantom, request.centre);
    ExperimentReport report;
    report.conditions = fmt::format("{}, phantom {}, NEMA NU 4-2008, section 6, {}", request.name,
                                    request.phantom.name, latticeText(request.image->lattice));
    report.data.columns = {"part", "over the even part", "SD %"};
    report.comparisons = {{"Uniformity, SD", "%", "", quality.sd, ""},
                          {"Uniformity, lowest voxel", "%", "", quality.lowest, "100 is the mean"},
                          {"Uniformity, highest voxel", "%", "", quality.highest, "100 is the mean"}};
    const auto tell = [&](const std::string& what, const std::vector<SmallFigure>& figures) {
        for (const SmallFigure& figure : figures) {
            report.data.rows.push_back({figure.name, figure.value, figure.sd});
            report.comparisons.push_back(
                {what + ", " + figure.name, "", "", figure.value, fmt::format("SD {:.1f} %", figure.sd)});
        }
    };
    tell("Recovery", quality.recovery);
    tell("Spill-over", quality.spillOver);
    return report;
}

ExperimentPicture slice(const ImageQualityRequest& request, const ImageQuality& quality, double ratio) {
    constexpr int kZoom = 3;
    const Vec3 at = request.phantom.shapes.back().centre + request.centre;
    return {
        "spheres.png", "The slice through the spheres.",
        SliceMosaic{{{request.image, Plane::Transverse, at, {0, 1.1 * ratio * quality.background}, kZoom}}}};
}

}  // namespace

Experiment imageQualityExperiment(const std::string& name) {
    return {"nema", "NEMA NU 2-2018, section 7; NU 4-2008, section 6", "Image quality of " + name, "", "",
            nullptr};
}

ExperimentReport imageQualityReport(const ImageQualityRequest& request) {
    if (hasRods(request.phantom)) {
        return smallReport(request);
    }
    return imageQualityReport(request, imageQuality(*request.image, request.phantom, request.centre));
}

ExperimentReport imageQualityReport(const ImageQualityRequest& request, const ImageQuality& quality) {
    ExperimentReport report;
    report.conditions = fmt::format("{}, phantom {}, {}", request.name, request.phantom.name,
                                    latticeText(request.image->lattice));
    report.data.columns = {"mm", "contrast %", "variability %", "recovery, mean", "recovery, maximum"};
    double ratio = 0;
    double background = 0;
    for (const PhantomShape& shape : request.phantom.shapes) {
        ratio = shape.role == "sphere" ? shape.activity : ratio;
        background = shape.role == "background" ? shape.activity : background;
    }
    ratio /= background;
    for (const SphereQuality& sphere : quality.spheres) {
        report.data.rows.push_back({sphere.diameter_mm, sphere.contrast, sphere.variability,
                                    sphere.meanRecovery, sphere.maxRecovery});
        report.comparisons.push_back(contrastOf(sphere, request.published));
        report.comparisons.push_back(
            {"Background variability, " + sphere.name, "%", "", sphere.variability, ""});
    }
    if (!quality.lung.empty()) {
        report.comparisons.push_back(
            {"Residual in the lung insert, mean of slices", "%", "", quality.lungMean, ""});
    }
    report.notes.push_back(fmt::format(
        "The 60 background circles of each size keep {:g} mm from all that is no background, where the "
        "standard wants 15.",
        quality.clearance_mm));
    report.notes.push_back(
        "Recovery is over the phantom's ratio times the background that was measured; a calibration is not "
        "tested by it.");
    judge(quality, ratio, report);
    report.pictures.push_back(slice(request, quality, ratio));
    return report;
}

}  // namespace tof
