// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "recon/scanner/scanner.h"

namespace tof {

/// A flat regular array of crystals: a box of material with narrow gaps between the crystals.
struct DetectorModule {
    Vec3 centre;                             ///< centre of the front face
    std::array<Vec3, 3> axes;                ///< transaxial, axial, outward; orthonormal
    std::array<int, 2> count{1, 1};          ///< crystals: transaxial, axial
    std::array<double, 2> pitch{0, 0};       ///< mm
    std::array<double, 3> crystal{0, 0, 0};  ///< crystal size, mm
    std::vector<std::uint32_t> ids;          ///< crystal numbers [axial][transaxial]

    /// Half the width of the box along axis 0 or 1, up to the outer crystals' faces.
    [[nodiscard]] double half(std::size_t axis) const {
        return 0.5 * ((count[axis] - 1) * pitch[axis] + crystal[axis]);
    }
};

/// A part of a ray inside the box of a module; distances from the ray's start in mm.
struct ModulePassage {
    const DetectorModule* module = nullptr;
    double enter = 0;
    double leave = 0;
};

/// The modules a ray passes, nearest first. Of more than `kMax` the rest is left out; that takes crystals of
/// less than half a millimetre.
struct Passages {
    static constexpr std::size_t kMax = 64;
    std::array<ModulePassage, kMax> list;
    std::size_t size = 0;
};

/// Where a photon interacted.
struct DetectorHit {
    std::uint32_t crystal = 0;
    double distance = 0;  ///< from the start of the ray, mm
};

/// Scanner material that rays are followed through. Found from the crystals alone: crystals that lie in one
/// plane on a regular grid form a module. Immutable; share between threads.
class Detector {
  public:
    /// Throws BadInput when crystals overlap the scanner's axis.
    explicit Detector(const Scanner& scanner);

    [[nodiscard]] const std::vector<DetectorModule>& modules() const { return modules_; }
    /// Transverse distance from the scanner's axis to the nearest material.
    [[nodiscard]] double innerRadius() const { return inner_; }

    [[nodiscard]] double outerRadius() const { return outer_; }
    /// Lower and upper end of the material along z where all modules share them and stand upright; else
    /// nothing.
    [[nodiscard]] std::optional<std::array<double, 2>> commonAxialRange() const;

    /// The least n in [1, most) for which a turn by n times `angle` (radians) about the scanner's axis
    /// carries the material onto itself; `most` where none does.
    [[nodiscard]] std::size_t period(double angle, std::size_t most) const;

    /// Modules a ray from `p`, inside the inner radius, along the unit vector `d` passes.
    void passages(Vec3 p, Vec3 d, Passages& found) const;

    /// Crystal material along a whole ray, mm.
    [[nodiscard]] double material(Vec3 p, Vec3 d) const;
    /// The material on passages that are known.
    [[nodiscard]] static double material(const Passages& passed, Vec3 p, Vec3 d);

    /// Follows a photon until it has crossed `path_mm` of crystal material; nothing when it leaves before
    /// that.
    [[nodiscard]] std::optional<DetectorHit> follow(Vec3 p, Vec3 d, double path_mm) const;
    [[nodiscard]] static std::optional<DetectorHit> follow(const Passages& passed, Vec3 p, Vec3 d,
                                                           double path_mm);

    /// Crystal material along a ray inside one module's box, up to `limit` mm of it: where on the ray the
    /// limit is reached (and in which crystal), or the total found.
    struct Walk {
        double material = 0;
        double distance = 0;
        std::uint32_t crystal = 0;
        bool stopped = false;
    };
    [[nodiscard]] static Walk walk(const ModulePassage& passage, Vec3 p, Vec3 d, double limit);

  private:
    void buildBins();
    [[nodiscard]] bool sameTurned(double angle) const;
    [[nodiscard]] std::size_t bin(int azimuth, int axial) const;
    [[nodiscard]] int axialBin(double z) const;

    std::vector<DetectorModule> modules_;
    double inner_ = 0;
    double outer_ = 0;
    // Modules by azimuth and z, so that a ray meets only those near its way.
    double zLow_ = 0;
    double zStep_ = 1;
    int zBins_ = 1;
    std::vector<std::vector<std::uint32_t>> bins_;
};

}  // namespace tof
