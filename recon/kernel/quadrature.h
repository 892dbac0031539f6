// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

namespace tof {

/// Points and weights: the integral of f over a measure is the sum of weight[i] f(at[i]).
struct Quadrature {
    std::vector<double> at;
    std::vector<double> weight;

    [[nodiscard]] std::size_t size() const { return at.size(); }
    void add(double point, double itsWeight) {
        at.push_back(point);
        weight.push_back(itsWeight);
    }
};

/// Appends the Gauss-Legendre rule of `order` points of [low, high] with weights times `density`; an empty
/// range adds nothing. Exact for polynomials (the density included) up to degree 2 order - 1.
void addLegendre(Quadrature& to, double low, double high, int order,
                 const std::function<double(double)>& density);

/// The Gauss rule of a measure that `fine` stands for: `order` points, ascending, weights of sum 1, exact for
/// the moments of `fine` up to degree 2 order - 1. `fine` has more than `order` different points, no negative
/// weight and a positive sum. Symmetric when `fine` is.
[[nodiscard]] Quadrature gaussRule(const Quadrature& fine, int order);

}  // namespace tof
