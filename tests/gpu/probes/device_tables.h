// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "recon/kernel/kernel_tables.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

/// LORmap, mSR and mSRval of one view as a device holds them.
struct DeviceTables {
    std::vector<std::int32_t> ids;
    std::vector<KernelTap> taps;
    std::vector<float> values;  ///< [row][tap]
};

/// Places the tables of every view on device 0 and brings them back, for comparison with buildKernelTables().
/// Throws Unavailable without a device.
[[nodiscard]] std::vector<DeviceTables> probeDeviceTables(const DirectModel& model);

}  // namespace tof
