// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/built_in.h"
#include "recon/base/vec3.h"
#include "recon/scanner/detection.h"

namespace tof {

/// Where a crystal's front face is and which way the crystal extends from it.
struct Crystal {
    Vec3 front;    ///< centre of the front face, mm
    Vec3 outward;  ///< unit vector from the front face into the crystal, away from the scanner's axis
};

/// A scanner as far as events and simulation need it. Plain data; crystal index = position in `crystals`.
struct Scanner {
    std::string name;
    std::vector<Crystal> crystals;
    std::array<double, 3> crystalSize_mm{4, 4, 30};  ///< transaxial, axial, depth
    /// False where nobody says how large the crystals' faces are: crystalSize_mm is a guess then.
    bool facesKnown = true;
    double attenuation_per_mm = 0;  ///< attenuation of the crystal material at 511 keV; 0 when unknown
    double meanDepth_mm = 0;        ///< mean depth of interaction below the front face
    double acceptance_rad = 0;      ///< lines tilted by more are not accepted
    double fovRadius_mm = 0;        ///< transverse field of view
    double timing_fwhm_ps = 0;      ///< coincidence time resolution
    /// How energies, places and times are measured; nothing where a photon that interacts is a single.
    std::optional<Detection> detection{};
    std::string description;  ///< the JSON it was read from; enough to build it again

    /// Reference point of a crystal: its front face's centre moved `meanDepth_mm` into the crystal.
    [[nodiscard]] Vec3 reference(std::uint32_t crystal) const {
        const Crystal& c = crystals[crystal];
        return c.front + meanDepth_mm * c.outward;
    }

    /// A built-in scanner by name (`labr3`), else a JSON file of resources/scanners' schema.
    /// Throws WrongUse listing the names, or BadInput naming file and field.
    [[nodiscard]] static Scanner find(const std::string& nameOrFile);
    /// Reads the JSON text kept in data files. Text forms: {"name": ..., "modules": {...}} or an explicit
    /// {"name": ..., "crystals": [[x, y, z, ox, oy, oz], ...]} for scanners other formats describe.
    /// Crystal order of the first form: layer by layer from the front, in a layer module by module, in a
    /// module row by row from -z, each row in the sense of growing azimuth. Throws BadInput.
    [[nodiscard]] static Scanner fromJson(const std::string& text, const std::string& source);
    /// What fromJson reads: as modules when `description` still describes these crystals, else crystal by
    /// crystal.
    [[nodiscard]] std::string toJson() const;
};

/// Reference point of every crystal, by index.
[[nodiscard]] std::vector<Vec3> referencePoints(const Scanner& scanner);

/// Mean depth, below the front face, of the photons that interact in a crystal `depth_mm` deep met head-on:
/// 1/mu - L exp(-mu L)/(1 - exp(-mu L)); half the depth when the attenuation is 0 (unknown).
[[nodiscard]] double meanInteractionDepth(double attenuation_per_mm, double depth_mm);

/// The names of resources/scanners.
[[nodiscard]] const std::vector<BuiltIn>& builtInScanners();

}  // namespace tof
