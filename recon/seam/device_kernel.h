// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    double occupancy = 0;  ///< resident threads over the most that a multiprocessor holds, 0..1
};

/// An engine that knows the kernels of its strategies (Engine::offers).
class TellsKernels {
  public:
    virtual ~TellsKernels() = default;
    /// The kernels of every strategy on its first device.
    [[nodiscard]] virtual std::vector<DeviceKernel> kernels() const = 0;
};

}  // namespace tof
