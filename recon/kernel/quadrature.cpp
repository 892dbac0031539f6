// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/quadrature.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "recon/base/constants.h"

namespace tof {

namespace {

/// Recurrence of the orthonormal polynomials of a measure: the Jacobi matrix has `diagonal` and, beside it,
/// `beside`.
struct Jacobi {
    std::vector<double> diagonal;
    std::vector<double> beside;  ///< one fewer
};

/// Stieltjes' procedure. The measure's weights sum to 1.
Jacobi jacobiOf(const Quadrature& measure, std::size_t order) {
    const std::size_t n = measure.size();
    Jacobi result;
    std::vector<double> before(n, 0);
    std::vector<double> current(n, 1);
    for (std::size_t k = 0; k < order; ++k) {
        double mean = 0;
        for (std::size_t i = 0; i < n; ++i) {
            mean += measure.weight[i] * measure.at[i] * current[i] * current[i];
        }
        result.diagonal.push_back(mean);
        if (k + 1 == order) {
            break;
        }
        double square = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double next =
                (measure.at[i] - mean) * current[i] - (k == 0 ? 0 : result.beside.back() * before[i]);
            square += measure.weight[i] * next * next;
            before[i] = current[i];
            current[i] = next;
        }
        const double norm = std::sqrt(square);
        for (double& value : current) {
            value /= norm;
        }
        result.beside.push_back(norm);
    }
    return result;
}

/// How many eigenvalues of the Jacobi matrix lie below x (Sturm's sequence).
std::size_t eigenvaluesBelow(const Jacobi& jacobi, double x) {
    std::size_t count = 0;
    double pivot = 1;
    for (std::size_t k = 0; k < jacobi.diagonal.size(); ++k) {
        const double beside = k == 0 ? 0 : jacobi.beside[k - 1];
        pivot = jacobi.diagonal[k] - x - (k == 0 ? 0 : beside * beside / pivot);
        pivot = pivot == 0 ? -1e-300 : pivot;
        count += pivot < 0 ? 1 : 0;
    }
    return count;
}

/// The weight of the rule at one of its points: one over the sum of squares of the polynomials there.
double weightAt(const Jacobi& jacobi, double x) {
    double before = 0;
    double current = 1;
    double sum = 1;
    for (std::size_t k = 0; k + 1 < jacobi.diagonal.size(); ++k) {
        const double next =
            ((x - jacobi.diagonal[k]) * current - (k == 0 ? 0 : jacobi.beside[k - 1] * before)) /
            jacobi.beside[k];
        before = current;
        current = next;
        sum += next * next;
    }
    return 1 / sum;
}

/// Gauss-Legendre on [-1, 1] by Newton's method from Chebyshev points.
Quadrature legendre(int order) {
    Quadrature rule;
    for (int i = order; i-- > 0;) {
        double x = std::cos(kPi * (i + 0.75) / (order + 0.5));
        double slope = 1;
        for (int step = 0; step < 8; ++step) {
            double before = 1;
            double value = x;
            for (int k = 2; k <= order; ++k) {
                const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
                before = value;
                value = next;
            }
            slope = order * (x * value - before) / (x * x - 1);
            x -= value / slope;
        }
        rule.add(x, 2 / ((1 - x * x) * slope * slope));
    }
    return rule;
}

}  // namespace

void addLegendre(Quadrature& to, double low, double high, int order,
                 const std::function<double(double)>& density) {
    if (!(high > low)) {
        return;
    }
    thread_local std::map<int, Quadrature> known;
    Quadrature& rule = known[order];
    if (rule.size() == 0) {
        rule = legendre(order);
    }
    const double half = 0.5 * (high - low);
    for (std::size_t i = 0; i < rule.size(); ++i) {
        const double x = low + half * (1 + rule.at[i]);
        to.add(x, half * rule.weight[i] * density(x));
    }
}

Quadrature gaussRule(const Quadrature& fine, int order) {
    Quadrature measure = fine;
    const double sum = std::accumulate(measure.weight.begin(), measure.weight.end(), 0.0);
    for (double& w : measure.weight) {
        w /= sum;
    }
    const Jacobi jacobi = jacobiOf(measure, static_cast<std::size_t>(order));
    const auto [first, last] = std::minmax_element(measure.at.begin(), measure.at.end());
    Quadrature rule;
    for (std::size_t k = 0; k < jacobi.diagonal.size(); ++k) {
        double low = *first;
        double high = *last;
        for (int step = 0; step < 64 && low < high; ++step) {
            const double middle = 0.5 * (low + high);
            (eigenvaluesBelow(jacobi, middle) > k ? high : low) = middle;
        }
        const double x = 0.5 * (low + high);
        rule.add(x, weightAt(jacobi, x));
    }
    return rule;
}

}  // namespace tof
