// SPDX-License-Identifier: Apache-2.0
// Arithmetic of priors, shared by host and device: what a pair of neighbouring voxels adds to a penalty.
//
//     R(x) = sum over pairs {j, k} of w_jk kappa_j kappa_k psi(x_j, x_k),   w_jk = h_x / |r_j - r_k| c_jk
//
// Each pair counts once; k are the 26 voxels around j that lie in the lattice, |r_j - r_k| is their distance
// in mm and h_x the voxel's edge along x. So a neighbour along x weighs 1 in cubic and in flat voxels. This
// is the normalisation of STIR (GibbsPenalty and RelativeDifferencePrior: weights are the x-voxel size over
// the Euclidean distance). c is 1, or where neighbours are chosen by anatomy (recon/prior/bowsher.h) the mean
// of two choices, that of j among its neighbours and that of k: so R stays one function with one gradient.
// The relative difference is that of J. Nuyts and others, IEEE Trans. Nucl. Sci. 49 (2002) 56-60,
// doi:10.1109/TNS.2002.998681, with STIR's epsilon.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "recon/base/hd.h"

namespace tof {

// A potential has psi(a, b) and its derivatives by a: `slope`, `curvature`, and by a and b: `mixed`. They are
// written without branches, so that host compilers turn loops over them into vector code.

/// (a - b)^2 / (a + b + gamma |a - b| + epsilon), of values that are not negative; 0 where all is 0.
struct RelativeDifference {
    float gamma = 2;
    float epsilon = 0;

    [[nodiscard]] TOF_HD float value(float a, float b) const {
        const float d = a - b;
        return d * d * inverse(a, b);
    }
    [[nodiscard]] TOF_HD float slope(float a, float b) const {
        const float over = inverse(a, b);
        return (a - b) * over * (1.0F + (2.0F * b + epsilon) * over);
    }
    [[nodiscard]] TOF_HD float curvature(float a, float b) const {
        const float over = inverse(a, b);
        const float share = (2.0F * b + epsilon) * over;
        return 2.0F * share * share * over;
    }
    [[nodiscard]] TOF_HD float mixed(float a, float b) const {
        const float over = inverse(a, b);
        return -2.0F * ((2.0F * a + epsilon) * over) * ((2.0F * b + epsilon) * over) * over;
    }

  private:
    /// It is finite where all is 0, too; what it multiplies is 0 there.
    [[nodiscard]] TOF_HD float inverse(float a, float b) const {
        constexpr float kLeast = 1e-37F;
        const float sum = a + b + gamma * fabsf(a - b) + epsilon;
        return 1.0F / (sum > kLeast ? sum : kLeast);
    }
};

/// scale (a - b)^2 / 2.
struct Quadratic {
    float scale = 1;

    [[nodiscard]] TOF_HD float value(float a, float b) const { return 0.5F * scale * (a - b) * (a - b); }
    [[nodiscard]] TOF_HD float slope(float a, float b) const { return scale * (a - b); }
    [[nodiscard]] TOF_HD float curvature(float /*a*/, float /*b*/) const { return scale; }
    [[nodiscard]] TOF_HD float mixed(float /*a*/, float /*b*/) const { return -scale; }
};

/// scale times (a - b)^2 / 2 up to delta, and the tangent beyond.
struct Huber {
    float scale = 1;
    float delta = 1;

    [[nodiscard]] TOF_HD float value(float a, float b) const {
        const float d = fabsf(a - b);
        return scale * (d < delta ? 0.5F * d * d : delta * (d - 0.5F * delta));
    }
    [[nodiscard]] TOF_HD float slope(float a, float b) const {
        const float d = a - b;
        const float low = d > -delta ? d : -delta;  // so written a device has one instruction for it
        return scale * (low < delta ? low : delta);
    }
    [[nodiscard]] TOF_HD float curvature(float a, float b) const {
        return fabsf(a - b) < delta ? scale : 0.0F;
    }
    [[nodiscard]] TOF_HD float mixed(float a, float b) const { return -curvature(a, b); }
};

/// exp(x) of -87 <= x <= 0, right to 2e-7 of itself; without branches and calls.
[[nodiscard]] TOF_HD inline float expOfNegative(float x) {
    const int halves = static_cast<int>(x * 1.44269504F - 0.5F);
    const auto n = static_cast<float>(halves);
    const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
    const float high = ((1.9875691500e-4F * r + 1.3981999507e-3F) * r + 8.3334519073e-3F) * r;
    const float tail = ((high + 4.1665795894e-2F) * r + 1.6666665459e-1F) * r + 5.0000001201e-1F;
    const int bits = (halves + 127) << 23;
    float power = 0;
    __builtin_memcpy(&power, &bits, sizeof(power));
    return (tail * r * r + r + 1.0F) * power;
}

/// tanh(t), right to 5e-7 of itself: a quotient of polynomials fitted to tanh(t) / t for |t| <= 8, beyond
/// which tanh is 1 to a float; without branches and calls.
[[nodiscard]] TOF_HD inline float hyperbolicTangent(float t) {
    const float above = t > -8.0F ? t : -8.0F;
    const float x = above < 8.0F ? above : 8.0F;
    const float u = x * x;
    const float over =
        ((1.1429919140937272e-5F * u + 2.9511761385947466e-3F) * u + 0.12925811111927032F) * u + 0.99999988F;
    const float under =
        (((2.459659640408063e-7F * u + 2.3868982680141926e-4F) * u + 2.3816196247935295e-2F) * u +
         0.4625902771949768F) *
            u +
        1.0F;
    return x * over * (1.0F / under);  // a reciprocal is one instruction of a device, a quotient is several
}

/// scale delta^2 log cosh((a - b) / delta): as Huber's, smooth.
struct LogCosh {
    float scale = 1;
    float delta = 1;

    [[nodiscard]] TOF_HD float value(float a, float b) const {
        constexpr float kLogTwo = 0.69314718F;
        const float t = fabsf(a - b) / delta;
        // Near 0 the logarithm would lose its digits; its series is exact to 1e-7 there.
        const float near = 0.5F * t * t * (1.0F - t * t * (1.0F / 6.0F));
        return scale * delta * delta * (t < 0.05F ? near : t + log1pf(expf(-2.0F * t)) - kLogTwo);
    }
    [[nodiscard]] TOF_HD float slope(float a, float b) const {
        return scale * delta *
               hyperbolicTangent((a - b) * (1.0F / delta));  // a quotient that all pairs share
    }
    [[nodiscard]] TOF_HD float curvature(float a, float b) const {
        const float e = falling((a - b) * (1.0F / delta));
        const float over = 1.0F / (1.0F + e);
        return scale * 4.0F * e * over * over;
    }
    [[nodiscard]] TOF_HD float mixed(float a, float b) const { return -curvature(a, b); }

  private:
    /// exp(-2 |t|), or exp(-80) beyond.
    [[nodiscard]] TOF_HD static float falling(float t) {
        const float x = -2.0F * fabsf(t);
        return expOfNegative(x > -80.0F ? x : -80.0F);
    }
};

/// sqrt((a - b)^2 + delta^2) - delta: total variation over pairs of neighbours, smooth at 0.
struct TotalVariation {
    float delta = 1;

    [[nodiscard]] TOF_HD float value(float a, float b) const {
        const float d = a - b;
        return d * d / (root(d) + delta);
    }
    [[nodiscard]] TOF_HD float slope(float a, float b) const { return (a - b) * (1.0F / root(a - b)); }
    [[nodiscard]] TOF_HD float curvature(float a, float b) const {
        const float over = 1.0F / root(a - b);
        return (delta * over) * (delta * over) * over;
    }
    [[nodiscard]] TOF_HD float mixed(float a, float b) const { return -curvature(a, b); }

  private:
    [[nodiscard]] TOF_HD float root(float d) const { return sqrtf(d * d + delta * delta); }
};

/// (x - M) / max(M, epsilon), M the median of a voxel and its 26 neighbours; beyond the lattice the voxel at
/// its edge stands. It is the gradient of nothing: one-step-late algorithms alone can use it.
struct MedianRoot {
    float epsilon = 1;

    /// Orders `values` in part.
    [[nodiscard]] TOF_HD float slope(float x, float* values) const {
        constexpr int kMiddle = 13;
        for (int i = 0; i <= kMiddle; ++i) {
            int least = i;
            for (int k = i + 1; k <= 2 * kMiddle; ++k) {
                least = values[k] < values[least] ? k : least;
            }
            const float value = values[least];
            values[least] = values[i];
            values[i] = value;
        }
        return pull(x, values[kMiddle]);
    }
    [[nodiscard]] TOF_HD float pull(float x, float median) const {
        return (x - median) / (median > epsilon ? median : epsilon);
    }
};

using Potential = std::variant<RelativeDifference, Quadratic, Huber, LogCosh, TotalVariation, MedianRoot>;

/// Who is whose neighbour, and how much that weighs. Plain, so that kernels take it.
struct Neighbourhood {
    int size[3] = {0, 0, 0};  ///< voxels along x, y, z
    /// w by the steps between two voxels: [|dx| + 2 |dy| + 4 |dz|]; the first is not used.
    float weights[8] = {0, 0, 0, 0, 0, 0, 0, 0};

    [[nodiscard]] std::size_t voxels() const {
        return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
               static_cast<std::size_t>(size[2]);
    }
};

/// Which of a voxel's neighbours are chosen, as bits of a float that is copied and never computed with: bit
/// (dx + 1) + 3 (dy + 1) + 9 (dz + 1), so that every pattern is a small number.
using NeighbourBits = std::uint32_t;
[[nodiscard]] TOF_HD constexpr int neighbourBit(int dx, int dy, int dz) {
    return dx + 1 + 3 * (dy + 1) + 9 * (dz + 1);
}
/// 1 where `bits` has `bit`, else 0.
[[nodiscard]] TOF_HD inline float chosenBy(float bits, int bit) {
    NeighbourBits all = 0;
    __builtin_memcpy(&all, &bits, sizeof(all));
    return static_cast<float>(all >> bit & 1U);
}
/// c of a pair: `bit` of the voxel's own choice is that of the neighbour, 26 - `bit` of the neighbour's that
/// of the voxel.
[[nodiscard]] TOF_HD inline float chosenShare(float own, float other, int bit) {
    return 0.5F * (chosenBy(own, bit) + chosenBy(other, 26 - bit));
}
/// Whose choice decides which neighbours a voxel adds up: its own, or theirs of it. One sum is the transpose
/// of the other.
enum class ChosenBy : std::uint8_t { Itself, Neighbours };

/// R: what Space::penalise() makes parts of.
struct Penalty {
    Potential potential;
    Neighbourhood neighbours;
};

/// What is made of a penalty in every voxel.
enum class PenaltyPart : std::uint8_t {
    Value,      ///< the voxel's half of the pairs that it is in: they sum up to R
    Gradient,   ///< dR/dx_j
    Curvature,  ///< d2R/dx_j^2, the diagonal of the Hessian
    Product     ///< sum over k of d2R/(dx_j dx_k) v_k, the Hessian times a vector
};

/// What the pair of a voxel of value a and its neighbour of value b adds, but for weights; `va` and `vb` are
/// the vector's values there.
template <PenaltyPart kPart, typename Pair>
[[nodiscard]] TOF_HD inline float pairTerm(const Pair& potential, float a, float b, float va, float vb) {
    if constexpr (kPart == PenaltyPart::Value) {
        return 0.5F * potential.value(a, b);
    } else if constexpr (kPart == PenaltyPart::Gradient) {
        return potential.slope(a, b);
    } else if constexpr (kPart == PenaltyPart::Curvature) {
        return potential.curvature(a, b);
    } else {
        return potential.curvature(a, b) * va + potential.mixed(a, b) * vb;
    }
}

}  // namespace tof
