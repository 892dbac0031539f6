// SPDX-License-Identifier: Apache-2.0
#include "viz/slice_renderer.h"

namespace tof::viz {

SliceRequest SlabResolver::resolve(const SliceRequest& request) {
    const Lattice& lattice = request.volume->lattice;
    const int axis = planeAxes(request.view.plane, request.view.orientation).normal;
    const double at = coordinate(request.view.centre, axis);
    const int index = nearestIndex(lattice, axis, at);
    if (!(request.slab_mm > 0) || index < 0 || index >= lattice.size[static_cast<std::size_t>(axis)]) {
        return request;
    }
    const LayerRange layers = layersOf(lattice, axis, at, request.slab_mm);
    if (slab_ == nullptr || source_ != request.volume || axis_ != axis || !(layers_ == layers) ||
        mode_ != request.slabMode) {
        slab_ = slabOf(*request.volume, axis, layers, request.slabMode);
        source_ = request.volume;
        axis_ = axis;
        layers_ = layers;
        mode_ = request.slabMode;
    }
    SliceRequest resolved = request;
    resolved.volume = slab_;
    return resolved;
}

void Picture::setFromBottomUp(int columns, int rows, const unsigned char* rgba) {
    width = columns;
    height = rows;
    const auto across = static_cast<std::size_t>(columns);
    pixels.resize(across * static_cast<std::size_t>(rows));
    for (int y = rows - 1; y >= 0; --y) {
        std::uint32_t* out = pixels.data() + static_cast<std::size_t>(y) * across;
        for (std::size_t x = 0; x < across; ++x, rgba += 4) {
            out[x] = Rgb{rgba[0], rgba[1], rgba[2]}.packed();
        }
    }
}

}  // namespace tof::viz
