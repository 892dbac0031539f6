// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/detector_response.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tof {

namespace {

// Slopes against the outward direction. The response changes fastest below pitch/depth, about 0.14, and from
// gaps that a photon may pass between to gaps that it crosses; so the table's slopes are the squares of even
// steps.
constexpr double kRootStep = 0.035;
constexpr std::size_t kTransaxialSlopes = 46;  ///< up to 2.5: 68 degrees
constexpr std::size_t kAxialSlopes = 46;
constexpr std::size_t kDepths = 17;
constexpr int kStepsPerDepth = 4;  ///< steps of the sum along a ray between two depths of the table
constexpr double kOpaque_perMm = 10;

constexpr double slopeAt(std::size_t index) {
    const double root = static_cast<double>(index) * kRootStep;
    return root * root;
}

/// Places across one pitch with their weights: crystal and gap get points of their own, so that the share of
/// the gap is exact however narrow it is.
struct Phase {
    double position;  ///< mm from the crystal's lower face
    double weight;
};

std::vector<Phase> phasesOf(double pitch, double crystal) {
    constexpr int kInCrystal = 24;
    constexpr int kInGap = 4;
    std::vector<Phase> phases;
    phases.reserve(kInCrystal + kInGap);
    for (int i = 0; i < kInCrystal; ++i) {
        phases.push_back({(i + 0.5) / kInCrystal * crystal, crystal / pitch / kInCrystal});
    }
    const double gap = pitch - crystal;
    for (int i = 0; gap > 1e-9 && i < kInGap; ++i) {
        phases.push_back({crystal + (i + 0.5) / kInGap * gap, gap / pitch / kInGap});
    }
    return phases;
}

bool inCrystal(double position, double pitch, double crystal) {
    return position - pitch * std::floor(position / pitch) < crystal;
}

/// A box of n crystals holds n - 1 gaps: the pitch that shares them out evenly.
std::array<double, 2> meanPitch(const DetectorModule& module) {
    return {2 * module.half(0) / module.count[0], 2 * module.half(1) / module.count[1]};
}

}  // namespace

double effectiveAttenuation(double attenuation_per_mm) {
    return attenuation_per_mm > 0 ? attenuation_per_mm : kOpaque_perMm;
}

ModuleResponse::ModuleResponse(const DetectorModule& module, double attenuation_per_mm)
    : pitch_(meanPitch(module)),
      crystal_(module.crystal),
      table_(kTransaxialSlopes * kAxialSlopes * kDepths, 0.0) {
    const double mu = effectiveAttenuation(attenuation_per_mm);
    for (std::size_t t = 0; t < kTransaxialSlopes; ++t) {
        for (std::size_t a = 0; a < kAxialSlopes; ++a) {
            fill(t, a, mu);
        }
    }
}

bool ModuleResponse::fits(const DetectorModule& module) const {
    constexpr double kSame_mm = 0.005;
    bool same = true;
    for (std::size_t k = 0; k < 2; ++k) {
        same = same && std::abs(meanPitch(module)[k] - pitch_[k]) < kSame_mm;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        same = same && std::abs(module.crystal[k] - crystal_[k]) < kSame_mm;
    }
    return same;
}

double& ModuleResponse::cell(std::size_t t, std::size_t a, std::size_t depth) {
    return table_[(t * kAxialSlopes + a) * kDepths + depth];
}

double ModuleResponse::at(std::size_t t, std::size_t a, std::size_t depth) const {
    return table_[(t * kAxialSlopes + a) * kDepths + depth];
}

void ModuleResponse::fill(std::size_t t, std::size_t a, double mu) {
    const double slopeT = slopeAt(t);
    const double slopeA = slopeAt(a);
    const int steps = static_cast<int>(kDepths - 1) * kStepsPerDepth;
    const double depthStep = crystal_[2] / steps;
    const double survives = std::exp(-mu * depthStep * std::sqrt(1 + slopeT * slopeT + slopeA * slopeA));
    // Whether each step lies in a crystal, of either direction alone: [phase][step].
    const std::vector<Phase> across = phasesOf(pitch_[0], crystal_[0]);
    const std::vector<Phase> along = phasesOf(pitch_[1], crystal_[1]);
    const auto crossed = [&](const std::vector<Phase>& phases, double slope, std::size_t axis) {
        std::vector<char> inside;
        inside.reserve(phases.size() * static_cast<std::size_t>(steps));
        for (const Phase& phase : phases) {
            for (int step = 0; step < steps; ++step) {
                const double depth = (step + 0.5) * depthStep;
                const bool in = inCrystal(phase.position + slope * depth, pitch_[axis], crystal_[axis]);
                inside.push_back(in ? 1 : 0);
            }
        }
        return inside;
    };
    const std::vector<char> inAcross = crossed(across, slopeT, 0);
    const std::vector<char> inAlong = crossed(along, slopeA, 1);
    for (std::size_t i = 0; i < across.size(); ++i) {
        const char* const first = inAcross.data() + i * static_cast<std::size_t>(steps);
        for (std::size_t j = 0; j < along.size(); ++j) {
            const char* const second = inAlong.data() + j * static_cast<std::size_t>(steps);
            const double weight = across[i].weight * along[j].weight;
            double left = 1;
            for (int step = 0; step < steps; ++step) {
                left *= (first[step] & second[step]) != 0 ? survives : 1.0;
                if ((step + 1) % kStepsPerDepth == 0) {
                    cell(t, a, static_cast<std::size_t>((step + 1) / kStepsPerDepth)) += weight * (1 - left);
                }
            }
        }
    }
}

double ModuleResponse::probability(const DetectorModule& module, Vec3 d, double length_mm) const {
    constexpr double kSteepest = slopeAt(std::min(kTransaxialSlopes, kAxialSlopes) - 1);
    const double outward = std::max(std::abs(dot(d, module.axes[2])), 1e-6);
    const double slopeT = std::abs(dot(d, module.axes[0])) / outward;
    const double slopeA = std::abs(dot(d, module.axes[1])) / outward;
    if (std::max(slopeT, slopeA) <= kSteepest) {
        return tabulated(slopeT, slopeA, length_mm / std::sqrt(1 + slopeT * slopeT + slopeA * slopeA));
    }
    // Beyond the table's slopes a photon crosses many crystals and gaps: what its last entry says of a mm
    // holds for the whole way.
    if (!(length_mm > 0)) {
        return 0;  // crystals that let nothing through would make 0 times infinity of it
    }
    const double lastT = std::min(slopeT, kSteepest);
    const double lastA = std::min(slopeA, kSteepest);
    const double known_mm = crystal_[2] * std::sqrt(1 + lastT * lastT + lastA * lastA);
    const double stopped = std::min(tabulated(lastT, lastA, crystal_[2]), 1.0);  // sums of weights round
    return -std::expm1(std::log1p(-stopped) * length_mm / known_mm);
}

double ModuleResponse::tabulated(double slopeT, double slopeA, double depth_mm) const {
    const auto locate = [](double v, std::size_t n) {
        const auto i = std::min(static_cast<std::size_t>(v), n - 2);
        return std::pair{i, std::min(v - static_cast<double>(i), 1.0)};
    };
    const auto [t, wt] = locate(std::sqrt(slopeT) / kRootStep, kTransaxialSlopes);
    const auto [a, wa] = locate(std::sqrt(slopeA) / kRootStep, kAxialSlopes);
    const auto [z, wz] = locate(depth_mm / crystal_[2] * (kDepths - 1), kDepths);
    const auto alongDepth = [&, z = z, wz = wz](std::size_t i, std::size_t j) {
        return (1 - wz) * at(i, j, z) + wz * at(i, j, z + 1);
    };
    return (1 - wt) * ((1 - wa) * alongDepth(t, a) + wa * alongDepth(t, a + 1)) +
           wt * ((1 - wa) * alongDepth(t + 1, a) + wa * alongDepth(t + 1, a + 1));
}

PairEfficiency::PairEfficiency(const Detector& detector, double attenuation_per_mm, RecordedShares recorded,
                               double depth_mm)
    : detector_(detector), recorded_(std::move(recorded)), depth_mm_(depth_mm) {
    averageRows();
    for (const DetectorModule& module : detector.modules()) {
        const auto known =
            std::find_if(responses_.begin(), responses_.end(),
                         [&](const ModuleResponse& response) { return response.fits(module); });
        kind_.push_back(static_cast<std::size_t>(known - responses_.begin()));
        if (known == responses_.end()) {
            responses_.emplace_back(module, attenuation_per_mm);
        }
    }
}

double PairEfficiency::along(Vec3 p, Vec3 d) const {
    const double first = one(p, d);
    return first > 0 ? first * one(p, -d) : 0.0;
}

double PairEfficiency::one(Vec3 p, Vec3 d) const {
    Passages found;
    detector_.passages(p, d, found);
    double left = 1;
    double seen = 0;
    for (std::size_t i = 0; i < found.size; ++i) {
        const ModulePassage& passage = found.list[i];
        const auto index = static_cast<std::size_t>(passage.module - detector_.modules().data());
        const double here =
            responses_[kind_[index]].probability(*passage.module, d, passage.leave - passage.enter);
        seen += left * here * columnShare(passage, p, d);
        left *= 1 - here;
    }
    return recorded_.mean * seen;
}

double PairEfficiency::columnShare(const ModulePassage& passage, Vec3 p, Vec3 d) const {
    if (recorded_.columns.empty()) {
        return 1;
    }
    const DetectorModule& module = *passage.module;
    const double outward = std::max(dot(d, module.axes[2]), 1e-6);
    const double reached = (dot(module.centre - p, module.axes[2]) + depth_mm_) / outward;
    const Vec3 at = p + std::clamp(reached, passage.enter, passage.leave) * d;
    const double place =
        0.5 * module.count[0] * (1 + dot(at - module.centre, module.axes[0]) / module.half(0));
    return recorded_.columns[static_cast<std::size_t>(std::clamp(place, 0.0, module.count[0] - 0.5))];
}

void PairEfficiency::averageRows() {
    if (recorded_.rows.empty()) {
        return;
    }
    constexpr double kUpright = 0.999;
    double low = 0;
    double high = 0;
    for (const DetectorModule& module : detector_.modules()) {
        if (std::abs(module.axes[1].z) < kUpright) {
            return;
        }
        low = std::min(low, module.centre.z - module.half(1));
        high = std::max(high, module.centre.z + module.half(1));
    }
    lowest_ = low;
    heights_.assign(static_cast<std::size_t>((high - low) / kHeightStep_mm) + 1, 0.0);
    std::vector<double> covering(heights_.size(), 0.0);
    for (const DetectorModule& module : detector_.modules()) {
        for (std::size_t i = 0; i < heights_.size(); ++i) {
            const double z = lowest_ + (static_cast<double>(i) + 0.5) * kHeightStep_mm;
            const double up = (module.axes[1].z > 0 ? 1 : -1) * (z - module.centre.z) / module.half(1);
            if (std::abs(up) <= 1) {
                const double place = std::clamp(0.5 * module.count[1] * (1 + up), 0.0, module.count[1] - 0.5);
                heights_[i] += recorded_.rows[static_cast<std::size_t>(place)];
                covering[i] += 1;
            }
        }
    }
    for (std::size_t i = 0; i < heights_.size(); ++i) {
        heights_[i] = covering[i] > 0 ? heights_[i] / covering[i] : 1.0;
    }
}

double PairEfficiency::atHeight(double z) const {
    if (heights_.empty()) {
        return 1;
    }
    const double place = (z - lowest_) / kHeightStep_mm;
    return heights_[static_cast<std::size_t>(
        std::clamp(place, 0.0, static_cast<double>(heights_.size()) - 0.5))];
}

}  // namespace tof
