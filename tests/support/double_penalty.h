// SPDX-License-Identifier: Apache-2.0
// The penalties of recon/prior once more, in double and as a sum over pairs: what the product is compared
// with.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/prior/prior.h"

namespace tof::test {

/// psi(a, b) of a prior for images whose unit is u: u psi(a / u, b / u), as docs/model.md section 3 has it.
inline double pairPenalty(const std::string& prior, const PriorParameters& set, double u, double a,
                          double b) {
    a /= u;
    b /= u;
    const double d = std::abs(a - b);
    if (prior == "relative-difference") {
        const double sum = a + b + set.priorGamma * d + set.priorEpsilon;
        return sum > 0 ? u * d * d / sum : 0;
    }
    if (prior == "quadratic") {
        return u * d * d / 2;
    }
    if (prior == "huber") {
        return u * (d < set.priorDelta ? d * d / 2 : set.priorDelta * (d - set.priorDelta / 2));
    }
    if (prior == "log-cosh") {
        return u * set.priorDelta * set.priorDelta * std::log(std::cosh(d / set.priorDelta));
    }
    return u * (std::sqrt(d * d + set.priorDelta * set.priorDelta) - set.priorDelta);
}

/// R of an image.
class DoublePenalty {
  public:
    /// `anatomy`: values by which set.bowsher neighbours of each voxel are chosen; empty: all count.
    DoublePenalty(std::string prior, PriorParameters set, double unit, const Lattice& lattice,
                  std::vector<double> kappa, const std::vector<double>& anatomy = {})
        : prior_(std::move(prior)), set_(set), unit_(unit), kappa_(std::move(kappa)) {
        lattice.forEachVoxel([&](int x, int y, int z) {
            for (int k = 14; k < 27; ++k) {  // half of the neighbours: each pair once
                const VoxelIndex other{x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1};
                if (lattice.contains(other)) {
                    const Vec3 way = lattice.centre(x, y, z) - lattice.centre(other);
                    const double mm = std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
                    const VoxelIndex own{x, y, z};
                    const double share = anatomy.empty() ? 1.0
                                                         : (chooses(lattice, anatomy, own, other) +
                                                            chooses(lattice, anatomy, other, own)) /
                                                               2;
                    pairs_.push_back(
                        {lattice.index(x, y, z), lattice.index(other), share * lattice.spacing_mm[0] / mm});
                }
            }
        });
    }

    [[nodiscard]] double operator()(const std::vector<double>& image) const {
        double sum = 0;
        for (const Pair& pair : pairs_) {
            sum += weight(pair) * pairPenalty(prior_, set_, unit_, image[pair.one], image[pair.other]);
        }
        return sum;
    }
    /// Central differences of it. Pairs that a voxel has no part in cancel, so they are left out.
    [[nodiscard]] std::vector<double> gradient(const std::vector<double>& image, double step) const {
        std::vector<double> result(image.size(), 0.0);
        for (const Pair& pair : pairs_) {
            const double a = image[pair.one];
            const double b = image[pair.other];
            const auto psi = [&](double da, double db) {
                return weight(pair) * pairPenalty(prior_, set_, unit_, a + da, b + db);
            };
            result[pair.one] += (psi(step, 0) - psi(-step, 0)) / (2 * step);
            result[pair.other] += (psi(0, step) - psi(0, -step)) / (2 * step);
        }
        return result;
    }
    /// Second differences: the diagonal of the Hessian, and the Hessian times a vector.
    [[nodiscard]] std::vector<double> curvature(const std::vector<double>& image, double step) const {
        std::vector<double> result(image.size(), 0.0);
        for (const Pair& pair : pairs_) {
            result[pair.one] += second(pair, image, step, {1, 0}, {1, 0});
            result[pair.other] += second(pair, image, step, {0, 1}, {0, 1});
        }
        return result;
    }
    [[nodiscard]] std::vector<double> product(const std::vector<double>& image, const std::vector<double>& v,
                                              double step) const {
        std::vector<double> result(image.size(), 0.0);
        for (const Pair& pair : pairs_) {
            const std::array<double, 2> along{v[pair.one], v[pair.other]};
            result[pair.one] += second(pair, image, step, {1, 0}, along);
            result[pair.other] += second(pair, image, step, {0, 1}, along);
        }
        return result;
    }

  private:
    /// 1 where fewer than set.bowsher neighbours of `own` come before `other`: alike, then near, then first.
    [[nodiscard]] double chooses(const Lattice& lattice, const std::vector<double>& anatomy, VoxelIndex own,
                                 VoxelIndex other) const {
        const auto rank = [&](VoxelIndex k) {
            const Vec3 way = lattice.centre(k) - lattice.centre(own);
            const double mm = std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
            return std::tuple(std::abs(anatomy[lattice.index(k)] - anatomy[lattice.index(own)]),
                              std::round(1e6 * mm), lattice.index(k));
        };
        int before = 0;
        for (int k = 0; k < 27; ++k) {
            const VoxelIndex near{own[0] + k % 3 - 1, own[1] + k / 3 % 3 - 1, own[2] + k / 9 - 1};
            before += k != 13 && lattice.contains(near) && rank(near) < rank(other) ? 1 : 0;
        }
        return before < set_.bowsher ? 1 : 0;
    }
    struct Pair {
        std::size_t one;
        std::size_t other;
        double weight;
    };
    [[nodiscard]] double weight(const Pair& pair) const {
        return pair.weight * (kappa_.empty() ? 1.0 : kappa_[pair.one] * kappa_[pair.other]);
    }
    [[nodiscard]] double second(const Pair& pair, const std::vector<double>& image, double h,
                                std::array<double, 2> u, std::array<double, 2> v) const {
        const auto psi = [&](double s, double t) {
            return pairPenalty(prior_, set_, unit_, image[pair.one] + h * (s * u[0] + t * v[0]),
                               image[pair.other] + h * (s * u[1] + t * v[1]));
        };
        return weight(pair) * (psi(1, 1) - psi(1, -1) - psi(-1, 1) + psi(-1, -1)) / (4 * h * h);
    }

    std::string prior_;
    PriorParameters set_;
    double unit_;
    std::vector<double> kappa_;
    std::vector<Pair> pairs_;
};

}  // namespace tof::test
