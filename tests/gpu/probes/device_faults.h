// SPDX-License-Identifier: Apache-2.0
// Lets calls of the CUDA runtime fail, in the program of these tests alone: the linker leads them here
// (tests/CMakeLists.txt).
#pragma once

namespace tof {

enum class DeviceCall { Allocation, Launch, Copy, Wait };

enum class FaultLasts {
    Once,
    ForEver  ///< every call of any kind fails from there on: the device is lost
};

/// While it lives the call numbered `at` of a kind (from 1; 0 for none) fails without being made. One at a
/// time. Not thread-safe.
class DeviceFaults {
  public:
    DeviceFaults(DeviceCall kind, long at, FaultLasts lasts);
    ~DeviceFaults();
    DeviceFaults(const DeviceFaults&) = delete;
    DeviceFaults& operator=(const DeviceFaults&) = delete;
    /// Calls of the kind so far.
    [[nodiscard]] static long calls();
};

}  // namespace tof
