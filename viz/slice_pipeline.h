// SPDX-License-Identifier: Apache-2.0
// Slices of volumes as a picture, by VTK's image filters in memory: they need no OpenGL and nothing from the
// machine.
#pragma once

#include <memory>
#include <vector>

#include "viz/colour_map.h"
#include "viz/picture.h"
#include "viz/slab.h"
#include "viz/slice_view.h"

namespace tof::viz {

enum class Interpolation { Nearest, Linear, Cubic };

/// Everything the picture of one image depends on.
struct SliceRequest {
    std::shared_ptr<const Volume> volume;  ///< not null
    SliceView view;
    double low = 0;   ///< value of the map's first colour
    double high = 1;  ///< value of its last one, > low
    ColourMap map;
    Interpolation interpolation = Interpolation::Nearest;
    double slab_mm = 0;  ///< thickness of what is shown; 0: the one slice, infinite: all
    SlabMode slabMode = SlabMode::Largest;
    /// Interpolation along the normal as well: for an image on another lattice than the one whose slices are
    /// gone through. Without effect on slabs; oblique planes are interpolated between slices always.
    bool acrossSlices = false;
    double opacity = 1;       ///< over what is below it in a stack, 0..1
    bool clearFirst = false;  ///< pixels of the map's first colour are transparent: of a label map
    [[nodiscard]] bool operator==(const SliceRequest&) const = default;
};

/// Draws slices of volumes: the same picture on every machine. The volumes' memory is used in place, and what
/// a request has in common with the last one is not made again. One pipeline per pane, used by one thread at
/// a time. A value that is no number has the colour of the ground.
class SlicePipeline {
  public:
    SlicePipeline();
    ~SlicePipeline();

    /// One image on the colour of zero, which is also outside its lattice; valid until the next call.
    [[nodiscard]] PictureView render(const SliceRequest& request);
    /// Images over each other on a ground, bottom first, transparent outside their lattices. All pictures
    /// have the size of the first one; at least one.
    [[nodiscard]] PictureView render(const std::vector<SliceRequest>& stack, Rgb ground);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tof::viz
