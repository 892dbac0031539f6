// SPDX-License-Identifier: Apache-2.0
#include "recon/prior/temporal_penalty.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "recon/base/error.h"

namespace tof {

namespace {

/// A system whose matrix is symmetric, positive definite and has one diagonal beside its own.
struct Tridiagonal {
    std::vector<double> diagonal;
    std::vector<double> beside;

    /// Makes `right` the solution, by elimination without pivots.
    void solve(std::vector<double>& right) {
        for (std::size_t m = 1; m < right.size(); ++m) {
            const double factor = beside[m - 1] / diagonal[m - 1];
            diagonal[m] -= factor * beside[m - 1];
            right[m] -= factor * right[m - 1];
        }
        right.back() /= diagonal.back();
        for (std::size_t m = right.size() - 1; m > 0; --m) {
            right[m - 1] = (right[m - 1] - beside[m - 1] * right[m]) / diagonal[m - 1];
        }
    }
};

/// Newton's method for one voxel at a time.
template <class Psi>
class Ascent {
  public:
    Ascent(const Psi& psi, const std::vector<double>& seconds, const std::vector<double>& pairs)
        : psi_(psi), seconds_(seconds), pairs_(pairs), slope_(seconds.size()), step_(seconds.size()) {
        curvature_.beside.resize(pairs.size());
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
        curvature_.diagonal.resize(v.size());
        for (std::size_t m = 0; m < v.size(); ++m) {
            const double share = made_[m] / v[m];
            slope_[m] = seconds_[m] * (share - 1);
            curvature_.diagonal[m] = seconds_[m] * share / v[m];
        }
        for (std::size_t m = 0; m < pairs_.size(); ++m) {
            const float a = f(v[m]);
            const float b = f(v[m + 1]);
            slope_[m] -= pairs_[m] * static_cast<double>(psi_.slope(a, b));
            slope_[m + 1] -= pairs_[m] * static_cast<double>(psi_.slope(b, a));
            curvature_.diagonal[m] += pairs_[m] * static_cast<double>(psi_.curvature(a, b));
            curvature_.diagonal[m + 1] += pairs_[m] * static_cast<double>(psi_.curvature(b, a));
            curvature_.beside[m] = pairs_[m] * static_cast<double>(psi_.mixed(a, b));
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
    const std::vector<double>& pairs_;
    std::vector<double> made_;
    std::vector<double> slope_;
    std::vector<double> step_;
    Tridiagonal curvature_;
};

}  // namespace

TemporalPenalty::TemporalPenalty(const Potential& potential, double beta, std::vector<double> seconds)
    : potential_(potential), seconds_(std::move(seconds)) {
    for (std::size_t m = 0; m + 1 < seconds_.size(); ++m) {
        pairs_.push_back(0.5 * beta * (seconds_[m] + seconds_[m + 1]));
    }
}

void TemporalPenalty::maximise(std::span<double> u) const {
    std::visit(
        [&](const auto& psi) {
            if constexpr (requires { psi.mixed(0.0F, 0.0F); }) {
                Ascent(psi, seconds_, pairs_).run(u);
            } else {
                throw InternalError("a prior without an objective cannot join frames");
            }
        },
        potential_);
}

}  // namespace tof
