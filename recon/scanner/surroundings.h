// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/physics/materials.h"

namespace tof {

/// What photons meet in a scanner besides crystals: a tube on its axis, or the bed.
struct Surrounding {
    enum class Part : std::uint8_t {
        Cover,   ///< a tube between the patient and the crystals
        Shield,  ///< a tube that keeps out what comes from beyond an end
        Bed      ///< a box under whatever lies on it
    } part = Part::Cover;
    Material material = Material::Pmma;     ///< gives the coefficient its course with energy
    double mu_per_mm = 0;                   ///< at 511 keV, photoelectric and Compton
    std::array<double, 2> z_mm{0, 0};       ///< where it begins and ends along the axis
    std::array<double, 2> radius_mm{0, 0};  ///< inner and outer one of a tube
    double width_mm = 0;                    ///< the bed's
    double thickness_mm = 0;                ///< the bed's
};

/// Reads the list of resources/scanners' schema; tubes must end at `crystals_mm` from the axis, where the
/// first crystals begin. `source` names it in messages. Throws BadInput.
[[nodiscard]] std::vector<Surrounding> readSurroundings(const nlohmann::json& value, double crystals_mm,
                                                        const std::string& source);

}  // namespace tof
