// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recon/core/lattice.h"

namespace tof {

/// A solid of a phantom. Later shapes replace earlier ones where they overlap.
struct PhantomShape {
    enum class Kind { Cylinder, Sphere, Box, Point } kind = Kind::Sphere;
    std::string name;
    std::string role;      ///< "", "sphere" (CRC target), "background", "uniform"
    Vec3 centre;           ///< mm
    double radius_mm = 0;  ///< cylinder, sphere
    Vec3 size_mm;          ///< box edges; cylinder: z is its length along z
    double activity = 0;   ///< relative emissions per volume; of a point: relative emissions
    double mu_per_mm = 0;  ///< linear attenuation at 511 keV
};

/// What emits and attenuates: shapes, or an emission and an attenuation volume.
struct Phantom {
    std::string name;
    std::vector<PhantomShape> shapes;
    std::optional<Volume> emission;     ///< relative emissions per volume, any units
    std::optional<Volume> attenuation;  ///< 1/mm
    std::string description;            ///< JSON it was read from, or the two file names

    /// A built-in phantom (`spheres`), a JSON file, or `EMISSION,ATTENUATION` volume files (attenuation in
    /// 1/cm, as Interfile and NIfTI mu maps are; may be left out). Throws WrongUse or BadInput.
    [[nodiscard]] static Phantom find(const std::string& nameOrFiles);
    [[nodiscard]] static Phantom fromJson(const std::string& text, const std::string& source);
    /// Activity and attenuation sampled on a lattice, `subdivisions`^3 points per voxel.
    [[nodiscard]] Volume emissionOn(const Lattice& lattice, int subdivisions = 4) const;
    [[nodiscard]] Volume attenuationOn(const Lattice& lattice, int subdivisions = 2) const;
};

}  // namespace tof
