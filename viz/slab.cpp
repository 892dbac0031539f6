// SPDX-License-Identifier: Apache-2.0
#include "viz/slab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "viz/slice_view.h"

namespace tof::viz {

namespace {

/// out = out joined with one layer's row; rows are contiguous unless the slab is taken along x.
void joinRow(float* out, const float* row, std::size_t count, SlabMode mode) {
    const auto join = [&](auto joined) {
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = joined(out[i], row[i]);
        }
    };
    switch (mode) {
        case SlabMode::Mean: return join([](float a, float b) { return a + (std::isnan(b) ? 0.0F : b); });
        case SlabMode::Largest: return join([](float a, float b) { return b > a ? b : a; });
        case SlabMode::Strongest:
            return join([](float a, float b) { return std::abs(b) > std::abs(a) ? b : a; });
    }
}

/// A run joined to one value; a mean is summed in order, the others in lanes that a processor takes at once.
float joinedRun(const float* row, std::size_t count, SlabMode mode, float start) {
    constexpr std::size_t kLanes = 16;
    std::array<float, kLanes> lanes{};
    lanes.fill(start);
    std::size_t i = 0;
    for (; mode != SlabMode::Mean && i + kLanes <= count; i += kLanes) {
        joinRow(lanes.data(), row + i, kLanes, mode);
    }
    float joined = start;
    for (std::size_t lane = 0; i > 0 && lane < kLanes; ++lane) {
        joinRow(&joined, lanes.data() + lane, 1, mode);
    }
    for (; i < count; ++i) {
        joinRow(&joined, row + i, 1, mode);
    }
    return joined;
}

}  // namespace

LayerRange layersOf(const Lattice& lattice, int axis, double centre_mm, double thickness_mm) {
    const int size = lattice.size[static_cast<std::size_t>(axis)];
    const double step = lattice.spacing_mm[static_cast<std::size_t>(axis)];
    const double index = (centre_mm - coordinate(lattice.origin_mm, axis)) / step;
    const double half = thickness_mm / 2 / step * (1 + 1e-9);
    const int nearest = std::clamp(nearestIndex(lattice, axis, centre_mm), 0, size - 1);
    const double first = std::clamp(std::ceil(index - half), 0.0, static_cast<double>(nearest));
    const double last = std::clamp(std::floor(index + half), static_cast<double>(nearest), size - 1.0);
    return {static_cast<int>(first), static_cast<int>(last)};
}

std::shared_ptr<const Volume> slabOf(const Volume& volume, int axis, LayerRange layers, SlabMode mode) {
    const Lattice& lattice = volume.lattice;
    const auto k = static_cast<std::size_t>(axis);
    Lattice flat = lattice;
    flat.size[k] = 1;
    flat.spacing_mm[k] *= layers.count();
    Vec3 origin = lattice.origin_mm;
    setCoordinate(origin, axis,
                  coordinate(origin, axis) + lattice.spacing_mm[k] * (layers.first + layers.last) / 2.0);
    flat.origin_mm = origin;
    const float start = mode == SlabMode::Largest ? -std::numeric_limits<float>::infinity() : 0.0F;
    auto slab = std::make_shared<Volume>(flat, start);
    slab->units = volume.units;
    const auto nx = static_cast<std::size_t>(lattice.size[0]);
    const auto count = static_cast<std::size_t>(layers.count());
    for (int z = 0; z < lattice.size[2]; ++z) {
        for (int y = 0; y < lattice.size[1]; ++y) {
            if ((axis == 2 && (z < layers.first || z > layers.last)) ||
                (axis == 1 && (y < layers.first || y > layers.last))) {
                continue;
            }
            const float* row = volume.data.data() + lattice.index(0, y, z);
            float* out = slab->data.data() + flat.index(0, axis == 1 ? 0 : y, axis == 2 ? 0 : z);
            if (axis == 0) {
                *out = joinedRun(row + layers.first, count, mode, start);
            } else {
                joinRow(out, row, nx, mode);
            }
        }
    }
    if (mode == SlabMode::Mean) {
        for (float& v : slab->data) {
            v /= static_cast<float>(count);
        }
    }
    return slab;
}

}  // namespace tof::viz
