// SPDX-License-Identifier: Apache-2.0
// A scanner as a picture needs it: modules as boxes, and which crystal lies where.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "recon/phantom/phantom.h"
#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner.h"

namespace tof::viz {

/// Crystals whose front faces lie in one plane and look the same way.
struct SceneModule {
    std::array<Vec3, 4> front;  ///< corners of the front face, around it, mm
    Vec3 outward;               ///< unit vector into the crystals
    double depth_mm = 0;
    std::array<int, 2> crystals{1, 1};  ///< transaxial (from corner 0 to 1) and axial (1 to 2)
    [[nodiscard]] Vec3 centre() const { return 0.25 * (front[0] + front[1] + front[2] + front[3]); }
};

/// What pictures of a phantom in a scanner show, and how much room it needs there.
struct PhantomOutline {
    std::vector<PhantomShape> shapes;
    std::vector<Vec3> voxels;  ///< centres of some voxels of a voxel phantom that emit much, at most 6,000
    double fromAxis_mm = 0;    ///< largest distance of anything that emits or is a shape from the z axis
    double alongX_mm = 0;      ///< largest of its |x|

    PhantomOutline() = default;
    /// Goes through every voxel; calls `heed` before each plane of them, which may throw to end it.
    explicit PhantomOutline(const Phantom& phantom, const std::function<void()>& heed = {});
};

/// A scanner and what lies in it. Plain data; made once, drawn from any side.
struct ScannerScene {
    std::vector<SceneModule> modules;
    std::vector<Vec3> crystals;  ///< centres of front faces, by crystal
    std::vector<Vec3> outward;   ///< each crystal's direction
    std::array<double, 3> crystal_mm{4, 4, 20};
    double fovRadius_mm = 0;  ///< 0: not known
    double fovHalf_mm = 0;    ///< along z
    PhantomOutline phantom;
    double radius_mm = 1;  ///< that of the sphere around everything

    [[nodiscard]] static ScannerScene of(const Scanner& scanner);
    /// Eight crystals of every ring make a flat block; their depth is not known and drawn as 20 mm.
    [[nodiscard]] static ScannerScene of(const RingScanner& scanner);
    void place(PhantomOutline outline);
    /// The two crystals nearest to a line, one before and one behind `point` along `direction`; nothing
    /// where there are none on one side.
    [[nodiscard]] std::optional<std::array<std::size_t, 2>> nearestLine(Vec3 point, Vec3 direction) const;

  private:
    void measure();
};

}  // namespace tof::viz
