// SPDX-License-Identifier: Apache-2.0
#include "gpu/lines/order_kernels.h"

#include <cub/device/device_radix_sort.cuh>

#include "gpu/space/cuda_check.h"
#include "recon/base/constants.h"

namespace tof::device {

namespace in_order_kernels {

constexpr unsigned kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    keyKernel(const __grid_constant__ EventKey keys, UnorderedEvents events, DeviceSpan<std::uint32_t> keyOf,
              DeviceSpan<std::uint32_t> places) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i < events.pairs.size()) {
        const uint2 pair = events.pairs[i];
        const double late_mm = events.dt_ps.empty() ? 0 : static_cast<double>(events.dt_ps[i]) * kMmPerPs;
        keyOf[i] = keys.of(events.points[pair.x], events.points[pair.y], late_mm);
        places[i] = static_cast<std::uint32_t>(i);
    }
}

__global__ void __launch_bounds__(kThreads)
    recordKernel(UnorderedEvents events, const std::uint32_t* places, DeviceSpan<EventRecord> records) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i < events.pairs.size()) {
        const std::uint32_t event = places[i];
        const uint2 pair = events.pairs[event];
        records[i] = {pair.x, pair.y, events.timeBins.empty() ? 0 : events.timeBins[event], event};
    }
}

}  // namespace in_order_kernels
using namespace in_order_kernels;

std::size_t bytesForSorting(std::size_t events) {
    std::size_t bytes = 0;
    cub::DoubleBuffer<std::uint32_t> none(nullptr, nullptr);
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, none, none, static_cast<int>(events), 0,
                                          EventKey::kKeyBits),
          "put events in order");
    return bytes;
}

void putEventsInOrder(const EventKey& keys, const UnorderedEvents& events, const OrderRoom& room,
                      DeviceSpan<EventRecord> records, cudaStream_t stream) {
    const std::size_t count = events.pairs.size();
    const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
    keyKernel<<<blocks, kThreads, 0, stream>>>(keys, events, room.keys[0], room.places[0]);
    checkLaunch("put events in order", {count});
    cub::DoubleBuffer<std::uint32_t> byKey(room.keys[0].get(), room.keys[1].get());
    cub::DoubleBuffer<std::uint32_t> places(room.places[0].get(), room.places[1].get());
    std::size_t bytes = room.sorting.size();
    check(cub::DeviceRadixSort::SortPairs(room.sorting.get(), bytes, byKey, places, static_cast<int>(count),
                                          0, EventKey::kKeyBits, stream),
          "put events in order");
    recordKernel<<<blocks, kThreads, 0, stream>>>(events, places.Current(), records);
    checkLaunch("put events in order", {count});
}

}  // namespace tof::device
