// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/event_path.h"

#include <cmath>

#include "recon/base/constants.h"

namespace tof {

namespace {

constexpr double kPiecesPerSigma = 16;
constexpr double kMostPieces = 1024;

double density(double t) {
    return std::exp(-0.5 * t * t) / std::sqrt(2 * kPi);
}

double below(double t) {
    return 0.5 * std::erfc(-t / std::sqrt(2.0));
}

/// Value and derivatives, per sigma, of the integral over distances t of the probability that an emission
/// there is measured above an edge.
struct Edge {
    double value;
    double first;
    double second;
    double third;
};

Edge above(double t) {
    return {normalRamp(t), below(t), density(t), -t * density(t)};
}

}  // namespace

TimeTable TimeTable::of(const RayTof& tof) {
    TimeTable table;
    if (tof.count < 2) {
        return table;
    }
    const double half = 0.5 * tof.width_mm;
    const double reach = half + tof.reach_mm;
    const double count = std::ceil(2 * reach / tof.sigma_mm * kPiecesPerSigma);
    if (!(count <= kMostPieces)) {
        return table;
    }
    table.count = static_cast<int>(count);
    table.perMm = static_cast<float>(count / (2 * reach));
    const double cell = 2 * reach / count / tof.sigma_mm;  // sigmas
    for (int kind = 0; kind < 3; ++kind) {
        for (int i = 0; i < table.count; ++i) {
            const double t = (i + 0.5 - 0.5 * count) * cell;
            const double h = half / tof.sigma_mm;
            const Edge lower = above(t + h);
            const Edge upper = above(t - h);
            // The first bin has no lower edge and the last no upper one: there everything is inside.
            const Edge inside = kind == 0 ? Edge{lower.value - upper.value, lower.first - upper.first,
                                                 lower.second - upper.second, lower.third - upper.third}
                                : kind == 1
                                    ? Edge{t - upper.value, 1 - upper.first, -upper.second, -upper.third}
                                    : lower;
            table.pieces.push_back(
                {static_cast<float>(tof.sigma_mm * inside.value),
                 static_cast<float>(tof.sigma_mm * inside.first * cell),
                 static_cast<float>(tof.sigma_mm * inside.second * cell * cell / 2),
                 static_cast<float>(tof.sigma_mm * inside.third * cell * cell * cell / 6)});
        }
    }
    // Beyond the ends everything or nothing is in the outermost bins: straight lines.
    const auto n = static_cast<std::size_t>(table.count);
    for (const std::size_t end : {n, 3 * n - 1}) {
        table.pieces[end].second = 0;
        table.pieces[end].third = 0;
        table.pieces[end].first = static_cast<float>(tof.sigma_mm * cell);
    }
    return table;
}

}  // namespace tof
