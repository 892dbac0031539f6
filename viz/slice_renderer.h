// SPDX-License-Identifier: Apache-2.0
// A slice of a volume as a picture, computed on the host: needs nothing from the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "viz/colour_map.h"
#include "viz/slab.h"
#include "viz/slice_view.h"

namespace tof::viz {

enum class Interpolation { Nearest, Linear };

/// Everything a picture of a slice depends on.
struct SliceRequest {
    std::shared_ptr<const Volume> volume;  ///< not null
    SliceView view;
    double low = 0;   ///< value of the map's first colour
    double high = 1;  ///< value of its last one, > low
    ColourMap map;
    Interpolation interpolation = Interpolation::Nearest;
    double slab_mm = 0;  ///< thickness of what is shown; 0: the one slice, infinite: all
    SlabMode slabMode = SlabMode::Largest;
    /// Linear interpolation along the normal as well: for an image on another lattice than the one whose
    /// slices are gone through. Without effect on slabs.
    bool acrossSlices = false;
    bool clearOutside = false;  ///< pixels outside the lattice are transparent (0) instead of zero's colour
    bool clearFirst = false;    ///< pixels of the map's first colour are transparent: of a label map
    [[nodiscard]] bool operator==(const SliceRequest&) const = default;
};

/// Pixels 0xffRRGGBB, top row first: the memory of a QImage::Format_RGB32.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint32_t> pixels;
    [[nodiscard]] std::uint32_t at(int x, int y) const {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
};

/// Draws one slice of a volume: the same picture on every machine. Outside the lattice it has the colour of
/// zero. One renderer per pane, which keeps the last slab; used by one thread at a time.
class SliceRenderer {
  public:
    /// The picture; valid until the next call.
    [[nodiscard]] const Picture& render(const SliceRequest& request);

  private:
    /// The layer `slice` of the volume, or what the slab around it makes of it as the only layer of a volume:
    /// `slice` is then 0.
    const Volume& flatten(const SliceRequest& request, int axis, int& slice);

    Picture picture_;
    std::shared_ptr<const Volume> source_;  ///< the volume of the slab, with its axis, layers and mode
    int axis_ = 0;
    LayerRange layers_;
    SlabMode mode_ = SlabMode::Largest;
    std::shared_ptr<const Volume> slab_;
};

}  // namespace tof::viz
