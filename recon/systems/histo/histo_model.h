// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/view.h"
#include "recon/kernel/kernel_spec.h"

namespace tof {

/// What maps an image to DIRECT data: histo-images of `views` on the image's own lattice through one SR
/// kernel. Plain data; no projector code. Projector part v is view v; its data has the lattice's size and
/// order.
struct DirectModel {
    static constexpr const char* kSystem = "histo";

    Lattice lattice;
    std::vector<View> views;
    KernelSpec kernel;
    bool attenuated = false;  ///< data have att: projectors are ready for backAttenuated()
};

}  // namespace tof
