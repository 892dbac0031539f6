// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gpu/lines/line_part.h"
#include "gpu/lines/line_strategies.h"
#include "gpu/space/cuda_owned.h"

namespace tof {

/// Events as they come, or neighbours beside each other, which is faster. Only kernels that know of an order
/// (event_kernels.h, tile_kernels.h) may be given one.
enum class EventOrder { AsTheyCome, Nearby };

/// True when lines can be followed in single precision (recon/systems/lines/event_path.h).
[[nodiscard]] bool shortPaths(const LineWork& work);

/// Lines of a model in device memory.
class DeviceLines {
  public:
    DeviceLines(const LineWork& work, EventOrder order);

    [[nodiscard]] std::size_t parts() const { return lines_.parts(); }
    [[nodiscard]] device::LinePart part(std::size_t index) const;
    [[nodiscard]] std::vector<device::LinePart> allParts() const;
    [[nodiscard]] device::EventTable eventTable() const {
        return {pieces_.span(), table_.count, table_.perMm};
    }
    [[nodiscard]] std::size_t bytes() const;

  private:
    void placeEvents(CudaSpace& space, EventOrder order);
    void placeBins(CudaSpace& space);
    [[nodiscard]] std::vector<device::EventRecord> nearbyRecords(const CudaSpace& space) const;
    [[nodiscard]] device::LinePart eventPart(std::size_t index) const;
    [[nodiscard]] device::LinePart binPart(std::size_t index) const;

    const LineTable& lines_;
    LineOperator op_;
    DeviceBuffer<TransverseLine> transverse_;
    DeviceBuffer<device::PlaneEnds> planes_;
    DeviceBuffer<double> shifts_;
    DeviceBuffer<Vec3> points_;
    DeviceBuffer<uint2> pairs_;
    DeviceBuffer<int> timeBins_;
    DeviceBuffer<device::EventRecord> records_;
    TimeTable table_;
    DeviceBuffer<TimePiece> pieces_;
};

}  // namespace tof
