// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tof::test {

/// Crystal of labr3 in a module, by column (from -azimuth) and row (from -z).
inline std::uint32_t crystalAt(std::uint32_t module, std::uint32_t column, std::uint32_t row) {
    return (module * 60 + row) * 27 + column;
}

}  // namespace tof::test
