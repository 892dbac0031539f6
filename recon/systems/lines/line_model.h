// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <variant>

#include "recon/base/lattice.h"
#include "recon/scanner/line_events.h"
#include "recon/scanner/michelogram.h"

namespace tof {

struct PointSpread;

/// How a line crosses voxels: by exact lengths, or by interpolation between voxel centres.
enum class RayMethod { Siddon, Joseph };

/// What maps an image to lines of response of a scanner: the bins of a michelogram, or the events of a list.
/// A datum is the line integral in mm (mean over its rays). Plain data. Parts and their sizes are those of
/// `lines`; the data order is the michelogram's, or the events'.
struct LineModel {
    static constexpr const char* kSystem = "lines";

    Lattice lattice;
    std::variant<std::shared_ptr<const Michelogram>, std::shared_ptr<const LineEvents>> lines;
    RayMethod method = RayMethod::Siddon;
    int radialRays = 1;  ///< rays across the width of a bin, 1..16; michelograms only
    /// Rays across the width of a ring, 1..16, or kRayPerPlane; michelograms only.
    int axialRays = 1;
    /// A ray through every image plane that a sinogram's planes are apart, as STIR traces them: where those
    /// are an even number, the rays at both ends lie between neighbours and count half each.
    static constexpr int kRayPerPlane = 0;
    double fovRadius_mm = 0;  ///< lines are followed only this near the axis; 0: everywhere
    double psfFwhm_mm = 0;    ///< Gaussian blur of the image before projection; 0: none
    /// A blur by place in its stead; null: one for all places.
    std::shared_ptr<const PointSpread> spread{};
};

}  // namespace tof
