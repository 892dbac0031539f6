// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "recon/base/lattice.h"

namespace tof {

/// What the values of an attenuation volume are. AsStated: 1/mm where the volume says so, else 1/cm.
enum class MuUnits { AsStated, PerCm, PerMm, Hounsfield };

struct AttenuationMap {
    Volume volume;     ///< in 1/mm at 511 keV, finite and >= 0
    std::string note;  ///< what was done to it, one sentence, or empty
};

/// Linear attenuation at 511 keV, 1/cm, of a CT value at 120 kVp: water and air mixed below 47 HU, water and
/// bone above (Carney, Townsend, Rappoport and Bendriem, Med. Phys. 33, 976 (2006), table for 120 kVp).
[[nodiscard]] double perCmOfHounsfield(double hounsfield);

/// Throws BadInput, naming the volume and the remedy, for values that are not finite, above 1 per cm (water:
/// 0.096, steel: 0.65) or clearly below zero; Hounsfield units are recognised. Values between -0.01 per cm
/// and zero, as interpolation leaves them, become zero, which the note says.
[[nodiscard]] AttenuationMap attenuationMap(Volume volume, MuUnits units, const std::string& name);

/// Reads and checks it; `heed` as of recognise().
[[nodiscard]] AttenuationMap readAttenuationMap(const std::string& path, MuUnits units,
                                                const std::function<void()>& heed = {});

}  // namespace tof
