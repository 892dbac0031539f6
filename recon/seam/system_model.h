// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/view.h"
#include "recon/kernel/kernel_spec.h"
#include "recon/scanner/line_events.h"
#include "recon/scanner/michelogram.h"

namespace tof {

/// What maps an image to DIRECT data: histo-images of `views` on the image's own lattice through one SR
/// kernel. Plain data; no projector code. Projector part v is view v; its data has the lattice's size and
/// order.
struct DirectModel {
    Lattice lattice;
    std::vector<View> views;
    KernelSpec kernel;
};

/// How a line crosses voxels: by exact lengths, or by interpolation between voxel centres.
enum class RayMethod { Siddon, Joseph };

/// What maps an image to lines of response of a scanner: the bins of a michelogram, or the events of a list.
/// A datum is the line integral in mm (mean over its rays). Plain data. Parts and their sizes are those of
/// `lines`; the data order is the michelogram's, or the events'.
struct LineModel {
    Lattice lattice;
    std::variant<std::shared_ptr<const Michelogram>, std::shared_ptr<const LineEvents>> lines;
    RayMethod method = RayMethod::Siddon;
    int radialRays = 1;       ///< rays across the width of a bin, 1..16; michelograms only
    int axialRays = 1;        ///< rays across the width of a ring, 1..16; michelograms only
    double fovRadius_mm = 0;  ///< lines are followed only this near the axis; 0: everywhere
    double psfFwhm_mm = 0;    ///< Gaussian blur of the image before projection; 0: none
};

/// Every system the engines know. A new system adds a struct here and a projector in its own folder.
using SystemModel = std::variant<DirectModel, LineModel>;

[[nodiscard]] inline const Lattice& imageLattice(const SystemModel& model) {
    return std::visit([](const auto& m) -> const Lattice& { return m.lattice; }, model);
}

}  // namespace tof
