// SPDX-License-Identifier: Apache-2.0
// Linked where CUDA was not built: tests ask for an engine first and skip.
#include "recon/base/error.h"
#include "tests/gpu/probes/chosen_plans.h"
#include "tests/gpu/probes/device_faults.h"
#include "tests/gpu/probes/device_tables.h"
#include "tests/gpu/probes/floor_shares.h"
#include "tests/gpu/probes/lost_updates.h"

namespace tof {

LostUpdates countLostUpdates(const LineModel& /*model*/, const std::shared_ptr<Space>& /*space*/) {
    throw Unavailable("CUDA was not built");
}

int countPlansThatDiffer(const DirectModel& /*model*/, const std::vector<std::size_t>& /*some*/) {
    throw Unavailable("CUDA was not built");
}

std::vector<DeviceTables> probeDeviceTables(const DirectModel& /*model*/) {
    throw Unavailable("CUDA was not built");
}

std::vector<float> discrepancyInShares(const std::shared_ptr<Space>& /*space*/, const FloorData& /*data*/,
                                       Discrepancy /*kind*/, const std::vector<std::size_t>& /*cuts*/) {
    throw Unavailable("CUDA was not built");
}

DeviceFaults::DeviceFaults(DeviceCall /*kind*/, long /*at*/, FaultLasts /*lasts*/) {
    throw Unavailable("CUDA was not built");
}

DeviceFaults::~DeviceFaults() = default;

long DeviceFaults::calls() {
    return 0;
}

}  // namespace tof
