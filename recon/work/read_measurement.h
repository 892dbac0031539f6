// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "recon/systems/measurement.h"

namespace tof {

/// Reads whichever a data file holds. Throws BadInput.
[[nodiscard]] std::shared_ptr<const Measurement> readMeasurement(const std::string& path);

/// Measurement::system() of a data file without reading the data. Throws BadInput.
[[nodiscard]] std::string systemOfData(const std::string& path);

}  // namespace tof
