// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/base/lattice.h"

namespace tof::viz {

/// How the layers of a slab become one picture.
enum class SlabMode {
    Mean,      ///< the mean of all layers
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

/// The slab as a volume that holds it in one layer: spacing and position across the other axes are kept;
/// along `axis` the layer is as thick as the slab. Values that are not numbers are left out.
[[nodiscard]] std::shared_ptr<const Volume> slabOf(const Volume& volume, int axis, LayerRange layers,
                                                   SlabMode mode);

}  // namespace tof::viz
