// SPDX-License-Identifier: Apache-2.0
#include "recon/data/factor_grid.h"

#include <algorithm>
#include <cmath>

#include "recon/base/large_array.h"

namespace tof {

void FactorGrid::expand(const Lattice& lattice, const View& view, float share, const float* table,
                        const float* ofVoxels, float* out) const {
    const auto columns = static_cast<std::size_t>(lattice.size[0]);
    const auto rows = static_cast<std::size_t>(lattice.size[1]);
    const double cosine = std::cos(view.phi);
    const double sine = std::sin(view.phi);
    const double rise = std::tan(view.theta) / lattice.spacing_mm[2];
    std::vector<float> row(columns * slices);  // [x][z]
    for (std::size_t y = 0; y < rows; ++y) {
        for (std::size_t x = 0; x < columns; ++x) {
            const Vec3 p = lattice.centre(static_cast<double>(x), static_cast<double>(y), 0);
            float* const column = row.data() + x * slices;
            if (p.x * p.x + p.y * p.y >= reach_mm * reach_mm) {
                std::fill_n(column, slices, 0.0F);
                continue;
            }
            const FactorColumns around(*this, table, p.x * cosine + p.y * sine, p.y * cosine - p.x * sine,
                                       rise);
            for (std::size_t z = 0; z < slices; ++z) {
                column[z] = share * (alongLines ? around.onLine(z) : around.at(z));
            }
        }
        for (std::size_t z = 0; z < slices; ++z) {
            float* const to = out + (z * rows + y) * columns;
            for (std::size_t x = 0; x < columns; ++x) {
                to[x] = row[x * slices + z];
            }
        }
    }
    for (std::size_t i = 0; i < voxels.size(); ++i) {
        out[voxels[i]] = ofVoxels[i];
    }
}

std::vector<float> FactorGrid::expanded(const Lattice& lattice, const std::vector<View>& views,
                                        const ThreadPool& pool) const {
    std::vector<float> all = largeArray<float>(views.size() * lattice.voxels(), pool);
    pool.forRange(views.size(), 1, [&](std::size_t view, std::size_t) {
        expand(lattice, views[view], shares[view], values.data() + tables[view] * tableSize(),
               inVoxels.data() + view * voxels.size(), all.data() + view * lattice.voxels());
    });
    return all;
}

}  // namespace tof
