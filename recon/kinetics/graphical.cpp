// SPDX-License-Identifier: Apache-2.0
// Lines over late frames.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/kinetics/kinetic_model.h"
#include "recon/kinetics/weighted_pair.h"

namespace tof {

namespace {

constexpr double kMinute_s = 60;

void requireLateFrames(const KineticSetUp& setUp) {
    constexpr std::size_t kLeast = 3;  // through two points every line goes
    if (setUp.frames.size() < setUp.firstFrame + kLeast) {
        throw WrongUse(
            "{} frames begin at the start of the line or later; at least {} are needed: give an "
            "earlier --start",
            setUp.frames.size() - std::min(setUp.firstFrame, setUp.frames.size()), kLeast);
    }
}

class PatlakFit : public KineticFit {
  public:
    explicit PatlakFit(const KineticSetUp& setUp)
        : first_(setUp.firstFrame),
          weights_(setUp.weights),
          integral_(setUp.input.convolvedMeans(setUp.frames, 0)),
          input_(setUp.input.means(setUp.frames)) {
        aa_ = weightedProduct(weights_, integral_.data(), integral_.data(), first_);
        ab_ = weightedProduct(weights_, integral_.data(), input_.data(), first_);
        bb_ = weightedProduct(weights_, input_.data(), input_.data(), first_);
    }

    [[nodiscard]] bool fit(const double* means, double* values) const override {
        std::array<double, 2> found{};
        if (!solvePair(aa_, ab_, bb_, weightedProduct(weights_, integral_.data(), means, first_),
                       weightedProduct(weights_, input_.data(), means, first_), found)) {
            return false;
        }
        values[0] = found[0] * kMinute_s;
        values[1] = found[1];
        return true;
    }

  private:
    std::size_t first_;
    std::vector<double> weights_;
    std::vector<double> integral_;  ///< means of the input's integral
    std::vector<double> input_;     ///< means of the input
    double aa_ = 0;
    double ab_ = 0;
    double bb_ = 0;
};

class LoganFit : public KineticFit {
  public:
    LoganFit(const KineticSetUp& setUp, InputKind input)
        : input_(input),
          first_(setUp.firstFrame),
          weights_(setUp.weights),
          against_(setUp.input.convolvedMeans(setUp.frames, 0)) {
        if (setUp.referenceK2_perMin > 0) {
            const std::vector<double> means = setUp.input.means(setUp.frames);
            for (std::size_t i = 0; i < means.size(); ++i) {
                against_[i] += means[i] * kMinute_s / setUp.referenceK2_perMin;
            }
        }
        // Means of the integral are linear in the means of the curve.
        const std::size_t count = setUp.frames.size();
        integrals_.assign(count * count, 0.0);
        for (std::size_t j = 0; j < count; ++j) {
            std::vector<double> unit(count, 0.0);
            unit[j] = 1;
            const std::vector<double> column =
                TimeCurve::ofMeans(setUp.frames, unit).convolvedMeans(setUp.frames, 0);
            for (std::size_t i = 0; i < count; ++i) {
                integrals_[i * count + j] = column[i];
            }
        }
    }

    [[nodiscard]] bool fit(const double* means, double* values) const override {
        const std::size_t count = weights_.size();
        double ones = 0;
        double x = 0;
        double y = 0;
        double xx = 0;
        double xy = 0;
        for (std::size_t i = first_; i < count; ++i) {
            if (!(means[i] > 0)) {
                return false;
            }
            double integral = 0;
            for (std::size_t j = 0; j < count; ++j) {
                integral += integrals_[i * count + j] * means[j];
            }
            const double across = against_[i] / means[i];
            const double up = integral / means[i];
            ones += weights_[i];
            x += weights_[i] * across;
            y += weights_[i] * up;
            xx += weights_[i] * across * across;
            xy += weights_[i] * across * up;
        }
        std::array<double, 2> found{};
        if (!solvePair(xx, x, ones, xy, y, found)) {
            return false;
        }
        values[0] = found[0];
        values[1] = input_ == InputKind::Plasma ? found[1] / kMinute_s : found[0] - 1;
        return true;
    }

  private:
    InputKind input_;
    std::size_t first_;
    std::vector<double> weights_;
    std::vector<double> against_;    ///< means of the input's integral, s
    std::vector<double> integrals_;  ///< [frame][frame]: means of the integral from means of the curve
};

}  // namespace

std::unique_ptr<const KineticFit> makePatlakFit(const KineticSetUp& setUp) {
    requireLateFrames(setUp);
    return std::make_unique<PatlakFit>(setUp);
}

std::unique_ptr<const KineticFit> makeLoganFit(const KineticSetUp& setUp, InputKind input) {
    requireLateFrames(setUp);
    return std::make_unique<LoganFit>(setUp, input);
}

}  // namespace tof
