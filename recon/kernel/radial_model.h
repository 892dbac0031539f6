// SPDX-License-Identifier: Apache-2.0
// The radial profile of an SR kernel as plain numbers, evaluated alike on host and device (docs/model.md
// section 2).
#pragma once

#include <cmath>

#include "recon/base/hd.h"

namespace tof {

/// exp(-d^2 / (2 sigma^2)).
[[nodiscard]] TOF_HD inline double gaussianAt(double distance, double sigma) {
    const double scaled = distance / sigma;
    return exp(-0.5 * scaled * scaled);
}

/// Ratio of the widths of two Gaussians at |s| (mm), within 0.1..10.
[[nodiscard]] TOF_HD inline double asymmetryRatio(double ratio, double slope, double s) {
    const double at = ratio + slope * s;
    return at < 0.1 ? 0.1 : at > 10 ? 10 : at;
}

/// A radial profile per radial id. Pointers are of the memory it is evaluated in; sizes in elements.
struct RadialModel {
    int radialIds = 0;
    bool sided = false;
    const double* sigma = nullptr;  ///< mm per radial id; null for measured profiles
    bool asymmetric = false;
    double ratio = 1;       ///< ratio of the second Gaussian's width to the first's
    double shift = 0;       ///< shift of the second towards the centre, in sigmas of the first
    double weight = 1;      ///< share of the first one's area
    double ratioSlope = 0;  ///< change per mm of |s|
    double shiftSlope = 0;
    bool recentred = false;  ///< the mean of both lies at centre_mm; else the first lies at 0
    double centre_mm = 0;
    double centreSlope = 0;
    int profiles = 0;            ///< measured: number of profiles
    const double* s = nullptr;   ///< their distances, mm, ascending
    const int* first = nullptr;  ///< their first sample in q and w; profiles + 1 entries
    const double* q = nullptr;   ///< mm, ascending within a profile
    const double* w = nullptr;
    double idStep_mm = 2;
};

/// One measured profile at q: straight lines between the samples, zero outside.
[[nodiscard]] TOF_HD inline double measuredProfileAt(const RadialModel& m, int profile, double q) {
    int low = m.first[profile];
    int high = m.first[profile + 1] - 1;
    if (q < m.q[low] || q > m.q[high]) {
        return 0;
    }
    while (high - low > 1) {  // q lies in (q[low], q[high]], or on the first sample
        const int middle = (low + high) / 2;
        if (m.q[middle] < q) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const double fraction = (q - m.q[low]) / (m.q[high] - m.q[low]);
    return (1 - fraction) * m.w[low] + fraction * m.w[high];
}

/// The two measured profiles that a radial id lies between: (1 - fraction) of `lower` and `fraction` of the
/// next.
struct ProfilePair {
    int lower = 0;
    double fraction = 0;
};
[[nodiscard]] TOF_HD inline ProfilePair profilesAt(const RadialModel& m, int id) {
    const double s = (id + 0.5) * m.idStep_mm;
    int upper = 0;
    while (upper < m.profiles && m.s[upper] < s) {
        ++upper;
    }
    if (upper == 0) {
        return {0, 0};
    }
    if (upper == m.profiles) {
        return {m.profiles - 1, 0};
    }
    return {upper - 1, (s - m.s[upper - 1]) / (m.s[upper] - m.s[upper - 1])};
}

/// Radial profile of the bin of radial id `id`, at distance `inwards` (mm) towards the FOV centre.
[[nodiscard]] TOF_HD inline double radialShape(const RadialModel& m, int id, double inwards) {
    if (m.profiles > 0) {
        const ProfilePair pair = profilesAt(m, id);
        if (pair.fraction == 0) {
            return measuredProfileAt(m, pair.lower, inwards);
        }
        return (1 - pair.fraction) * measuredProfileAt(m, pair.lower, inwards) +
               pair.fraction * measuredProfileAt(m, pair.lower + 1, inwards);
    }
    const double sigma = m.sigma[id];
    if (!m.asymmetric) {
        return gaussianAt(inwards, sigma);
    }
    const double s = (id + 0.5) * m.idStep_mm;
    const double ratio = asymmetryRatio(m.ratio, m.ratioSlope, s);
    const double apart = (m.shift + m.shiftSlope * s) * sigma;
    const double first = m.recentred ? m.centre_mm + m.centreSlope * s - (1 - m.weight) * apart : 0;
    // Weights are shares of area, so each Gaussian is divided by its own width.
    return m.weight * gaussianAt(inwards - first, sigma) +
           (1 - m.weight) / ratio * gaussianAt(inwards - first - apart, ratio * sigma);
}

/// Radial factor of table row `row` at Q (mm along +r). The centre lies at -r for s > 0, at +r for s < 0; on
/// the centre line both halves count alike.
[[nodiscard]] TOF_HD inline double radialFactor(const RadialModel& m, int row, double Q) {
    if (!m.sided) {
        return radialShape(m, row, Q);
    }
    if (row == 2 * m.radialIds) {
        return 0.5 * (radialShape(m, 0, Q) + radialShape(m, 0, -Q));
    }
    return row < m.radialIds ? radialShape(m, row, -Q) : radialShape(m, row - m.radialIds, Q);
}

}  // namespace tof
