// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "recon/core/lattice.h"
#include "recon/geometry/view.h"
#include "recon/kernel/kernel_spec.h"

namespace tof {

/// What maps an image to DIRECT data: histo-images of `views` on the image's own lattice through one SR
/// kernel. Plain data; no projector code. Projector part v is view v; its data has the lattice's size and
/// order.
struct DirectModel {
    Lattice lattice;
    std::vector<View> views;
    KernelSpec kernel;
};

/// Every system the engines know. A new system adds a struct here and a projector in its own folder.
using SystemModel = std::variant<DirectModel>;

[[nodiscard]] inline const Lattice& imageLattice(const SystemModel& model) {
    return std::visit([](const auto& m) -> const Lattice& { return m.lattice; }, model);
}

}  // namespace tof
