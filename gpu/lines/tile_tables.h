// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gpu/lines/tile_kernels.h"
#include "gpu/space/cuda_space.h"

namespace tof {

/// The pieces of a list's events in tiles of the image, in device memory, and back projection by them.
class TileTables {
  public:
    /// `parts` have their events in place; `direction` is their meanDirection().
    TileTables(CudaSpace& space, const std::vector<device::LinePart>& parts, const device::EventTable& table,
               const Vec3& direction);

    [[nodiscard]] std::size_t bytes() const { return pieces_.bytes() + items_.bytes() + sums_.bytes(); }

    /// image = (or +=) F^T p; `part` is parts[index].
    void back(cudaStream_t stream, std::size_t index, const device::LinePart& part, const float* p, bool add,
              float* image);

  private:
    struct Items {
        std::size_t first;
        unsigned count;
    };

    device::EventTable table_;
    TileGrid tiles_;
    std::vector<Items> itemsOf_;  ///< of each part
    DeviceBuffer<std::uint32_t> pieces_;
    DeviceBuffer<TileItem> items_;
    DeviceBuffer<unsigned long long> sums_;
    DeviceBuffer<device::TypicalDatum> typical_;
    DeviceBuffer<device::FixedScale> scale_;
};

}  // namespace tof
