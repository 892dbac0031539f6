// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "recon/ranks/communicator.h"
#include "recon/systems/measurement.h"

namespace tof {

/// What readMeasurement() gives, for one rank of those that are about to make a run with `settings`. Of
/// histo-images in HDF5 each view is read by one rank, which passes on what others need of it: nothing is
/// read twice, and a rank keeps no more than its share. Called by all ranks. Other data are read by each.
/// Throws BadInput, WrongUse.
[[nodiscard]] std::shared_ptr<const Measurement> readMeasurementOfRank(const std::string& path,
                                                                       const RunSettings& settings,
                                                                       Communicator& ranks, std::string& note,
                                                                       std::function<void()> heed = {});

}  // namespace tof
