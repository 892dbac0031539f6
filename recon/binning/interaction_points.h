// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/detector.h"

namespace tof {

/// Where, on average, the photons of one direction interact that a crystal records.
///
/// The reference point of docs/model.md section 1 is the mean for photons that meet an endless array head-on.
/// Slanted photons interact less deep, and crystals beside a gap between modules are also entered through
/// their sides: together up to 1.3 mm at labr3, which would move events far off the axis by 0.7 mm. The means
/// are found by following rays through the scanner's material, once per kind of module, by the crystal's
/// transaxial place in it and the transaxial slope. Immutable; share between threads.
class InteractionPoints {
  public:
    /// With an unknown attenuation (0) every shift is zero. `scanner` is copied from, not kept.
    InteractionPoints(const Scanner& scanner, const ThreadPool& pool);

    /// Mean point of photons that fly along `d` (any length, pointing out of the scanner), mm; the reference
    /// point for directions that do not enter the crystal from its front.
    [[nodiscard]] Vec3 at(std::uint32_t crystal, Vec3 d) const {
        const Place& place = places_[crystal];
        const Axes& axes = axes_[place.module];
        const double inward = dot(d, axes.outward);
        if (!(inward > 0)) {
            return place.reference;
        }
        const double slope = dot(d, axes.transaxial) / inward;
        const double position =
            std::clamp((slope + kSteepest) / kSlopeStep, 0.0, static_cast<double>(kSlopes - 1));
        const auto below = std::min(static_cast<std::size_t>(position), kSlopes - 2);
        const auto above = static_cast<float>(position - static_cast<double>(below));
        const Shift& a = shifts_[place.row * kSlopes + below];
        const Shift& b = shifts_[place.row * kSlopes + below + 1];
        return place.reference +
               static_cast<double>(a.transaxial + above * (b.transaxial - a.transaxial)) * axes.transaxial +
               static_cast<double>(a.inward + above * (b.inward - a.inward)) * axes.outward;
    }
    [[nodiscard]] Vec3 reference(std::uint32_t crystal) const { return places_[crystal].reference; }
    [[nodiscard]] std::size_t crystals() const { return places_.size(); }
    /// The most that at() lies from a reference point, mm.
    [[nodiscard]] double farthest() const;

  private:
    // Slopes against the outward direction, up to 56 degrees; 0.075 is half a labr3 crystal's pitch over its
    // depth.
    static constexpr std::size_t kSlopes = 41;
    static constexpr double kSlopeStep = 0.075;
    static constexpr double kSteepest = kSlopeStep * (kSlopes - 1) / 2;

    /// Shift from the reference point: along the module's transaxial axis and into the crystal, mm.
    struct Shift {
        float transaxial = 0;
        float inward = 0;
    };
    /// Events name crystals in any order: what lies at a crystal is kept small, so that caches hold all.
    struct Place {
        Vec3 reference;
        std::uint32_t module = 0;
        std::uint32_t row = 0;  ///< row of the table
    };
    struct Axes {
        Vec3 transaxial;
        Vec3 outward;
    };

    [[nodiscard]] static double slopeAt(std::size_t index) {
        return static_cast<double>(index) * kSlopeStep - kSteepest;
    }
    void place(const Scanner& scanner, const Detector& detector);
    [[nodiscard]] std::vector<Shift> shiftsOf(const Scanner& scanner, const Detector& detector,
                                              std::size_t module, double slope) const;

    std::vector<Place> places_;                 ///< [crystal]
    std::vector<Axes> axes_;                    ///< [module]
    std::vector<std::size_t> representatives_;  ///< module [kind]
    std::vector<std::size_t> firstRow_;         ///< [kind]
    std::vector<Shift> shifts_;                 ///< [row][slope]
};

}  // namespace tof
