// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gpu/lines/line_part.h"
#include "gpu/lines/line_strategies.h"
#include "gpu/space/cuda_owned.h"

namespace tof {

/// Events as they come, or neighbours beside each other, which is faster. Only kernels that know of an order
/// (event_kernels.h, tile_kernels.h) may be given one. OnHost: nearby, and left in host memory.
enum class EventOrder { AsTheyCome, Nearby, OnHost };

/// True when there is a table of the model's time bins.
[[nodiscard]] bool shortTimes(const LineWork& work);
/// True when lines can be followed in single precision by Siddon's path (recon/systems/lines/event_path.h).
[[nodiscard]] bool shortPaths(const LineWork& work);

/// Lines of a model in device memory.
class DeviceLines {
  public:
    DeviceLines(const LineWork& work, EventOrder order);

    [[nodiscard]] std::size_t parts() const { return lines_.parts(); }
    [[nodiscard]] device::LinePart part(std::size_t index) const;
    [[nodiscard]] std::vector<device::LinePart> allParts() const;
    /// EventOrder::OnHost: records of a part's events, and the part once they are in device memory.
    [[nodiscard]] std::span<const device::EventRecord> onHost(std::size_t index) const {
        return {hostRecords_.data() + firstOf(index), lines_.partSize(index)};
    }
    [[nodiscard]] device::LinePart part(std::size_t index,
                                        DeviceSpan<const device::EventRecord> records) const;
    /// A list's events, and the first one of a part.
    [[nodiscard]] std::size_t events() const { return lines_.events()->pairs.size(); }
    [[nodiscard]] std::size_t firstOf(std::size_t part) const { return lines_.events()->firstOf(part); }
    [[nodiscard]] device::EventTable eventTable() const {
        return {pieces_.span(), table_.count, table_.perMm};
    }
    [[nodiscard]] std::size_t bytes() const;

  private:
    void placeEvents(CudaSpace& space, EventOrder order);
    void placeBins(CudaSpace& space);
    [[nodiscard]] std::vector<device::EventRecord> nearbyRecords(const CudaSpace& space) const;
    void orderOnDevice(CudaSpace& space);
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
    std::vector<device::EventRecord> hostRecords_;
    TimeTable table_;
    DeviceBuffer<TimePiece> pieces_;
};

}  // namespace tof
