// SPDX-License-Identifier: Apache-2.0
// What one scatter point adds to a pair of detectors, by the place along their line that the times tell
// (Watson, IEEE Trans. Nucl. Sci. 54 (2007) 1679; Watson, Newport and Casey (1996)). Plain data and inline
// arithmetic: host and device can use the same.
#pragma once

#include <cmath>
#include <cstdint>

#include "recon/base/hd.h"
#include "recon/base/vec3.h"
#include "recon/physics/materials.h"

namespace tof {

/// Numbers that are the same for all pairs.
struct ScatterTables {
    const double* acceptance = nullptr;  ///< EnergyAcceptance::values()
    std::int32_t energies = 0;
    double least_keV = 0;
    double perStep_keV = 1;          ///< 1/step
    const float* water = nullptr;    ///< total coefficient by whole keV: how attenuation grows
    double perWater511 = 0;          ///< 1/(that at 511 keV)
    const float* crystal = nullptr;  ///< attenuation of the crystals' material, 1/mm by whole keV
    double depth_mm = 0;             ///< depth of the crystals
    double perCrossSection = 0;      ///< 1/(integral of comptonShape(511 keV) over the sphere)
    double step_mm = 1;              ///< step of activity along rays and of places along lines
    std::int32_t samples = 0;        ///< along a ray, from the scatter point on
};

/// A ray from a scatter point to a detector.
struct ScatterRay {
    Vec3 direction;    ///< unit vector from the point to the detector
    float length = 0;  ///< mm
    float path = 0;    ///< integral of mu at 511 keV
    float cosine = 0;  ///< cosine of the incidence on the detector
    float area = 0;    ///< slab response at 511 keV for this incidence
};

/// Shape of the Klein-Nishina cross-section by the cosine; `kept` is the energy afterwards over that before.
[[nodiscard]] TOF_HD inline double comptonShape(double cosine, double kept) {
    return kept * kept * (kept + 1 / kept - (1 - cosine * cosine));
}

/// Photons per mm2 of a slab's face that interact in it, over those per mm2 across their way.
[[nodiscard]] TOF_HD inline double slabResponse(double cosine, double mu_perMm, double depth_mm) {
    return cosine > 1e-3 ? cosine * (1 - std::exp(-mu_perMm * depth_mm / cosine)) : 0.0;
}

/// Factors of both ways round: activity on the ray to the first detector and to the second.
struct ScatterWeights {
    double one = 0;
    double two = 0;
};

/// What a point gives that scatters `strength` (volume times Compton coefficient), for apparent emissions on
/// the line `distance` long between the detectors, whose slab response for the line itself is `direct`
/// (product of both). Zero where the photon keeps too little.
[[nodiscard]] TOF_HD inline ScatterWeights scatterWeights(const ScatterTables& t, const ScatterRay& one,
                                                          const ScatterRay& two, double strength,
                                                          double distance, double direct) {
    // A photon that comes from the first detector's side flies against `one.direction`.
    const double cosine = -dot(one.direction, two.direction);
    const double kept = 1 / (2 - cosine);
    const double energy = kElectron_keV * kept;
    const double place = (energy - t.least_keV) * t.perStep_keV;
    if (!(place > 0)) {
        return {};
    }
    const auto last = t.energies - 2;
    const auto below = static_cast<std::int32_t>(place) < last ? static_cast<std::int32_t>(place) : last;
    const double share = place - below;
    const double accepted = (1 - share) * t.acceptance[below] + share * t.acceptance[below + 1];
    const double thicker = atEnergy(t.water, static_cast<Real>(energy)) * t.perWater511;
    const double mu = atEnergy(t.crystal, static_cast<Real>(energy));
    const auto a = static_cast<double>(one.path);
    const auto b = static_cast<double>(two.path);
    const double common = strength * t.perCrossSection * comptonShape(cosine, kept) * accepted * distance *
                          distance /
                          (static_cast<double>(one.length) * one.length * static_cast<double>(two.length) *
                           two.length * direct);
    // The scattered photon reaches the other detector, with less energy.
    return {common * std::exp(-a - thicker * b) * static_cast<double>(one.area) *
                slabResponse(static_cast<double>(two.cosine), mu, t.depth_mm),
            common * std::exp(-b - thicker * a) * static_cast<double>(two.area) *
                slabResponse(static_cast<double>(one.cosine), mu, t.depth_mm)};
}

/// Where the activity on both rays of a point is found along the line, whose places go from `first` mm on,
/// from the middle towards the second detector: that at l on the ray to the first detector at (r1 - r2)/2 -
/// l, that on the other ray at (r1 - r2)/2 + l. Hosts add rows (scatter_sums.cpp) and devices places
/// (scatterAt).
struct ScatterShift {
    std::int32_t up = 0;
    std::int32_t down = 0;
    float upShare = 0;
    float downShare = 0;
};

[[nodiscard]] TOF_HD inline ScatterShift scatterShift(const ScatterTables& t, const ScatterRay& one,
                                                      const ScatterRay& two, double first) {
    const double centre =
        (0.5 * (static_cast<double>(one.length) - static_cast<double>(two.length)) - first) / t.step_mm;
    // Samples stand for the middles of their steps.
    const double up = centre + 0.5;
    const double down = centre - 0.5;
    ScatterShift shift;
    shift.up = static_cast<std::int32_t>(std::floor(up));
    shift.down = static_cast<std::int32_t>(std::floor(down));
    shift.upShare = static_cast<float>(up - shift.up);
    shift.downShare = static_cast<float>(down - shift.down);
    return shift;
}

/// What a point brings to one of `count` places.
[[nodiscard]] TOF_HD inline float scatterAt(std::int32_t place, std::int32_t count, std::int32_t samples,
                                            const ScatterShift& shift, float weightOne, float weightTwo,
                                            const float* activityOne, const float* activityTwo) {
    float sum = 0;
    const bool below = place + 1 < count;  // the place is the lower one of its two
    const bool above = place > 0;
    const std::int32_t down = shift.down - place;
    if (below && down >= 0 && down < samples) {
        sum += (1 - shift.downShare) * weightOne * activityOne[down];
    }
    if (above && down + 1 >= 0 && down + 1 < samples) {
        sum += shift.downShare * weightOne * activityOne[down + 1];
    }
    const std::int32_t up = place - shift.up;
    if (below && up >= 0 && up < samples) {
        sum += (1 - shift.upShare) * weightTwo * activityTwo[up];
    }
    if (above && up - 1 >= 0 && up - 1 < samples) {
        sum += shift.upShare * weightTwo * activityTwo[up - 1];
    }
    return sum;
}

}  // namespace tof
