// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/detector_response.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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
constexpr std::size_t kStepsPerDepth = 4;  ///< steps of the sum along a ray between two depths of the table
constexpr std::size_t kSteps = (kDepths - 1) * kStepsPerDepth;
static_assert(kSteps == 64, "stepsWithin() has a bit for each");
/// Ones among the bits of all steps between two depths.
constexpr std::array<std::uint8_t, 1U << kStepsPerDepth> kOnes{0, 1, 1, 2, 1, 2, 2, 3,
                                                               1, 2, 2, 3, 2, 3, 3, 4};
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

/// For every phase which steps of a ray lie in a crystal, of one direction alone, the first one as the lowest
/// bit.
std::vector<std::uint64_t> stepsWithin(const std::vector<Phase>& phases, double slope, double depthStep,
                                       double pitch, double crystal) {
    std::vector<std::uint64_t> inside;
    for (const Phase& phase : phases) {
        std::uint64_t bits = 0;
        for (std::size_t step = 0; step < kSteps; ++step) {
            const double depth = (static_cast<double>(step) + 0.5) * depthStep;
            const bool in = inCrystal(phase.position + slope * depth, pitch, crystal);
            bits |= static_cast<std::uint64_t>(in) << step;
        }
        inside.push_back(bits);
    }
    return inside;
}

/// A box of n crystals holds n - 1 gaps: the pitch that shares them out evenly.
std::array<double, 2> meanPitch(const DetectorModule& module) {
    return {2 * module.half(0) / module.count[0], 2 * module.half(1) / module.count[1]};
}

}  // namespace

double effectiveAttenuation(double attenuation_per_mm) {
    return attenuation_per_mm > 0 ? attenuation_per_mm : kOpaque_perMm;
}

ModuleResponse::ModuleResponse(const DetectorModule& module, double attenuation_per_mm,
                               const ThreadPool& pool)
    : pitch_(meanPitch(module)),
      crystal_(module.crystal),
      table_(kTransaxialSlopes * kAxialSlopes * kDepths, 0.0) {
    const double mu = effectiveAttenuation(attenuation_per_mm);
    pool.forRange(kTransaxialSlopes * kAxialSlopes, 1,
                  [&](std::size_t i, std::size_t) { fill(i / kAxialSlopes, i % kAxialSlopes, mu); });
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

double ModuleResponse::at(std::size_t t, std::size_t a, std::size_t depth) const {
    return table_[(t * kAxialSlopes + a) * kDepths + depth];
}

void ModuleResponse::fill(std::size_t t, std::size_t a, double mu) {
    const double slopeT = slopeAt(t);
    const double slopeA = slopeAt(a);
    const double depthStep = crystal_[2] / kSteps;
    const double survives = std::exp(-mu * depthStep * std::sqrt(1 + slopeT * slopeT + slopeA * slopeA));
    std::array<double, kSteps + 1> left{1};  // after so many steps within crystals
    for (std::size_t n = 1; n < left.size(); ++n) {
        left[n] = left[n - 1] * survives;
    }
    const std::vector<Phase> across = phasesOf(pitch_[0], crystal_[0]);
    const std::vector<Phase> along = phasesOf(pitch_[1], crystal_[1]);
    const std::vector<std::uint64_t> inAcross =
        stepsWithin(across, slopeT, depthStep, pitch_[0], crystal_[0]);
    const std::vector<std::uint64_t> inAlong = stepsWithin(along, slopeA, depthStep, pitch_[1], crystal_[1]);
    double* const cells = &table_[(t * kAxialSlopes + a) * kDepths];
    for (std::size_t i = 0; i < across.size(); ++i) {
        for (std::size_t j = 0; j < along.size(); ++j) {
            const double weight = across[i].weight * along[j].weight;
            std::uint64_t inBoth = inAcross[i] & inAlong[j];
            std::size_t crossed = 0;
            for (std::size_t depth = 1; depth < kDepths; ++depth, inBoth >>= kStepsPerDepth) {
                crossed += kOnes[inBoth % kOnes.size()];
                cells[depth] += weight * (1 - left[crossed]);
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
                               double depth_mm, const ThreadPool& pool)
    : detector_(detector), recorded_(std::move(recorded)), depth_mm_(depth_mm) {
    averageRows();
    for (const DetectorModule& module : detector.modules()) {
        const auto known =
            std::find_if(responses_.begin(), responses_.end(),
                         [&](const ModuleResponse& response) { return response.fits(module); });
        kind_.push_back(static_cast<std::size_t>(known - responses_.begin()));
        if (known == responses_.end()) {
            responses_.emplace_back(module, attenuation_per_mm, pool);
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
