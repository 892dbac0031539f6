// SPDX-License-Identifier: Apache-2.0
#include "recon/prior/temporal_penalty.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "recon/base/error.h"

namespace tof {

namespace {

/// A system whose matrix is symmetric, positive definite and 0 far from its diagonal.
struct Banded {
    std::vector<std::vector<double>> beside;  ///< [k][m] in row m + k and column m; [0] is the diagonal

    /// Makes `right` the solution, by elimination without pivots.
    void solve(std::vector<double>& right) {
        const std::size_t size = right.size();
        const auto reach = [&](std::size_t m) { return std::min(beside.size(), size - m); };
        for (std::size_t m = 0; m < size; ++m) {
            for (std::size_t k = 1; k < reach(m); ++k) {
                const double factor = beside[k][m] / beside[0][m];
                for (std::size_t l = k; l < reach(m); ++l) {
                    beside[l - k][m + k] -= factor * beside[l][m];
                }
                right[m + k] -= factor * right[m];
            }
        }
        for (std::size_t m = size; m-- > 0;) {
            for (std::size_t k = 1; k < reach(m); ++k) {
                right[m] -= beside[k][m] * right[m + k];
            }
            right[m] /= beside[0][m];
        }
    }
};

/// Newton's method for one voxel at a time.
template <class Psi>
class Ascent {
  public:
    Ascent(const Psi& psi, const std::vector<double>& seconds, const std::vector<FramePair>& pairs,
           const std::vector<double>& weights)
        : psi_(psi),
          seconds_(seconds),
          pairs_(pairs),
          weights_(weights),
          slope_(seconds.size()),
          step_(seconds.size()) {
        std::size_t width = 0;
        for (const FramePair& pair : pairs) {
            width = std::max(width, pair.other - pair.one);
        }
        curvature_.beside.assign(width + 1, std::vector<double>(seconds.size()));
    }

    void run(std::span<double> u) {
        const std::size_t count = u.size();
        const double mean = std::accumulate(u.begin(), u.end(), 0.0) / static_cast<double>(count);
        if (!(mean > 0)) {
            return;
        }
        // What has no counts goes to 0 where its neighbours let it: the logarithm keeps it a little above.
        constexpr double kNothing = 1e-9;
        made_.assign(u.begin(), u.end());
        std::vector<double> v(count);
        for (std::size_t m = 0; m < count; ++m) {
            made_[m] = std::max(made_[m], kNothing * mean);
            v[m] = 0.5 * (made_[m] + mean);
        }
        constexpr int kMost = 60;
        constexpr double kSettled = 1e-12;
        const double counts = std::inner_product(made_.begin(), made_.end(), seconds_.begin(), 0.0);
        bool more = true;
        for (int i = 0; i < kMost && more; ++i) {
            more = stepFrom(v) > kSettled * counts;
        }
        std::copy(v.begin(), v.end(), u.begin());
    }

  private:
    /// Derivatives of the objective at v, in slope_; those of second order, negative, in curvature_.
    void derive(const std::vector<double>& v) {
        const auto f = [](double value) { return static_cast<float>(value); };
        for (std::vector<double>& band : curvature_.beside) {
            std::fill(band.begin(), band.end(), 0.0);
        }
        std::vector<double>& diagonal = curvature_.beside.front();
        for (std::size_t m = 0; m < v.size(); ++m) {
            const double share = made_[m] / v[m];
            slope_[m] = seconds_[m] * (share - 1);
            diagonal[m] = seconds_[m] * share / v[m];
        }
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const auto [one, other] = pairs_[i];
            const float a = f(v[one]);
            const float b = f(v[other]);
            slope_[one] -= weights_[i] * static_cast<double>(psi_.slope(a, b));
            slope_[other] -= weights_[i] * static_cast<double>(psi_.slope(b, a));
            diagonal[one] += weights_[i] * static_cast<double>(psi_.curvature(a, b));
            diagonal[other] += weights_[i] * static_cast<double>(psi_.curvature(b, a));
            curvature_.beside[other - one][one] += weights_[i] * static_cast<double>(psi_.mixed(a, b));
        }
    }

    /// Along a line the objective is concave: it has grown while its slope is not turned by half.
    double stepFrom(std::vector<double>& v) {
        derive(v);
        step_ = slope_;
        curvature_.solve(step_);
        const double gain = std::inner_product(slope_.begin(), slope_.end(), step_.begin(), 0.0);
        double length = 1;
        for (std::size_t m = 0; m < v.size(); ++m) {
            constexpr double kInside = 0.9;
            length = step_[m] < 0 ? std::min(length, -kInside * v[m] / step_[m]) : length;
        }
        constexpr int kHalvings = 40;
        std::vector<double> next(v.size());
        for (int i = 0; i < kHalvings; ++i, length *= 0.5) {
            for (std::size_t m = 0; m < v.size(); ++m) {
                next[m] = v[m] + length * step_[m];
            }
            derive(next);
            if (std::inner_product(slope_.begin(), slope_.end(), step_.begin(), 0.0) >= -0.5 * gain) {
                break;
            }
        }
        v = next;
        return gain;
    }

    const Psi& psi_;
    const std::vector<double>& seconds_;
    const std::vector<FramePair>& pairs_;
    const std::vector<double>& weights_;
    std::vector<double> made_;
    std::vector<double> slope_;
    std::vector<double> step_;
    Banded curvature_;
};

}  // namespace

TemporalPenalty::TemporalPenalty(const Potential& potential, double beta, std::vector<double> seconds,
                                 std::vector<FramePair> pairs)
    : potential_(potential), seconds_(std::move(seconds)), pairs_(std::move(pairs)) {
    for (const auto [one, other] : pairs_) {
        if (one >= other || other >= seconds_.size()) {
            throw InternalError("a pair of frames is no pair, or not of these frames");
        }
        weights_.push_back(0.5 * beta * (seconds_[one] + seconds_[other]));
    }
}

void TemporalPenalty::maximise(std::span<double> u) const {
    std::visit(
        [&](const auto& psi) {
            if constexpr (requires { psi.mixed(0.0F, 0.0F); }) {
                Ascent(psi, seconds_, pairs_, weights_).run(u);
            } else {
                throw InternalError("a prior without an objective cannot join frames");
            }
        },
        potential_);
}

}  // namespace tof
