// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/built_in.h"
#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/physics/materials.h"

namespace tof {

/// Reads one volume file. This folder knows no file formats: whoever offers volume files passes recon/io's
/// readVolume.
using VolumeReader = std::function<Volume(const std::string& path)>;

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
    /// Gives the coefficient its course with energy; nothing: bodyMaterial() of the coefficient.
    std::optional<Material> material{};

    /// Distance from the surface, negative inside; outside it may come out too small, never too large.
    /// A point has no inside.
    [[nodiscard]] double distance(Vec3 p) const;
    [[nodiscard]] bool contains(Vec3 p) const;
    [[nodiscard]] double volume_mm3() const;
    /// Distances from the centre to the faces of the box around it; zero for a point.
    [[nodiscard]] Vec3 halfExtent() const;
};

/// What emits and attenuates: shapes, or an emission and an attenuation volume.
struct Phantom {
    std::string name;
    std::vector<PhantomShape> shapes;
    std::optional<Volume> emission;     ///< relative emissions per volume, any units
    std::optional<Volume> attenuation;  ///< 1/mm
    std::string description;            ///< JSON it was read from, or the two file names

    /// A built-in phantom (`spheres`), a JSON file, or `EMISSION,ATTENUATION` volume files (attenuation in
    /// 1/cm, as Interfile and NIfTI mu maps are; may be left out), which need `readVolume`. Throws WrongUse
    /// or BadInput.
    [[nodiscard]] static Phantom find(const std::string& nameOrFiles, const VolumeReader& readVolume = {});
    /// Reads JSON of resources/phantoms' schema; `source` names it in messages. Throws BadInput.
    [[nodiscard]] static Phantom fromJson(const std::string& text, const std::string& source);
    /// What data say of their phantom: its JSON text, which messages call `source`, or what find() takes.
    [[nodiscard]] static Phantom fromNameOrText(const std::string& nameOrText, const std::string& source,
                                                const VolumeReader& readVolume = {});
    /// Whether fromNameOrText() reads volume files for it, which may take seconds: it names files that are
    /// not descriptions. A name that finds nothing reads nothing.
    [[nodiscard]] static bool isOfVolumes(const std::string& nameOrText);
    /// Activity and attenuation on a lattice: the mean of `subdivisions`^3 points in each voxel that a
    /// surface may cross. A point's activity goes into its nearest voxel, divided by the voxel volume.
    [[nodiscard]] Volume emissionOn(const Lattice& lattice, int subdivisions = 4,
                                    const ThreadPool& pool = ThreadPool()) const;
    [[nodiscard]] Volume attenuationOn(const Lattice& lattice, int subdivisions = 8,
                                       const ThreadPool& pool = ThreadPool()) const;
    /// Attenuation of the whole object, for line integrals: the volume itself, or the shapes sampled on
    /// `lattice`, its voxels cut into equal parts of at most `spacing_mm` and grown by whole ones until it
    /// holds them all. A body may be larger than the image made of it.
    [[nodiscard]] Volume wholeAttenuation(const Lattice& lattice, double spacing_mm,
                                          const ThreadPool& pool = ThreadPool()) const;
};

/// The names of resources/phantoms.
[[nodiscard]] const std::vector<BuiltIn>& builtInPhantoms();

}  // namespace tof
