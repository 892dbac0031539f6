// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tof {

/// What a device says of one of its projection kernels (paper 000, Table II).
struct DeviceKernel {
    std::string strategy;
    std::string projection;  ///< "forward", "back", or what else it does
    double constantBytes = 0;
    double localBytesPerThread = 0;
    double sharedBytesPerBlock = 0;
    int threadsPerBlock = 0;
    int registersPerThread = 0;
    double occupancy = 0;  ///< 0..1
};

/// Throws Unavailable where there is no device.
using DeviceKernels = std::function<std::vector<DeviceKernel>()>;

}  // namespace tof
