// SPDX-License-Identifier: Apache-2.0
#include "gpu/lines/device_lines.h"

#include <algorithm>

#include "gpu/lines/order_kernels.h"
#include "recon/base/large_array.h"
#include "recon/systems/lines/event_order.h"

namespace tof {

namespace {

constexpr const char* kPurpose = "lines of response";

/// The span, or none where there is no buffer.
template <typename T>
DeviceSpan<const T> fromPlace(const DeviceBuffer<T>& buffer, std::size_t first) {
    return buffer.size() == 0 ? DeviceSpan<const T>() : buffer.span().from(first);
}

}  // namespace

bool shortTimes(const LineWork& work) {
    const RayTof tof = rayTof(work.lines.tof());
    return tof.count == 0 || !TimeTable::of(tof).pieces.empty();
}

bool shortPaths(const LineWork& work) {
    return work.model.method != RayMethod::Joseph && shortTimes(work);
}

DeviceLines::DeviceLines(const LineWork& work, EventOrder order)
    : lines_(work.lines),
      op_{rayGrid(work.model.lattice, work.model.fovRadius_mm), rayTof(work.lines.tof()),
          work.model.method == RayMethod::Joseph},
      table_(TimeTable::of(op_.tof)) {
    pieces_ = work.space.uploaded(table_.pieces, kPurpose);
    if (lines_.events() != nullptr) {
        placeEvents(work.space, order);
    } else {
        placeBins(work.space);
    }
}

std::size_t DeviceLines::bytes() const {
    return transverse_.bytes() + planes_.bytes() + shifts_.bytes() + points_.bytes() + pairs_.bytes() +
           timeBins_.bytes() + records_.bytes();
}

device::LinePart DeviceLines::part(std::size_t index) const {
    return lines_.events() != nullptr ? eventPart(index) : binPart(index);
}

std::vector<device::LinePart> DeviceLines::allParts() const {
    std::vector<device::LinePart> all;
    for (std::size_t i = 0; i < parts(); ++i) {
        all.push_back(part(i));
    }
    return all;
}

device::LinePart DeviceLines::eventPart(std::size_t index) const {
    const std::size_t first = lines_.events()->firstOf(index);
    device::LinePart part;
    part.op = op_;
    part.data = lines_.partSize(index);
    part.points = points_.span();
    part.pairs = fromPlace(pairs_, first);
    part.eventTimeBins = fromPlace(timeBins_, first);
    part.events = fromPlace(records_, first);
    return part;
}

device::LinePart DeviceLines::part(std::size_t index, DeviceSpan<const device::EventRecord> records) const {
    device::LinePart part = eventPart(index);
    part.events = records;
    return part;
}

device::LinePart DeviceLines::binPart(std::size_t index) const {
    const Michelogram& m = *lines_.michelogram();
    device::LinePart part;
    part.op = op_;
    part.data = lines_.partSize(index);
    part.sinograms = static_cast<int>(m.sinograms().size());
    part.radialBins = m.radialBins();
    part.timeBins = m.timeBins();
    part.radialRays = lines_.radialRays();
    part.axialRays = lines_.rays() / lines_.radialRays();
    const std::size_t linesPerPart = static_cast<std::size_t>(m.spec().anglesPerPart) *
                                     static_cast<std::size_t>(m.radialBins()) *
                                     static_cast<std::size_t>(part.radialRays);
    part.transverse = transverse_.span().from(index * linesPerPart);
    part.planes = planes_.span();
    part.axialShifts = shifts_.span();
    return part;
}

void DeviceLines::placeBins(CudaSpace& space) {
    std::vector<device::PlaneEnds> planes;
    for (const Sinogram& plane : lines_.michelogram()->sinograms()) {
        planes.push_back({plane.z1_mm, plane.z2_mm});
    }
    transverse_ = space.uploaded(lines_.transverse(), kPurpose);
    planes_ = space.uploaded(planes, kPurpose);
    shifts_ = space.uploaded(lines_.axialShifts(), kPurpose);
}

void DeviceLines::placeEvents(CudaSpace& space, EventOrder order) {
    const LineEvents& events = *lines_.events();
    points_ = space.uploaded(events.points, kPurpose);
    if (order == EventOrder::Nearby) {
        orderOnDevice(space);
        return;
    }
    if (order == EventOrder::OnHost) {
        hostRecords_ = nearbyRecords(space);
        return;
    }
    std::vector<uint2> pairs(events.pairs.size());
    std::transform(events.pairs.begin(), events.pairs.end(), pairs.begin(), [](const auto& pair) {
        return uint2{pair[0], pair[1]};
    });
    pairs_ = space.uploaded(pairs, kPurpose);
    timeBins_ = space.uploaded(lines_.eventTimeBins(), kPurpose);
}

/// Part by part, so that what they are ordered by takes little room beside them.
void DeviceLines::orderOnDevice(CudaSpace& space) {
    const LineEvents& events = *lines_.events();
    const std::vector<int>& timeBins = lines_.eventTimeBins();
    std::size_t most = 0;
    for (std::size_t part = 0; part < lines_.parts(); ++part) {
        most = std::max(most, lines_.partSize(part));
    }
    records_ = space.buffer<device::EventRecord>(events.pairs.size(), kPurpose);
    auto pairs = space.buffer<uint2>(most, kPurpose);
    DeviceBuffer<int> bins;
    DeviceBuffer<float> dt;
    if (!timeBins.empty()) {
        bins = space.buffer<int>(most, kPurpose);
        dt = space.buffer<float>(most, kPurpose);
    }
    auto keys = space.buffer<std::uint32_t>(4 * most, kPurpose);
    auto sorting = space.buffer<unsigned char>(device::bytesForSorting(most), kPurpose);
    const device::OrderRoom room{{keys.span().part(0, most), keys.span().part(most, most)},
                                 {keys.span().part(2 * most, most), keys.span().part(3 * most, most)},
                                 sorting.span()};
    const EventKey key;
    static_assert(sizeof(uint2) == sizeof(events.pairs.front()));
    for (std::size_t part = 0; part < lines_.parts(); ++part) {
        const std::size_t first = events.firstOf(part);
        const std::size_t size = lines_.partSize(part);
        space.sendTo<uint2>(pairs, {reinterpret_cast<const uint2*>(events.pairs.data() + first), size});
        if (!timeBins.empty()) {
            space.sendTo<int>(bins, {timeBins.data() + first, size});
            space.sendTo<float>(dt, {events.dt_ps.data() + first, size});
        }
        const std::size_t timed = timeBins.empty() ? 0 : size;
        device::putEventsInOrder(key,
                                 {points_.span(), pairs.span().part(0, size), dt.span().part(0, timed),
                                  bins.span().part(0, timed)},
                                 room, records_.span().part(first, size), space.stream());
    }
    check(cudaStreamSynchronize(space.stream()), "put events in order");
}

std::vector<device::EventRecord> DeviceLines::nearbyRecords(const CudaSpace& space) const {
    const LineEvents& events = *lines_.events();
    const std::vector<int>& timeBins = lines_.eventTimeBins();
    auto records = largeArray<device::EventRecord>(events.pairs.size(), space.pool());
    space.pool().forRange(lines_.parts(), 1, [&](std::size_t part, std::size_t) {
        const std::size_t first = events.firstOf(part);
        const std::vector<std::uint32_t> order = nearbyOrder(events, first, lines_.partSize(part));
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::size_t event = first + order[i];
            records[first + i] = {events.pairs[event][0], events.pairs[event][1],
                                  timeBins.empty() ? 0 : timeBins[event], order[i]};
        }
    });
    return records;
}

}  // namespace tof
