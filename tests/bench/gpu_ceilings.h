// SPDX-License-Identifier: Apache-2.0
// What a card reaches at best, measured: the ceilings that bench figures are set against.
#pragma once

namespace tof {

struct GpuCeilings {
    double fmaPerSecond = 0;         ///< single-precision multiply-adds, plain units
    double tensorMacsPerSecond = 0;  ///< bf16 multiply-adds by mma.sync
    double copyBytesPerSecond = 0;   ///< device to device, bytes read plus bytes written
    double linkBytesPerSecond = 0;   ///< page-locked host memory to the device
};

/// Throws Unavailable when a call fails.
[[nodiscard]] GpuCeilings measureGpuCeilings();

}  // namespace tof
