// SPDX-License-Identifier: Apache-2.0
// Histo-images of a small known image, made with the reference projector: data without noise.
#pragma once

#include <cmath>
#include <memory>

#include "recon/base/constants.h"
#include "recon/data/histo_data.h"
#include "recon/systems/histo/reference.h"

namespace tof::test {

/// Two blobs on a flat disk, 20 x 18 x 6 voxels of 8 mm.
inline Volume smallImage() {
    Volume image(Lattice::centred({20, 18, 6}, {8, 8, 8}));
    for (int z = 0; z < 6; ++z) {
        for (int y = 0; y < 18; ++y) {
            for (int x = 0; x < 20; ++x) {
                const Vec3 p = image.lattice.centre(x, y, z);
                const bool disk = std::hypot(p.x, p.y) < 60;
                const bool blob = std::hypot(p.x - 30, p.y) < 10 || std::hypot(p.x + 20, p.y - 20) < 10;
                image.at(x, y, z) = blob ? 60.0F : disk ? 10.0F : 0.0F;
            }
        }
    }
    return image;
}

/// expected = mult forward(x) + add for 6 x 3 views, with mult and add that are not flat.
inline std::shared_ptr<HistoData> smallData(const KernelSpec& kernel) {
    const Volume image = smallImage();
    auto data = std::make_shared<HistoData>();
    data->lattice = image.lattice;
    data->views = ViewGrid(6, 3, 10 * kRadPerDeg).views();
    data->hash = "small";
    for (const View& view : data->views) {
        const KernelTables tables = buildKernelTables(kernel, image.lattice, view);
        const std::vector<double> forward = referenceForward(tables, image.lattice, image.data);
        for (std::size_t i = 0; i < forward.size(); ++i) {
            const float mult = 0.02F + 0.01F * static_cast<float>(std::sin(0.01 * static_cast<double>(i)));
            const float add = 0.05F;
            data->mult.push_back(mult);
            data->add.push_back(add);
            data->counts.push_back(static_cast<float>(static_cast<double>(mult) * forward[i]) + add);
        }
    }
    return data;
}

}  // namespace tof::test
