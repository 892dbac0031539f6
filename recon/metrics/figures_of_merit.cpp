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
#include "recon/base/json_text.h"
#include "recon/base/plain_text.h"
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
/// Between an annulus and what is not background: beyond half the scanner's resolution (5.8 mm FWHM) blurring
/// changes the annulus's mean by less than 0.1 %, as it reaches a small part of it.
constexpr double kAnnulusMargin_mm = 3;
constexpr double kThinnestAnnulus_mm = 2;
constexpr double kOvershootReach_mm = 10;  // reach around a sphere's edge

double mean(const std::vector<double>& values) {
    if (values.empty()) {
        return kMissing;
    }
    double above = 0;  // the first value: of equal values the mean is that value, without rounding
    for (const double v : values) {
        above += v - values.front();
    }
    return values.front() + above / static_cast<double>(values.size());
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

struct FigureEvaluator::Truth {
    std::shared_ptr<const Volume> activity;
    Figures figures;                               ///< figures of the activity
    std::vector<std::vector<std::size_t>> around;  ///< [ROI] voxels within reach of a hot sphere's edge
};

FigureEvaluator::Prepared FigureEvaluator::prepare(const Roi& roi) const {
    Prepared out;
    out.voxels = std::make_shared<const std::vector<WeightedVoxel>>(roiVoxels(roi, lattice_, &out.outside));
    return out;
}

FigureEvaluator::FigureEvaluator(RoiSet set, const Lattice& lattice, const ThreadPool& pool)
    : set_(std::move(set)), lattice_(lattice), peakSphere_(lattice) {
    for (const Roi& roi : set_.rois) {
        prepared_.push_back(prepare(roi));
    }
    prepareTruth(nullptr, pool);
}

FigureEvaluator::FigureEvaluator(RoiSet set, const FigureEvaluator& before)
    : set_(std::move(set)), lattice_(before.lattice_), peakSphere_(before.peakSphere_) {
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
    const bool sameTruth = before.truth_ != nullptr && before.set_.truth == set_.truth;
    prepareTruth(sameTruth ? before.truth_->activity : nullptr);
}

namespace {

/// The sphere of a phantom that holds a point, or null.
const PhantomShape* sphereAt(const Phantom& phantom, Vec3 point) {
    const auto found = std::find_if(
        phantom.shapes.rbegin(), phantom.shapes.rend(),
        [point](const PhantomShape& s) { return s.kind == PhantomShape::Kind::Sphere && s.contains(point); });
    return found != phantom.shapes.rend() ? &*found : nullptr;
}

/// Voxels whose centres lie within reach of a sphere's surface.
std::vector<std::size_t> voxelsAround(const PhantomShape& sphere, const Lattice& lattice) {
    std::vector<std::size_t> voxels;
    const double reach = sphere.radius_mm + kOvershootReach_mm;
    VoxelIndex low = lattice.voxelAt(sphere.centre - Vec3{reach, reach, reach});
    VoxelIndex high = lattice.voxelAt(sphere.centre + Vec3{reach, reach, reach});
    for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::max(low[k], 0);
        high[k] = std::min(high[k], lattice.size[k] - 1);
    }
    for (int z = low[2]; z <= high[2]; ++z) {
        for (int y = low[1]; y <= high[1]; ++y) {
            for (int x = low[0]; x <= high[0]; ++x) {
                if (std::abs(norm(lattice.centre(x, y, z) - sphere.centre) - sphere.radius_mm) <=
                    kOvershootReach_mm) {
                    voxels.push_back(lattice.index(x, y, z));
                }
            }
        }
    }
    return voxels;
}

}  // namespace

Volume trueActivity(const Phantom& phantom, const Lattice& lattice, const ThreadPool& pool) {
    constexpr int kPoints = 4;  // per edge of a voxel
    constexpr int kFine = 20;
    Volume activity = phantom.emissionOn(lattice, kPoints, pool);
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.kind != PhantomShape::Kind::Sphere || phantom.emission.has_value()) {
            continue;
        }
        const Vec3 corner{shape.radius_mm, shape.radius_mm, shape.radius_mm};
        VoxelIndex low = lattice.voxelAt(shape.centre - corner);
        const VoxelIndex high = lattice.voxelAt(shape.centre + corner);
        Lattice box = lattice;
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::max(low[k], 0);
            box.size[k] = std::min(high[k], lattice.size[k] - 1) - low[k] + 1;
        }
        if (std::any_of(box.size.begin(), box.size.end(), [](int n) { return n < 1; })) {
            continue;
        }
        box.origin_mm = lattice.centre(low);
        const Volume fine = phantom.emissionOn(box, kFine, pool);
        box.forEachVoxel(
            [&](int x, int y, int z) { activity.at(x + low[0], y + low[1], z + low[2]) = fine.at(x, y, z); });
    }
    return activity;
}

void FigureEvaluator::prepareTruth(std::shared_ptr<const Volume> activity, const ThreadPool& pool) {
    if (set_.truth == nullptr) {
        return;
    }
    auto truth = std::make_shared<Truth>();
    if (activity == nullptr) {
        const bool sampled = set_.activity != nullptr && set_.activity->lattice == lattice_;
        activity = sampled ? set_.activity
                           : std::make_shared<const Volume>(trueActivity(*set_.truth, lattice_, pool));
    }
    truth->activity = std::move(activity);
    truth->figures = measure(0, truth->activity->data.data());
    truth->around.resize(set_.rois.size());
    for (std::size_t i = 0; i < set_.rois.size(); ++i) {
        const Roi& roi = set_.rois[i];
        const PhantomShape* const sphere = sphereAt(*set_.truth, roi.centre);
        if (roi.role == Roi::Role::Sphere && sphere != nullptr && trueRatioOf(roi) > 1) {
            truth->around[i] = voxelsAround(*sphere, lattice_);
        }
    }
    truth_ = std::move(truth);
}

double FigureEvaluator::backgroundOf(const Roi& sphere, const std::vector<RoiFigures>& measured) const {
    const auto meanOf = [&](int group) {
        std::vector<double> means;
        for (std::size_t i = 0; i < set_.rois.size(); ++i) {
            const Roi& roi = set_.rois[i];
            if (roi.role == Roi::Role::Background && (group < 0 ? roi.group < 0 : roi.group == group)) {
                means.push_back(measured[i].statistics.mean);
            }
        }
        return mean(means);
    };
    const double own = meanOf(sphere.group);
    return std::isnan(own) ? meanOf(-1) : own;
}

Figures FigureEvaluator::evaluate(int iteration, const float* image) const {
    Figures out = measure(iteration, image);
    if (truth_ == nullptr) {
        return out;
    }
    std::vector<double> overshoots;
    for (std::size_t i = 0; i < set_.rois.size(); ++i) {
        const RoiFigures& known = truth_->figures.rois[i];
        RoiFigures& row = out.rois[i];
        row.trueCrc = known.hasCrc ? known.crc : kMissing;
        const std::vector<std::size_t>& around = truth_->around[i];
        const double value = trueRatioOf(set_.rois[i]) * backgroundOf(set_.rois[i], out.rois);
        if (!around.empty() && value > 0) {
            const auto peak =
                std::max_element(around.begin(), around.end(),
                                 [image](std::size_t a, std::size_t b) { return image[a] < image[b]; });
            row.overshoot = static_cast<double>(image[*peak]) / value;
            overshoots.push_back(row.overshoot);
        }
    }
    out.trueCrc = truth_->figures.crc;
    out.overshoot = mean(overshoots);
    return out;
}

Figures FigureEvaluator::measure(int iteration, const float* image) const {
    Figures out;
    out.iteration = iteration;
    for (std::size_t i = 0; i < set_.rois.size(); ++i) {
        RoiFigures row;
        row.name = set_.rois[i].name;
        row.statistics = roiStatistics(*prepared_[i].voxels, lattice_, image);
        row.statistics.outsideFraction = prepared_[i].outside;
        const auto peak = peakSphere_.hottest(*prepared_[i].voxels, image);
        row.peak = peak ? peak->mean : kMissing;
        out.rois.push_back(std::move(row));
    }
    std::vector<double> uniforms;
    for (std::size_t i = 0; i < set_.rois.size(); ++i) {
        if (set_.rois[i].role == Roi::Role::Uniform) {
            uniforms.push_back(out.rois[i].statistics.mean);
        }
    }
    const double uniform = mean(uniforms);  // NaN when there are none
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
        const double ratio = trueRatioOf(roi);
        const double background = backgroundOf(roi, out.rois);
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

/// How far a circle about a sphere may reach before it leaves the background or meets another shape in it.
double roomAround(const Phantom& phantom, const PhantomShape& sphere) {
    double room = std::numeric_limits<double>::infinity();
    for (const PhantomShape& shape : phantom.shapes) {
        if (&shape == &sphere || shape.kind == PhantomShape::Kind::Point) {
            continue;
        }
        const double distance = shape.distance(sphere.centre);
        const bool holds = shape.role == "background" && distance < 0;
        room = std::min(room, holds ? -distance : std::max(0.0, distance));
    }
    return room;
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

/// Numbers that are left out where the truth is not known.
constexpr const char* kTrueCrc = "true_crc";
constexpr const char* kOvershoot = "overshoot";
/// Left out where no sphere lies in the image.
constexpr const char* kPeak = "peak";

template <class Row>
void writeTruth(const Row& figures, nlohmann::ordered_json& row) {
    for (const auto& [key, value] : {std::pair{kTrueCrc, figures.trueCrc}, {kOvershoot, figures.overshoot}}) {
        if (std::isfinite(value)) {
            row[key] = value;
        }
    }
}

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
    roi.trueCrc = numberAt(row, kTrueCrc);
    roi.overshoot = numberAt(row, kOvershoot);
    roi.peak = numberAt(row, kPeak);
    return roi;
}

}  // namespace

std::string roiSetToJson(const RoiSet& set) {
    nlohmann::ordered_json root;
    if (set.trueRatio > 0) {
        root["true_ratio"] = set.trueRatio;
    }
    root["rois"] = parseOrderedJson(roisToJson(set.rois), "ROIs")["rois"];
    return jsonText(root, 2) + "\n";
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
    RoiSet set;
    set.truth = std::make_shared<const Phantom>(Phantom::fromNameOrText(phantomNameOrJson, "phantom"));
    const Phantom& phantom = *set.truth;
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
        annulus.radius_mm = std::clamp(roomAround(phantom, shape) - kAnnulusMargin_mm,
                                       annulus.innerRadius_mm + kThinnestAnnulus_mm,
                                       annulus.innerRadius_mm + kAnnulusThickness_mm);
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

nlohmann::ordered_json figuresJson(const std::vector<Figures>& figures) {
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
            if (std::isfinite(roi.peak)) {
                row[kPeak] = roi.peak;
            }
            writeTruth(roi, row);
            rois.push_back(std::move(row));
        }
        nlohmann::ordered_json row{{"iteration", f.iteration}};
        for (const auto& [key, member] : kFigures) {
            row[key] = f.*member;
        }
        writeTruth(f, row);
        row["rois"] = std::move(rois);
        list.push_back(std::move(row));
    }
    nlohmann::ordered_json object;
    object["iterations"] = std::move(list);
    return object;
}

std::string figuresToJson(const std::vector<Figures>& figures) {
    return jsonText(figuresJson(figures), 2);
}

std::vector<Figures> figuresFromJson(const std::string& text) {
    std::vector<Figures> all;
    for (const auto& row : listAt(tryJson(text), "iterations")) {
        Figures f;
        const double iteration = numberAt(row, "iteration");
        f.iteration = std::isfinite(iteration) ? static_cast<int>(iteration) : 0;
        for (const auto& [key, member] : kFigures) {
            f.*member = numberAt(row, key);
        }
        f.trueCrc = numberAt(row, kTrueCrc);
        f.overshoot = numberAt(row, kOvershoot);
        for (const auto& roi : listAt(row, "rois")) {
            f.rois.push_back(roiFiguresFrom(roi));
        }
        all.push_back(std::move(f));
    }
    return all;
}

std::string figureText(double value) {
    return std::isfinite(value) ? fmt::format("{:.4f}", value) : std::string("-");
}

std::string figuresToCsv(const std::vector<Figures>& figures) {
    std::string out = "iteration,crc,crc_sd,noise,nsr";
    const bool known = !figures.empty() && std::isfinite(figures.front().trueCrc);
    if (known) {
        out += fmt::format(",{},{}", kTrueCrc, kOvershoot);
    }
    if (!figures.empty()) {
        for (const RoiFigures& roi : figures.front().rois) {
            out += fmt::format(",{},{}", csvCell(roi.name + " mean"), csvCell(roi.name + " sd"));
        }
    }
    out += '\n';
    const auto cell = [](double value) {
        return std::isfinite(value) ? fmt::format("{:.8g}", value) : std::string();
    };
    for (const Figures& f : figures) {
        out += fmt::format("{},{},{},{},{}", f.iteration, cell(f.crc), cell(f.crcSd), cell(f.noise),
                           cell(f.nsr));
        if (known) {
            out += fmt::format(",{},{}", cell(f.trueCrc), cell(f.overshoot));
        }
        for (const RoiFigures& roi : f.rois) {
            out += fmt::format(",{},{}", cell(roi.statistics.mean), cell(roi.statistics.sd));
        }
        out += '\n';
    }
    return out;
}

}  // namespace tof
