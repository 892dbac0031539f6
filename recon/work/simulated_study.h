// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/work/bin.h"
#include "recon/work/simulate.h"

namespace tof {

/// Simulates a scan, bins its events (as `binning` says; its input is not looked at) where it is list-mode,
/// and makes a study of the data at `folder`, which must not be there. Throws as simulateScan(), binEvents()
/// and Study::create() do; then nothing is left behind.
void createSimulatedStudy(const std::string& folder, const SimulateRequest& request,
                          const BinRequest& binning, const ThreadPool& pool, WorkProgress& progress);

}  // namespace tof
