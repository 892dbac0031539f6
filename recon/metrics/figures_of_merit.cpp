// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/figures_of_merit.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "recon/simulate/phantom.h"

namespace tof {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
// Paper 000, section 6.1.
constexpr double kAnnulusGap_mm = 14;  // inner diameter over the sphere's
constexpr double kAnnulusThickness_mm = 8;
constexpr double kUniformDiameter_mm = 50;

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) {
        sum += v;
    }
    return values.empty() ? kMissing : sum / static_cast<double>(values.size());
}

double standardDeviation(const std::vector<double>& values) {
    if (values.size() < 2) {
        return kMissing;
    }
    const double centre = mean(values);
    double squares = 0;
    for (const double v : values) {
        squares += (v - centre) * (v - centre);
    }
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// JSON has no NaN: a missing figure is null.
nlohmann::ordered_json number(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace

FigureEvaluator::FigureEvaluator(RoiSet set, const Lattice& lattice)
    : set_(std::move(set)), lattice_(lattice) {
    for (const Roi& roi : set_.rois) {
        double outside = 0;
        voxels_.push_back(roiVoxels(roi, lattice_, &outside));
        outside_.push_back(outside);
    }
}

Figures FigureEvaluator::evaluate(int iteration, const float* image) const {
    Figures out;
    out.iteration = iteration;
    for (std::size_t i = 0; i < set_.rois.size(); ++i) {
        RoiFigures row{set_.rois[i].name, roiStatistics(voxels_[i], lattice_, image), 0, false};
        row.statistics.outsideFraction = outside_[i];
        out.rois.push_back(std::move(row));
    }
    const auto backgroundOf = [&](int group) -> const RoiStatistics* {
        for (std::size_t i = 0; i < set_.rois.size(); ++i) {
            if (set_.rois[i].role == Roi::Role::Background && set_.rois[i].group == group) {
                return &out.rois[i].statistics;
            }
        }
        return nullptr;
    };
    std::vector<double> recoveries;
    std::vector<double> noises;
    for (std::size_t i = 0; i < set_.rois.size(); ++i) {
        const RoiStatistics& target = out.rois[i].statistics;
        if (set_.rois[i].role == Roi::Role::Uniform) {
            noises.push_back(target.sd / target.mean);
        }
        const RoiStatistics* background =
            set_.rois[i].role == Roi::Role::Sphere ? backgroundOf(set_.rois[i].group) : nullptr;
        if (background != nullptr && set_.trueRatio > 0 && set_.trueRatio != 1) {
            out.rois[i].crc = (target.mean - background->mean) / background->mean / (set_.trueRatio - 1);
            out.rois[i].hasCrc = true;
            recoveries.push_back(out.rois[i].crc);
        }
    }
    out.crc = mean(recoveries);
    out.crcSd = standardDeviation(recoveries);
    out.noise = noises.empty() ? kMissing : noises.front();
    out.nsr = mean(noises);
    return out;
}

RoiSet autoRois(const std::string& phantomNameOrJson) {
    const bool described = phantomNameOrJson.starts_with('{') || phantomNameOrJson.ends_with(".json");
    const bool volumes = !described && phantomNameOrJson.find('.') != std::string::npos;
    if (volumes) {  // EMISSION,ATTENUATION files say nothing of where to measure
        return {};
    }
    const Phantom phantom = phantomNameOrJson.starts_with('{')
                                ? Phantom::fromJson(phantomNameOrJson, "phantom")
                                : Phantom::find(phantomNameOrJson);
    RoiSet set;
    double background = 0;
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.role == "background") {
            background = shape.activity;
        }
    }
    int count = 0;
    std::vector<Roi> annuli;
    double z = 0;
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.role != "sphere") {
            continue;
        }
        Roi target;
        target.name = fmt::format("sphere {}", ++count);
        target.shape = Roi::Shape::Circle;
        target.role = Roi::Role::Sphere;
        target.centre = shape.centre;
        target.radius_mm = shape.radius_mm;
        target.group = count;
        Roi annulus = target;
        annulus.name = fmt::format("background {}", count);
        annulus.shape = Roi::Shape::Annulus;
        annulus.role = Roi::Role::Background;
        annulus.innerRadius_mm = shape.radius_mm + kAnnulusGap_mm / 2;
        annulus.radius_mm = annulus.innerRadius_mm + kAnnulusThickness_mm;
        set.rois.push_back(target);
        annuli.push_back(annulus);
        z = shape.centre.z;
        set.trueRatio = background > 0 ? shape.activity / background : 0;
    }
    set.rois.insert(set.rois.end(), annuli.begin(), annuli.end());
    if (background > 0) {
        Roi uniform;
        uniform.name = "uniform";
        uniform.role = Roi::Role::Uniform;
        uniform.centre = {0, 0, z};
        uniform.radius_mm = kUniformDiameter_mm / 2;
        set.rois.push_back(uniform);
    }
    return set;
}

std::string figuresToJson(const std::vector<Figures>& figures) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Figures& f : figures) {
        nlohmann::ordered_json rois = nlohmann::ordered_json::array();
        for (const RoiFigures& roi : f.rois) {
            nlohmann::ordered_json row{{"name", roi.name},
                                       {"mean", number(roi.statistics.mean)},
                                       {"sd", number(roi.statistics.sd)},
                                       {"min", number(roi.statistics.minimum)},
                                       {"max", number(roi.statistics.maximum)},
                                       {"volume_mm3", number(roi.statistics.volume_mm3)},
                                       {"outside_fraction", number(roi.statistics.outsideFraction)}};
            if (roi.hasCrc) {
                row["crc"] = number(roi.crc);
            }
            rois.push_back(std::move(row));
        }
        list.push_back({{"iteration", f.iteration},
                        {"crc", number(f.crc)},
                        {"crc_sd", number(f.crcSd)},
                        {"noise", number(f.noise)},
                        {"nsr", number(f.nsr)},
                        {"rois", std::move(rois)}});
    }
    return nlohmann::ordered_json{{"iterations", std::move(list)}}.dump(2);
}

std::string figuresToCsv(const std::vector<Figures>& figures) {
    std::string out = "iteration,crc,crc_sd,noise,nsr";
    if (!figures.empty()) {
        for (const RoiFigures& roi : figures.front().rois) {
            out += fmt::format(",{0} mean,{0} sd", roi.name);
        }
    }
    out += '\n';
    const auto cell = [](double value) {
        return std::isfinite(value) ? fmt::format("{:.8g}", value) : std::string();
    };
    for (const Figures& f : figures) {
        out += fmt::format("{},{},{},{},{}", f.iteration, cell(f.crc), cell(f.crcSd), cell(f.noise),
                           cell(f.nsr));
        for (const RoiFigures& roi : f.rois) {
            out += fmt::format(",{},{}", cell(roi.statistics.mean), cell(roi.statistics.sd));
        }
        out += '\n';
    }
    return out;
}

}  // namespace tof
