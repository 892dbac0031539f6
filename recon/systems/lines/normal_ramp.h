// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace tof {

/// The integral of the standard normal distribution function, t Phi(t) + phi(t), on the host: a Taylor
/// polynomial about the nearest of many nodes, whose error is below 5e-13.
class NormalRamp {
  public:
    [[nodiscard]] static const NormalRamp& table() {
        static const NormalRamp once;
        return once;
    }

    [[nodiscard]] double at(double t) const {
        if (!(std::abs(t) < kReach)) {
            return t < 0 ? 0 : t;
        }
        // The number is above 0, where this rounds, and std::lround would be a call.
        // NOLINTNEXTLINE(bugprone-incorrect-roundings)
        const auto node = static_cast<std::size_t>((t + kReach) * kPerUnit + 0.5);
        const Node& n = nodes_[node];
        const double d = t - (static_cast<double>(node) / kPerUnit - kReach);
        const double dd = d * d;
        return (n.value + n.first * d) + dd * ((n.second + n.third * d) + dd * (n.fourth + n.fifth * d));
    }

  private:
    /// Coefficients of a polynomial in the distance from a node.
    struct Node {
        double value;
        double first;
        double second;
        double third;
        double fourth;
        double fifth;
    };
    static constexpr double kReach = 8.5;  ///< beyond it the ramp is 0 or t to 1e-17
    static constexpr double kPerUnit = 32;

    NormalRamp() {
        const double kInverseRoot2Pi = 0.39894228040143267794;
        for (int i = 0; i <= static_cast<int>(2 * kReach * kPerUnit); ++i) {
            const double t = i / kPerUnit - kReach;
            const double below = 0.5 * std::erfc(-t / std::sqrt(2.0));
            const double density = kInverseRoot2Pi * std::exp(-0.5 * t * t);
            nodes_.push_back({t * below + density, below, density / 2, -t * density / 6,
                              (t * t - 1) * density / 24, (3 * t - t * t * t) * density / 120});
        }
    }

    std::vector<Node> nodes_;
};

}  // namespace tof
