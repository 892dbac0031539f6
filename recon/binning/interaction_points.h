// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    [[nodiscard]] Vec3 at(std::uint32_t crystal, Vec3 d) const;

  private:
    /// Shift from the reference point: along the module's transaxial axis and into the crystal, mm.
    struct Shift {
        float transaxial = 0;
        float inward = 0;
    };
    struct Place {
        Vec3 reference;
        Vec3 transaxial;
        Vec3 outward;
        std::size_t module = 0;
        std::size_t row = 0;  ///< of the table
    };

    void place(const Scanner& scanner, const Detector& detector);
    [[nodiscard]] std::vector<Shift> shiftsOf(const Scanner& scanner, const Detector& detector,
                                              std::size_t module, double slope) const;

    std::vector<Place> places_;                 ///< [crystal]
    std::vector<std::size_t> representatives_;  ///< module [kind]
    std::vector<std::size_t> firstRow_;         ///< [kind]
    std::vector<Shift> shifts_;                 ///< [row][slope]
};

}  // namespace tof
