// SPDX-License-Identifier: Apache-2.0
// Curves that are linear in all but one rate: every rate of a grid is tried.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "recon/base/error.h"
#include "recon/kinetics/kinetic_model.h"
#include "recon/kinetics/weighted_pair.h"

namespace tof {

namespace {

constexpr std::size_t kRates = 1024;
constexpr std::size_t kStride = 16;  // a minimum is about as wide as rates that differ by a tenth

class BasisFit : public KineticFit {
  public:
    BasisFit(const KineticSetUp& setUp, InputKind input)
        : input_(input),
          weights_(setUp.weights),
          step_(std::log(setUp.fastest_perMin / setUp.slowest_perMin) / static_cast<double>(kRates - 1)),
          slowest_(setUp.slowest_perMin),
          first_(
              (input == InputKind::Plasma && setUp.blood ? *setUp.blood : setUp.input).means(setUp.frames)) {
        aa_ = product(first_.data(), first_.data());
        for (std::size_t i = 0; i < kRates; ++i) {
            const double perSecond = rateAt(static_cast<double>(i)) / 60;
            const std::vector<double> means = setUp.input.convolvedMeans(setUp.frames, perSecond);
            Basis& one = bases_.emplace_back();
            for (const double mean : means) {  // by the minute, as rates are
                one.means.push_back(mean / 60);
            }
            one.ab = product(first_.data(), one.means.data());
            one.bb = product(one.means.data(), one.means.data());
        }
    }

    [[nodiscard]] bool fit(const double* means, double* values) const override {
        const double ay = product(first_.data(), means);
        if (!(product(means, means) > 0)) {
            return false;
        }
        std::size_t best = 0;
        double most = -1;
        const auto look = [&](std::size_t from, std::size_t to, std::size_t stride) {
            for (std::size_t i = from; i <= to; i += stride) {
                if (const double now = explained(i, ay, means); now > most) {
                    most = now;
                    best = i;
                }
            }
        };
        look(0, kRates - 1, kStride);
        look(best < kStride ? 0 : best - kStride, std::min(best + kStride, kRates - 1), 1);
        double at = static_cast<double>(best);
        if (most < 0) {
            return false;
        }
        if (best > 0 && best + 1 < kRates) {
            const double before = explained(best - 1, ay, means);
            const double after = explained(best + 1, ay, means);
            const double bend = before - 2 * most + after;
            at += bend < 0 ? std::clamp(0.5 * (before - after) / bend, -0.5, 0.5) : 0;
        }
        return takeAt(at, best, ay, means, values);
    }

  private:
    struct Basis {
        std::vector<double> means;
        double ab = 0;
        double bb = 0;
    };

    [[nodiscard]] double product(const double* a, const double* b) const {
        return weightedProduct(weights_, a, b);
    }
    [[nodiscard]] double rateAt(double index) const { return slowest_ * std::exp(step_ * index); }

    /// The part of the squares that this rate explains; below 0 where its curve is that of `first`.
    [[nodiscard]] double explained(std::size_t i, double ay, const double* means) const {
        const double by = product(bases_[i].means.data(), means);
        std::array<double, 2> found{};
        return solvePair(aa_, bases_[i].ab, bases_[i].bb, ay, by, found) ? found[0] * ay + found[1] * by : -1;
    }

    /// Both factors between the two rates of the grid about `at`.
    [[nodiscard]] bool takeAt(double at, std::size_t best, double ay, const double* means,
                              double* values) const {
        const double apart = at - static_cast<double>(best);
        const std::size_t other = apart < 0 ? best - 1 : apart > 0 ? best + 1 : best;
        std::array<double, 2> here{};
        std::array<double, 2> there{};
        const auto solve = [&](std::size_t i, std::array<double, 2>& found) {
            return solvePair(aa_, bases_[i].ab, bases_[i].bb, ay, product(bases_[i].means.data(), means),
                             found);
        };
        if (!solve(best, here) || !solve(other, there)) {
            return false;
        }
        const double a = here[0] + std::abs(apart) * (there[0] - here[0]);
        const double b = here[1] + std::abs(apart) * (there[1] - here[1]);
        const double rate = rateAt(at);
        if (input_ == InputKind::Reference) {
            values[0] = a;
            values[1] = b + a * rate;
            values[2] = values[1] / rate - 1;
            return true;
        }
        if (!(a < 1)) {
            return false;
        }
        values[0] = b / (1 - a);
        values[1] = rate;
        values[2] = values[0] / rate;
        values[3] = a;
        return true;
    }

    InputKind input_;
    std::vector<double> weights_;
    double step_;
    double slowest_;
    std::vector<double> first_;  ///< means of the curve without a rate
    double aa_ = 0;
    std::vector<Basis> bases_;
};

}  // namespace

std::unique_ptr<const KineticFit> makeBasisFit(const KineticSetUp& setUp, InputKind input) {
    constexpr std::size_t kLeast = 4;  // three unknowns
    if (setUp.frames.size() < kLeast) {
        throw WrongUse("an image of {} frames is too short for this model; at least {} are needed",
                       setUp.frames.size(), kLeast);
    }
    if (!(setUp.slowest_perMin > 0 && setUp.slowest_perMin < setUp.fastest_perMin)) {
        throw WrongUse("rates from {:g} to {:g} 1/min are no range; give the slowest first",
                       setUp.slowest_perMin, setUp.fastest_perMin);
    }
    return std::make_unique<BasisFit>(setUp, input);
}

}  // namespace tof
