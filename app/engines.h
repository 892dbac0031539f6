// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recon/base/log.h"
#include "recon/experiment/device_kernel.h"
#include "recon/seam/engine.h"
#include "recon/simulate/slices.h"

namespace tof {

/// Every engine of this program: cpu, fftw, cuda, cufft. Nothing is opened until it is asked for; the log
/// (not null) is told which engine is there then, and why one is not.
[[nodiscard]] EngineRegistry makeEngineRegistry(const std::shared_ptr<Log>& log = std::make_shared<NoLog>());

/// Who makes the slices of simulated scans in time: `cuda` a device, `cpu` nothing, which is the threads.
/// Throws WrongUse for others, Unavailable with the sentence why there is no device.
[[nodiscard]] SliceMaker makeSlices(const std::string& engine);

/// The same of the `nth` process of a machine: devices are dealt among its processes in turn.
[[nodiscard]] SliceMaker makeSlicesOn(const std::string& engine, int nth);

/// Attributes of the projection kernels of `cuda`. Throws Unavailable with the sentence why there is no
/// device.
[[nodiscard]] std::vector<DeviceKernel> deviceKernels();

}  // namespace tof
