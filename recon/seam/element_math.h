// SPDX-License-Identifier: Apache-2.0
// Element-wise arithmetic of the algorithms, shared by host and device (docs/model.md section 3).
#pragma once

#include <cmath>
#include <variant>

#include "recon/base/hd.h"

namespace tof {

/// Expected counts below this share of the block's mean are taken as "nothing is expected here".
inline constexpr float kExpectedFloor = 1e-9F;
/// RAMLA never shrinks a voxel below this factor in one update.
inline constexpr float kSmallestFactor = 0.1F;
/// Voxels whose sensitivity is below this share of the largest are not seen: zero at a uniform start, and
/// left as they are by updates.
inline constexpr float kSensitivityFloor = 1e-6F;

/// The floor for data of which `total` counts are expected in `size` of them.
[[nodiscard]] inline float expectedFloor(double total, double size) {
    return kExpectedFloor * static_cast<float>(total / (size > 1 ? size : 1));
}

[[nodiscard]] TOF_HD inline float expectedCounts(float projected, float mult, float add) {
    return mult * projected + add;
}

/// mult (y/e - offset) with y/e = 0 where mult = 0 or e <= floor; offset 1 or 0. Written without branches, so
/// that host compilers turn loops over it into vector code; so are the steps below.
[[nodiscard]] TOF_HD inline float weightedDiscrepancy(float y, float e, float mult, float floor,
                                                      float offset) {
    const bool expected = static_cast<int>(mult != 0.0F) & static_cast<int>(e > floor);
    const float ratio = (expected ? y : 0.0F) / (expected ? e : 1.0F);
    return mult * (ratio - offset);
}

/// What a datum adds to the log-likelihood, but for what depends on y alone.
[[nodiscard]] TOF_HD inline double logLikelihoodOf(float y, float e) {
    const bool expected = e > 0.0F;
    const double mean = expected ? static_cast<double>(e) : 1.0;
    return expected ? static_cast<double>(y) * log(mean) - mean : 0.0;
}

/// Whether the data say anything about a voxel of sensitivity s.
[[nodiscard]] TOF_HD inline bool seen(float s, float floor) {
    return static_cast<bool>(static_cast<int>(s >= floor) & static_cast<int>(s > 0.0F));
}

/// A relaxed step along a correction: x max(1 + lambda c / (s/blocks), 0.1), unchanged where s < floor.
struct RelaxedStep {
    float blocks = 1;
    float floor = 0;

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float lambda) const {
        const bool known = seen(s, floor);
        const float factor = 1.0F + lambda * c * blocks / (known ? s : 1.0F);
        const float bounded = factor > kSmallestFactor ? factor : kSmallestFactor;
        return x * (known ? bounded : 1.0F);
    }
};

/// A multiplicative step: x c / s, but not below `least` x; unchanged where s < floor.
struct RatioStep {
    float floor = 0;
    float least = 0;  ///< above 0 no voxel ends at 0 for ever

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float /*lambda*/) const {
        const bool known = seen(s, floor);
        const float next = x * (known ? c : 1.0F) / (known ? s : 1.0F);
        const float bound = least * x;
        return next > bound ? next : bound;
    }
};

/// x + step, but not below a tenth of x: so no image steps over what is expected to zeros, and no voxel to 0
/// from which data of which nothing is expected cannot bring it back.
[[nodiscard]] TOF_HD inline float stepped(float x, float step) {
    const float moved = x + step;
    const float bound = kSmallestFactor * x;
    return moved > bound ? moved : bound;
}

/// A step upwards is no longer than this many times x + delta: where little is expected one count makes a
/// gradient of any size, and what a step has overshot, steps of the size that it began with would not bring
/// back.
inline constexpr float kLargestGrowth = 10;
[[nodiscard]] TOF_HD inline float upTo(float step, float x, float delta) {
    const float most = kLargestGrowth * (x + delta);
    return step < most ? step : most;
}

/// An additive step uphill, of the size that expectation maximisation has: x + lambda blocks c (x + delta) /
/// s, not below x / 10, and upTo() upwards; unchanged where s < floor. A delta above 0 keeps 0 from being
/// final.
struct AscentStep {
    float blocks = 1;
    float floor = 0;
    float delta = 0;

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float lambda) const {
        const bool known = seen(s, floor);
        const float step = lambda * blocks * c * (x + delta) / (known ? s : 1.0F);
        const float next = stepped(x, upTo(step, x, delta));
        return known ? next : x;
    }
};

/// An additive step by sizes that were found before: x + lambda blocks c s, not below x / 10, and upTo()
/// upwards, s the voxel's size of step.
struct SizedStep {
    float blocks = 1;
    float delta = 0;

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float lambda) const {
        return stepped(x, upTo(lambda * blocks * c * s, x, delta));
    }
};

/// What AscentStep divides by where there is a prior, from its curvature x: s + x (c + delta), c the image.
struct StepDivisor {
    float delta = 0;

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float /*lambda*/) const {
        return s + x * (c + delta);
    }
};

/// SizedStep's sizes, from the prior's curvature x: (c + delta) / (s + x (c + delta)), c the image; 0 where
/// s < floor.
struct StepSize {
    float floor = 0;
    float delta = 0;

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float /*lambda*/) const {
        const bool known = seen(s, floor);
        const float from = c + delta;
        return (known ? from : 0.0F) / (known ? s + x * from : 1.0F);
    }
};

/// What one-step-late expectation maximisation divides by, from the prior's gradient c: s + c, but not below
/// `least` s; 0 where s < floor.
struct LateDivisor {
    float floor = 0;
    float least = kSmallestFactor;

    [[nodiscard]] TOF_HD float operator()(float /*x*/, float c, float s, float /*lambda*/) const {
        const bool known = seen(s, floor);
        const float bound = least * s;
        const float sum = s + c;
        return known ? (sum > bound ? sum : bound) : 0.0F;
    }
};

/// sqrt(scale s): kappa, by which a prior is as strong as the data; 0 where s < floor.
struct KappaOf {
    float floor = 0;
    float scale = 1;

    [[nodiscard]] TOF_HD float operator()(float /*x*/, float /*c*/, float s, float /*lambda*/) const {
        const bool known = seen(s, floor);
        return known ? sqrtf(scale * s) : 0.0F;
    }
};

/// A step of `length` along s from c, whatever x: as stepped().
struct StepFrom {
    float length = 1;

    [[nodiscard]] TOF_HD float operator()(float /*x*/, float c, float s, float /*lambda*/) const {
        return stepped(c, length * s);
    }
};

/// What of a gradient c can be followed at the image s: not downwards where that is `least` or less.
struct FreeGradient {
    float least = 0;

    [[nodiscard]] TOF_HD float operator()(float /*x*/, float c, float s, float /*lambda*/) const {
        return static_cast<bool>(static_cast<int>(s > least) | static_cast<int>(c > 0.0F)) ? c : 0.0F;
    }
};

/// c where s is not 0.
struct Masked {
    [[nodiscard]] TOF_HD float operator()(float /*x*/, float c, float s, float /*lambda*/) const {
        return s != 0.0F ? c : 0.0F;
    }
};

/// A residual x over its variance c, times s: x s / max(c, least); 0 where that is 0. mult (y - e) / variance
/// is what a part projects back that is not Poisson's.
struct OverVariance {
    float least = 0;

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float /*lambda*/) const {
        const float variance = c > least ? c : least;
        const bool known = variance > 0.0F;
        return (known ? x * s : 0.0F) / (known ? variance : 1.0F);
    }
};

/// What would have been recorded if all were: x / max(c, least) / s, s what is left of what was on its way;
/// 0 where that is 0.
struct PerRecorded {
    float least = 0;

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float /*lambda*/) const {
        const float whole = (c > least ? c : least) * s;
        const bool known = whole > 0.0F;
        return (known ? x : 0.0F) / (known ? whole : 1.0F);
    }
};

/// A step of values that may be negative: x + c (share x + delta) / s; unchanged where s < floor.
struct OpenStep {
    float share = 0;
    float delta = 1;
    float floor = 0;

    [[nodiscard]] TOF_HD float operator()(float x, float c, float s, float /*lambda*/) const {
        const bool known = seen(s, floor);
        return x + (known ? c : 0.0F) * (share * x + delta) / (known ? s : 1.0F);
    }
};

/// |x - c|.
struct Distance {
    [[nodiscard]] TOF_HD float operator()(float x, float c, float /*s*/, float /*lambda*/) const {
        return fabsf(x - c);
    }
};

/// How a voxel of value x changes by a correction c, a sensitivity s and a number lambda that all voxels
/// share, in one pass over memory. Host and device compile the same formula: that of a new algorithm is a
/// struct here and an entry of this list, and no space changes.
using VoxelUpdate =
    std::variant<RelaxedStep, RatioStep, AscentStep, SizedStep, StepDivisor, StepSize, LateDivisor, KappaOf,
                 StepFrom, FreeGradient, Masked, OverVariance, PerRecorded, OpenStep, Distance>;

}  // namespace tof
