// SPDX-License-Identifier: Apache-2.0
// Values of kernel tables as strategies keep them, made on the host.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "recon/kernel/kernel_tables.h"

namespace tof {

/// The bf16 nearest to a finite float, ties to even, as its upper 16 bits.
[[nodiscard]] inline std::uint32_t nearestBf16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;
}

/// A value as two bf16 whose sum it is to 2^-16 of itself, the larger in the lower half.
[[nodiscard]] inline std::uint32_t asTwoBf16(float value) {
    const std::uint32_t high = nearestBf16(value);
    return high | nearestBf16(value - std::bit_cast<float>(high << 16U)) << 16U;
}

/// A view's values with row i of tap t at i rowStride + places[t] tapStride; a negative place is left out,
/// null stands for the tap itself, and what no value goes to is 0. Ends with the last value.
template <typename Value>
[[nodiscard]] std::vector<Value> arranged(const KernelTables& tables, const std::int32_t* places,
                                          std::size_t rowStride, std::size_t tapStride) {
    const auto placeOf = [&](std::size_t t) {
        return places == nullptr ? static_cast<std::int64_t>(t) : static_cast<std::int64_t>(places[t]);
    };
    std::int64_t last = 0;
    for (std::size_t t = 0; t < tables.taps.size(); ++t) {
        last = std::max(last, placeOf(t));
    }
    std::vector<Value> result((static_cast<std::size_t>(tables.rows) - 1) * rowStride +
                              static_cast<std::size_t>(last) * tapStride + 1);
    for (int row = 0; row < tables.rows; ++row) {
        const auto values = tables.row(row);
        for (std::size_t t = 0; t < values.size(); ++t) {
            if (placeOf(t) >= 0) {
                Value& to = result[static_cast<std::size_t>(row) * rowStride +
                                   static_cast<std::size_t>(placeOf(t)) * tapStride];
                if constexpr (std::is_same_v<Value, float>) {
                    to = values[t];
                } else {
                    to = asTwoBf16(values[t]);
                }
            }
        }
    }
    return result;
}

}  // namespace tof
