// SPDX-License-Identifier: Apache-2.0
#include "recon/kinetics/time_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "recon/base/error.h"

namespace tof {

namespace {

/// (1 - exp(-x))/x, (1 - first)/x and (1/2 - second)/x for x >= 0: integrals of u^n exp(-x (1 - u)) over [0,
/// 1] and their like.
std::array<double, 3> decayMoments(double x) {
    constexpr double kSmall = 0.05;
    if (x < kSmall) {  // series, for the differences would cancel; the next term is below 1e-15
        std::array<double, 3> sums{};
        double term = 1;  // (-x)^n / n!
        for (int n = 0; n < 9; ++n) {
            sums[0] += term / (n + 1);
            sums[1] += term / ((n + 1) * (n + 2));
            sums[2] += term / ((n + 1) * (n + 2) * (n + 3));
            term *= -x / (n + 1);
        }
        return sums;
    }
    const double first = -std::expm1(-x) / x;
    const double second = (1 - first) / x;
    return {first, second, (0.5 - second) / x};
}

/// The slope at x[at] of the polynomial through the points (x, y).
double slopeOfPolynomial(const double* x, const double* y, std::size_t count, std::size_t at) {
    double slope = 0;
    for (std::size_t j = 0; j < count; ++j) {
        double weight = j == at ? 0 : 1 / (x[j] - x[at]);
        for (std::size_t m = 0; m < count; ++m) {
            if (j == at) {
                weight += m == at ? 0 : 1 / (x[at] - x[m]);
            } else if (m != j && m != at) {
                weight *= (x[at] - x[m]) / (x[j] - x[m]);
            }
        }
        slope += weight * y[j];
    }
    return slope;
}

/// Frames without gaps from time zero on, with means.
struct FilledFrames {
    std::vector<double> edges;
    std::vector<double> means;

    void add(double end_s, double mean) {
        edges.push_back(end_s);
        means.push_back(mean);
    }
};

FilledFrames filled(const std::vector<TimeFrame>& frames, const std::vector<double>& means) {
    constexpr double kRounded_s = 1e-6;
    FilledFrames all{{std::min(0.0, frames.front().start_s)}, {}};
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (frames[i].start_s > all.edges.back() + kRounded_s) {
            all.add(frames[i].start_s, 0.5 * ((i > 0 ? means[i - 1] : 0) + means[i]));
        }
        all.add(frames[i].end_s(), means[i]);
    }
    return all;
}

/// Calls visit(from, to, index of the frame that holds the piece, or frames.size()) for pieces between
/// breaks.
template <class Visit>
void forPieces(const std::vector<double>& breaks, const std::vector<TimeFrame>& frames, const Visit& visit) {
    std::size_t frame = 0;
    for (std::size_t i = 1; i < breaks.size(); ++i) {
        const double middle = 0.5 * (breaks[i - 1] + breaks[i]);
        while (frame < frames.size() && frames[frame].end_s() <= middle) {
            ++frame;
        }
        const bool inside = frame < frames.size() && frames[frame].start_s <= middle;
        visit(breaks[i - 1], breaks[i], inside ? frame : frames.size());
    }
}

}  // namespace

TimeCurve::TimeCurve(std::vector<double> times_s, std::vector<double> values, const std::string& source)
    : times_(std::move(times_s)), values_(std::move(values)) {
    if (times_.size() < 2 || times_.size() != values_.size()) {
        throw BadInput("{}: a curve needs at least two samples with a time and a value each", source);
    }
    for (std::size_t i = 0; i < times_.size(); ++i) {
        if (!std::isfinite(times_[i]) || !std::isfinite(values_[i])) {
            throw BadInput("{}: sample {} is not a finite number; correct it or take it away", source, i + 1);
        }
        if (i > 0 && times_[i] <= times_[i - 1]) {
            throw BadInput("{}: sample {} at {:g} s does not come after {:g} s; sort the samples", source,
                           i + 1, times_[i], times_[i - 1]);
        }
    }
}

TimeCurve TimeCurve::ofMeans(const std::vector<TimeFrame>& frames, const std::vector<double>& means) {
    constexpr std::size_t kPieces = 16;
    const FilledFrames all = filled(frames, means);
    const std::size_t edges = all.edges.size();
    std::vector<double> integral(edges, 0.0);
    for (std::size_t i = 1; i < edges; ++i) {
        integral[i] = integral[i - 1] + all.means[i - 1] * (all.edges[i] - all.edges[i - 1]);
    }
    std::vector<double> atEdge(edges);
    for (std::size_t i = 0; i < edges; ++i) {
        const std::size_t first = i < 2 ? 0 : i - 2;
        const std::size_t last = std::min(i + 2, edges - 1);
        atEdge[i] = slopeOfPolynomial(&all.edges[first], &integral[first], last - first + 1, i - first);
    }
    TimeCurve curve;
    curve.times_.push_back(all.edges[0]);
    curve.values_.push_back(atEdge[0]);
    for (std::size_t i = 0; i + 1 < edges; ++i) {
        const double rise = atEdge[i + 1] - atEdge[i];
        // The mean of u (1 - u) by straight pieces is 1/6 (1 - 1/n^2).
        const double bow =
            6 * (all.means[i] - 0.5 * (atEdge[i] + atEdge[i + 1])) / (1 - 1.0 / (kPieces * kPieces));
        for (std::size_t piece = 1; piece <= kPieces; ++piece) {
            const double u = static_cast<double>(piece) / kPieces;
            curve.times_.push_back(all.edges[i] + u * (all.edges[i + 1] - all.edges[i]));
            curve.values_.push_back(atEdge[i] + u * rise + bow * u * (1 - u));
        }
    }
    return curve;
}

double TimeCurve::at(double time_s) const {
    if (time_s < times_.front()) {
        return 0;
    }
    const auto after = std::upper_bound(times_.begin(), times_.end(), time_s);
    if (after == times_.end()) {
        return values_.back();
    }
    const auto i = static_cast<std::size_t>(after - times_.begin());
    const double u = (time_s - times_[i - 1]) / (times_[i] - times_[i - 1]);
    return values_[i - 1] + u * (values_[i] - values_[i - 1]);
}

std::vector<double> TimeCurve::breaks(const std::vector<TimeFrame>& frames) const {
    std::vector<double> all = times_;
    for (const TimeFrame& frame : frames) {
        all.push_back(frame.start_s);
        all.push_back(frame.end_s());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::vector<double> TimeCurve::means(const std::vector<TimeFrame>& frames) const {
    std::vector<double> sums(frames.size() + 1, 0.0);
    forPieces(breaks(frames), frames, [&](double from, double to, std::size_t frame) {
        const double before = to <= times_.front() ? 0 : at(from);
        sums[frame] += 0.5 * (to - from) * (before + (to <= times_.front() ? 0 : at(to)));
    });
    for (std::size_t i = 0; i < frames.size(); ++i) {
        sums[i] /= frames[i].duration_s;
    }
    sums.pop_back();
    return sums;
}

std::vector<double> TimeCurve::convolvedMeans(const std::vector<TimeFrame>& frames, double rate) const {
    std::vector<double> sums(frames.size() + 1, 0.0);
    double response = 0;  // at the start of the piece
    forPieces(breaks(frames), frames, [&](double from, double to, std::size_t frame) {
        if (to <= times_.front()) {
            return;
        }
        const double h = to - from;
        const double before = at(from);
        const double rise = at(to) - before;
        const auto [first, second, third] = decayMoments(rate * h);
        sums[frame] += h * (response * first + h * (before * second + rise * third));
        response = response * std::exp(-rate * h) + h * (before * first + rise * second);
    });
    for (std::size_t i = 0; i < frames.size(); ++i) {
        sums[i] /= frames[i].duration_s;
    }
    sums.pop_back();
    return sums;
}

}  // namespace tof
