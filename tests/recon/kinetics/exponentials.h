// SPDX-License-Identifier: Apache-2.0
// Sums of exponentials: curves whose integrals and convolutions have closed forms.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "recon/data/time_frame.h"
#include "recon/kinetics/time_curve.h"

namespace tof::test {

/// Sum of factor x exp(-rate t) for t >= 0; rates in 1/s, above 0.
struct Exponentials {
    struct Term {
        double factor;
        double rate;
    };
    std::vector<Term> terms;

    [[nodiscard]] double at(double t) const {
        double sum = 0;
        for (const Term& one : terms) {
            sum += one.factor * std::exp(-one.rate * t);
        }
        return sum;
    }
    [[nodiscard]] double mean(const TimeFrame& frame) const {
        double sum = 0;
        for (const Term& one : terms) {
            sum += one.factor * std::exp(-one.rate * frame.start_s) *
                   -std::expm1(-one.rate * frame.duration_s) / (one.rate * frame.duration_s);
        }
        return sum;
    }
    [[nodiscard]] std::vector<double> means(const std::vector<TimeFrame>& frames) const {
        std::vector<double> all;
        for (const TimeFrame& frame : frames) {
            all.push_back(mean(frame));
        }
        return all;
    }
    /// Convolved with exp(-rate t); `rate` is none of the terms'.
    [[nodiscard]] Exponentials convolved(double rate) const {
        Exponentials made;
        for (const Term& one : terms) {
            made.terms.push_back({one.factor / (rate - one.rate), one.rate});
            made.terms.push_back({-one.factor / (rate - one.rate), rate});
        }
        return made;
    }
    [[nodiscard]] Exponentials times(double factor) const {
        Exponentials made = *this;
        for (Term& one : made.terms) {
            one.factor *= factor;
        }
        return made;
    }
    [[nodiscard]] Exponentials plus(const Exponentials& other) const {
        Exponentials made = *this;
        made.terms.insert(made.terms.end(), other.terms.begin(), other.terms.end());
        return made;
    }
    /// Sampled every second.
    [[nodiscard]] TimeCurve sampled(double end_s) const {
        std::vector<double> times;
        std::vector<double> values;
        for (double t = 0; t <= end_s; t += 1) {
            times.push_back(t);
            values.push_back(at(t));
        }
        return {times, values, "samples"};
    }
};

/// Plasma after an injection: rises from 0 within half a minute, and falls at three rates.
inline Exponentials plasmaLike() {
    return {{{80, 0.02}, {15, 0.002}, {5, 0.0001}, {-100, 0.1}}};
}

/// "6 x 10 s": frames one after the other.
inline std::vector<TimeFrame> framesOf(const std::vector<std::pair<int, double>>& runs) {
    std::vector<TimeFrame> frames;
    double start = 0;
    for (const auto& [count, duration] : runs) {
        for (int i = 0; i < count; ++i) {
            frames.push_back({start, duration});
            start += duration;
        }
    }
    return frames;
}
/// A scan of 90 minutes as they are common.
inline std::vector<TimeFrame> usualFrames() {
    return framesOf({{6, 10}, {4, 30}, {5, 60}, {5, 120}, {14, 300}});
}

}  // namespace tof::test
