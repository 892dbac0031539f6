// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "recon/systems/panel/panel_matrix.h"

namespace tof {

/// Which classes make a part of the data, and where their lines lie in it. Parts are equally long, so the
/// shorter ones end with places that no line has: forward projection makes them 0, back projection leaves
/// them alone.
struct PanelParts {
    /// [part][class]: numbers of classes, in the order of the part's data, each class [sign][shift z][shift
    /// y].
    std::vector<std::vector<int>> classes;
    std::size_t partSize = 0;  ///< size of every part, with those places
    /// Class i of a part belongs to share i % shares. Back projection adds up each share in an image of its
    /// own and then these, so that float sums have one order in one process and on two ranks, which have a
    /// share each.
    std::size_t shares = 1;

    [[nodiscard]] std::size_t parts() const { return classes.size(); }
};

/// Most shares that a part has.
inline constexpr std::size_t kPanelShares = 2;

/// Makes as many parts as a head has crystals along z (72 of 104 classes), of classes drawn with `seed`, in
/// kPanelShares shares.
[[nodiscard]] PanelParts panelParts(const PanelGeometry& geometry, std::uint64_t seed);

/// What maps an image to the lines of two panels: the stored matrix. A datum is the recorded pairs that
/// emissions per voxel make expected. Plain data.
struct PanelModel {
    static constexpr const char* kSystem = "panel";

    Lattice lattice;  ///< the geometry's
    std::shared_ptr<const PanelMatrix> matrix;
    std::shared_ptr<const PanelParts> parts;
};

}  // namespace tof
