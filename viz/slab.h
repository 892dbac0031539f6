// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/base/lattice.h"
#include "viz/slice_view.h"

namespace tof::viz {

/// How the layers of a slab become one picture.
enum class SlabMode {
    Mean,      ///< the mean of all layers
    Sum,       ///< their sum
    Largest,   ///< the maximum: MIP of activity
    Strongest  ///< the value of largest magnitude, with its sign: MIP of a difference
};

/// Layers first..last of a lattice along an axis.
struct LayerRange {
    int first = 0;
    int last = 0;
    [[nodiscard]] bool operator==(const LayerRange&) const = default;
    [[nodiscard]] int count() const { return last - first + 1; }
};

/// The layers whose centres lie within thickness_mm / 2 of `centre_mm` along an axis; always at least the one
/// nearest to it, and never any outside the lattice. An infinite thickness takes all.
[[nodiscard]] LayerRange layersOf(const Lattice& lattice, int axis, double centre_mm, double thickness_mm);

/// The lattice in local coordinates whose layers a slab along turned axes takes: the volume's own without a
/// turn, else cubes of its smallest spacing around all of it, 2048 across at most.
[[nodiscard]] Lattice latticeAlong(const Lattice& lattice, const Turn& turn);

/// The slab as a volume in local coordinates that holds it in one layer: latticeAlong(), whose layer along
/// `axis` is as thick as the slab. A turned slab takes the voxels nearest to its points, and has no number
/// where there are none.
[[nodiscard]] std::shared_ptr<const Volume> slabOf(const Volume& volume, const Turn& turn, int axis,
                                                   LayerRange layers, SlabMode mode);

}  // namespace tof::viz
