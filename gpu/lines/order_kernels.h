// SPDX-License-Identifier: Apache-2.0
// Events in the order of nearbyOrder(), found on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "gpu/lines/line_part.h"
#include "recon/systems/lines/event_key.h"

namespace tof::device {

/// What a part's events are put in order by; `pairs` are as many as the part's events.
struct UnorderedEvents {
    DeviceSpan<const Vec3> points;
    DeviceSpan<const uint2> pairs;
    DeviceSpan<const float> dt_ps;   ///< empty without time of flight
    DeviceSpan<const int> timeBins;  ///< as dt_ps
};

/// Scratch of putEventsInOrder(): as many keys and places, twice, as there are events at most, and `sorting`.
struct OrderRoom {
    DeviceSpan<std::uint32_t> keys[2];    // NOLINT: by turns
    DeviceSpan<std::uint32_t> places[2];  // NOLINT
    DeviceSpan<unsigned char> sorting;    ///< bytesForSorting()
};

[[nodiscard]] std::size_t bytesForSorting(std::size_t events);

/// Writes the records of the events, neighbours beside each other, equal ones as they come.
void putEventsInOrder(const EventKey& keys, const UnorderedEvents& events, const OrderRoom& room,
                      DeviceSpan<EventRecord> records, cudaStream_t stream);

}  // namespace tof::device
