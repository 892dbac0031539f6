// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/figures_of_merit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "recon/base/constants.h"
#include "recon/base/json_fields.h"
#include "recon/phantom/phantom.h"

namespace tof {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
// Paper 000, section 6.1.
constexpr double kAnnulusGap_mm = 14;  // inner diameter over the sphere's
constexpr double kAnnulusThickness_mm = 8;
constexpr double kUniformDiameter_mm = 50;
constexpr double kUniformMargin_mm = 10;  // between the uniform circle and anything else, for blurring
constexpr double kUniformSearch_mm = 400;

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

}  // namespace

FigureEvaluator::Prepared FigureEvaluator::prepare(const Roi& roi) const {
    Prepared out;
    out.voxels = std::make_shared<const std::vector<WeightedVoxel>>(roiVoxels(roi, lattice_, &out.outside));
    return out;
}

FigureEvaluator::FigureEvaluator(RoiSet set, const Lattice& lattice)
    : set_(std::move(set)), lattice_(lattice) {
    for (const Roi& roi : set_.rois) {
        prepared_.push_back(prepare(roi));
    }
}

FigureEvaluator::FigureEvaluator(RoiSet set, const FigureEvaluator& before)
    : set_(std::move(set)), lattice_(before.lattice_) {
    const auto& old = before.set_.rois;
    for (std::size_t i = 0; i < set_.rois.size(); ++i) {
        const Roi& roi = set_.rois[i];
        // Most edits keep the order; a removed ROI moves the others.
        const auto same = i < old.size() && sameExtent(old[i], roi)
                              ? old.begin() + static_cast<std::ptrdiff_t>(i)
                              : std::find_if(old.begin(), old.end(),
                                             [&](const Roi& other) { return sameExtent(other, roi); });
        prepared_.push_back(same != old.end() ? before.prepared_[static_cast<std::size_t>(same - old.begin())]
                                              : prepare(roi));
    }
}

Figures FigureEvaluator::evaluate(int iteration, const float* image) const {
    Figures out;
    out.iteration = iteration;
    for (std::size_t i = 0; i < set_.rois.size(); ++i) {
        RoiFigures row;
        row.name = set_.rois[i].name;
        row.statistics = roiStatistics(*prepared_[i].voxels, lattice_, image);
        row.statistics.outsideFraction = prepared_[i].outside;
        out.rois.push_back(std::move(row));
    }
    const auto meanOf = [&](Roi::Role role, const auto& counts) {  // NaN when there are none
        std::vector<double> means;
        for (std::size_t i = 0; i < set_.rois.size(); ++i) {
            if (set_.rois[i].role == role && counts(set_.rois[i])) {
                means.push_back(out.rois[i].statistics.mean);
            }
        }
        return mean(means);
    };
    const double uniform = meanOf(Roi::Role::Uniform, [](const Roi&) { return true; });
    std::vector<double> recoveries;
    std::vector<double> noises;
    for (std::size_t i = 0; i < set_.rois.size(); ++i) {
        const Roi& roi = set_.rois[i];
        RoiFigures& row = out.rois[i];
        if (roi.role == Roi::Role::Uniform) {
            noises.push_back(row.statistics.sd / row.statistics.mean);
        }
        // A set without a ratio says 0; a sphere of its own may truly have 0.
        const bool known = roi.trueRatio ? *roi.trueRatio != 1 : set_.trueRatio > 0 && set_.trueRatio != 1;
        if (roi.role != Roi::Role::Sphere || !known) {
            continue;
        }
        const double ratio = roi.trueRatio.value_or(set_.trueRatio);
        double background =
            meanOf(Roi::Role::Background, [&](const Roi& other) { return other.group == roi.group; });
        if (std::isnan(background)) {
            background = meanOf(Roi::Role::Background, [](const Roi& other) { return other.group < 0; });
        }
        if (!std::isnan(background)) {
            row.crc = (row.statistics.mean - background) / background / (ratio - 1);
            row.hasCrc = true;
            recoveries.push_back(row.crc);
        }
        if (!std::isnan(uniform)) {
            row.contrastRecovery = (row.statistics.mean / uniform - 1) / (ratio - 1);
            row.hasContrastRecovery = true;
        }
    }
    out.crc = mean(recoveries);
    out.crcSd = standardDeviation(recoveries);
    out.noise = noises.empty() ? kMissing : noises.front();
    out.nsr = mean(noises);
    return out;
}

namespace {

/// True when a disk in the slice of its centre lies in shapes of role background alone.
bool onlyBackground(const Phantom& phantom, Vec3 centre, double radius_mm) {
    constexpr int kRings = 7;
    constexpr int kAngles = 72;
    for (int ring = 0; ring <= kRings; ++ring) {
        for (int i = 0; i < kAngles; ++i) {
            const double angle = 2 * kPi * i / kAngles;
            const double r = radius_mm * ring / kRings;
            const Vec3 p = centre + r * Vec3{std::cos(angle), std::sin(angle), 0};
            // The last shape that holds a point says what is there.
            const auto top = std::find_if(phantom.shapes.rbegin(), phantom.shapes.rend(),
                                          [p](const PhantomShape& shape) { return shape.contains(p); });
            if (top == phantom.shapes.rend() || top->role != "background") {
                return false;
            }
        }
    }
    return true;
}

/// The place nearest to the axis where the uniform circle has background around it; the axis when there is
/// none.
Vec3 uniformPlace(const Phantom& phantom, double z) {
    constexpr int kAngles = 12;
    const double radius = kUniformDiameter_mm / 2 + kUniformMargin_mm;
    for (double away = 0; away <= kUniformSearch_mm; away += 1) {
        for (int i = 0; i < (away > 0 ? kAngles : 1); ++i) {
            const double angle = 2 * kPi * i / kAngles;
            const Vec3 place{away * std::cos(angle), away * std::sin(angle), z};
            if (onlyBackground(phantom, place, radius)) {
                return place;
            }
        }
    }
    return {0, 0, z};
}

/// Numbers of figures as JSON has them, in its order.
constexpr std::array<std::pair<const char*, double RoiStatistics::*>, 8> kStatistics{
    {{"mean", &RoiStatistics::mean},
     {"sd", &RoiStatistics::sd},
     {"min", &RoiStatistics::minimum},
     {"max", &RoiStatistics::maximum},
     {"total", &RoiStatistics::total},
     {"voxels", &RoiStatistics::weight},
     {"volume_mm3", &RoiStatistics::volume_mm3},
     {"outside_fraction", &RoiStatistics::outsideFraction}}};
constexpr std::array<std::pair<const char*, double Figures::*>, 4> kFigures{{{"crc", &Figures::crc},
                                                                             {"crc_sd", &Figures::crcSd},
                                                                             {"noise", &Figures::noise},
                                                                             {"nsr", &Figures::nsr}}};

/// kMissing where there is none.
double numberAt(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : kMissing;
}

/// An empty list where there is none.
nlohmann::json listAt(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_array() ? *found : nlohmann::json::array();
}

RoiFigures roiFiguresFrom(const nlohmann::json& row) {
    RoiFigures roi;
    const auto name = row.find("name");
    roi.name = name != row.end() && name->is_string() ? name->get<std::string>() : std::string();
    for (const auto& [key, member] : kStatistics) {
        roi.statistics.*member = numberAt(row, key);
    }
    roi.hasCrc = row.contains("crc");
    roi.crc = roi.hasCrc ? numberAt(row, "crc") : 0;
    roi.hasContrastRecovery = row.contains("contrast_recovery");
    roi.contrastRecovery = roi.hasContrastRecovery ? numberAt(row, "contrast_recovery") : 0;
    return roi;
}

}  // namespace

std::string roiSetToJson(const RoiSet& set) {
    nlohmann::ordered_json root;
    if (set.trueRatio > 0) {
        root["true_ratio"] = set.trueRatio;
    }
    root["rois"] = nlohmann::ordered_json::parse(roisToJson(set.rois))["rois"];
    return root.dump(2) + "\n";
}

RoiSet roiSetFromJson(const std::string& text, const std::string& source) {
    RoiSet set;
    set.rois = roisFromJson(text, source);
    const nlohmann::json root = parseJson(text, source);
    if (root.is_object()) {
        set.trueRatio = JsonFields(root, source, {"true_ratio", "rois"}).number("true_ratio", 0, 0, 1e9);
    }
    return set;
}

RoiSet autoRois(const std::string& phantomNameOrJson) {
    const bool described = phantomNameOrJson.starts_with('{') || phantomNameOrJson.ends_with(".json");
    const bool volumes = !described && phantomNameOrJson.find('.') != std::string::npos;
    if (volumes) {  // EMISSION,ATTENUATION files say nothing of where to measure
        return {};
    }
    const Phantom phantom = Phantom::fromNameOrText(phantomNameOrJson, "phantom");
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
        const double ratio = background > 0 ? shape.activity / background : 0;
        // The set's ratio is that of the first hot sphere; others, cold ones among them, carry their own.
        if (set.trueRatio == 0) {
            set.trueRatio = ratio;
        }
        if (background > 0 && (ratio != set.trueRatio || ratio == 0)) {
            set.rois.back().trueRatio = ratio;
        }
    }
    set.rois.insert(set.rois.end(), annuli.begin(), annuli.end());
    if (background > 0) {
        Roi uniform;
        uniform.name = "uniform";
        uniform.role = Roi::Role::Uniform;
        uniform.centre = uniformPlace(phantom, z);
        uniform.radius_mm = kUniformDiameter_mm / 2;
        set.rois.push_back(uniform);
    }
    return set;
}

std::string figuresToJson(const std::vector<Figures>& figures) {
    // NaN, a missing figure, is written as null.
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Figures& f : figures) {
        nlohmann::ordered_json rois = nlohmann::ordered_json::array();
        for (const RoiFigures& roi : f.rois) {
            nlohmann::ordered_json row{{"name", roi.name}};
            for (const auto& [key, member] : kStatistics) {
                row[key] = roi.statistics.*member;
            }
            if (roi.hasCrc) {
                row["crc"] = roi.crc;
            }
            if (roi.hasContrastRecovery) {
                row["contrast_recovery"] = roi.contrastRecovery;
            }
            rois.push_back(std::move(row));
        }
        nlohmann::ordered_json row{{"iteration", f.iteration}};
        for (const auto& [key, member] : kFigures) {
            row[key] = f.*member;
        }
        row["rois"] = std::move(rois);
        list.push_back(std::move(row));
    }
    return nlohmann::ordered_json{{"iterations", std::move(list)}}.dump(2);
}

std::vector<Figures> figuresFromJson(const std::string& text) {
    std::vector<Figures> all;
    for (const auto& row : listAt(nlohmann::json::parse(text, nullptr, false), "iterations")) {
        Figures f;
        const double iteration = numberAt(row, "iteration");
        f.iteration = std::isfinite(iteration) ? static_cast<int>(iteration) : 0;
        for (const auto& [key, member] : kFigures) {
            f.*member = numberAt(row, key);
        }
        for (const auto& roi : listAt(row, "rois")) {
            f.rois.push_back(roiFiguresFrom(roi));
        }
        all.push_back(std::move(f));
    }
    return all;
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
