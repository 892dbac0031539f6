// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "gpu/panel/matrix_work.h"

namespace tof::device {

namespace {

/// As panelPoints() has it: 1 or 0.
int isNear(int apart) {
    return panelPoints(1, apart).count > 1 ? 1 : 0;
}

/// Heads exchanged and the line turned back by both reflections: the same about its middle.
bool turns(const PanelClass& which) {
    return which.layer0 == which.layer1;
}

}  // namespace

PanelVoxels panelVoxels(const PanelGeometry& g, const PanelQuadrature& quadrature) {
    constexpr int kFar = 1 << 10;
    const auto [x, y, z] = quadrature.points;
    return {g.planes,
            {g.planeSpacing_mm, g.pitch_mm[0] / g.voxelsPerPitch, g.pitch_mm[1] / g.voxelsPerPitch},
            quadrature.rays,
            panelPoints(x, kFar),
            {panelPoints(y, kFar), panelPoints(y, 0)},
            {panelPoints(z, kFar), panelPoints(z, 0)}};
}

std::vector<MatrixSlab> matrixSlabs(const PanelGeometry& g, const PanelVoxels& voxels,
                                    const PanelClass& which) {
    const PanelPair pair = panelPair(g, which);
    const int planes = turns(which) ? (g.planes + 1) / 2 : g.planes;
    std::vector<MatrixSlab> slabs;
    std::int64_t offset = 0;
    for (int plane = 0; plane < planes; ++plane) {
        const double x = (plane - 0.5 * (g.planes - 1)) * voxels.spacing[0];
        const std::array<int, 2> y =
            voxelsCrossed(pair, 0, x, voxels.spacing[1], g.voxelsPerPitch * (which.dy + 1));
        const std::array<int, 2> z =
            voxelsCrossed(pair, 1, x, voxels.spacing[2], g.voxelsPerPitch * (which.dz + 1));
        slabs.push_back({0, plane, y[0], y[1] - y[0] + 1, z[0], z[1] - z[0] + 1, isNear(which.dy),
                         isNear(which.dz), offset});
        offset += slabs.back().voxels();
    }
    return slabs;
}

std::vector<float> slabValues(const PanelPair& pair, const PanelVoxels& voxels, const MatrixSlab& slab) {
    std::vector<float> values(static_cast<std::size_t>(slab.voxels()));
    PanelRays rays;
    for (int y = 0; y < slab.countY; ++y) {
        for (int i = 0; i < voxels.alongX.count; ++i) {
            for (int j = 0; j < voxels.alongY[slab.nearY].count; ++j) {
                panelVoxelRays(pair, voxels, slab, i, j, slab.firstY + y, rays);
                const PanelStrip strip = panelVoxelStrip(pair, voxels, slab, i, rays);
                for (int z = strip.first; z <= strip.last; ++z) {
                    double mean = 0;
                    for (int k = 0; k < voxels.alongZ[slab.nearZ].count; ++k) {
                        mean += panelPointShare(pair, voxels, slab, i, k, z, rays);
                    }
                    values[static_cast<std::size_t>((z - slab.firstZ) * slab.countY + y)] +=
                        panelVoxelShare(voxels, slab, i, j, mean);
                }
            }
        }
    }
    return values;
}

PanelEntries entriesOfSlabs(const PanelGeometry& g, const PanelQuadrature& quadrature,
                            const PanelClass& which, std::span<const MatrixSlab> slabs,
                            std::span<const float> values) {
    PanelEntries all;
    for (const MatrixSlab& slab : slabs) {
        for (int i = 0; i < slab.voxels(); ++i) {
            const float value = values[static_cast<std::size_t>(slab.offset - slabs.front().offset + i)];
            if (value > 0) {
                all.places.push_back(PanelPlace::pack(slab.plane, slab.firstY + i % slab.countY,
                                                      slab.firstZ + i / slab.countY));
                all.values.push_back(value);
            }
        }
    }
    if (turns(which)) {
        // The other half in the order of places: the first one backwards.
        const int lastY = g.voxelsPerPitch * (which.dy + 1) - 1;
        const int lastZ = g.voxelsPerPitch * (which.dz + 1) - 1;
        for (std::size_t i = all.places.size(); i-- > 0;) {
            const std::uint32_t place = all.places[i];
            const int x = g.planes - 1 - PanelPlace::x(place);
            if (x >= (g.planes + 1) / 2) {
                all.places.push_back(
                    PanelPlace::pack(x, lastY - PanelPlace::y(place), lastZ - PanelPlace::z(place)));
                all.values.push_back(all.values[i]);
            }
        }
    }
    for (const float value : all.values) {
        all.sum += static_cast<double>(value);
    }
    // The least value that stays: of equal ones all or none, so that symmetric entries go together.
    std::vector<float> sorted = all.values;
    std::sort(sorted.begin(), sorted.end());
    double left = 0;
    float least = 0;
    for (const float value : sorted) {
        left += static_cast<double>(value);
        least = value;
        if (left > quadrature.leftOut * all.sum) {
            break;
        }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.values.size(); ++i) {
        if (all.values[i] >= least) {
            all.places[kept] = all.places[i];
            all.values[kept] = all.values[i];
            all.kept += static_cast<double>(all.values[i]);
            ++kept;
        }
    }
    all.places.resize(kept);
    all.values.resize(kept);
    // What stays makes up for what goes.
    const double scale = all.kept > 0 ? all.sum / all.kept : 1;
    for (float& value : all.values) {
        value = static_cast<float>(scale * static_cast<double>(value));
    }
    all.places.shrink_to_fit();
    all.values.shrink_to_fit();
    return all;
}

}  // namespace tof::device
