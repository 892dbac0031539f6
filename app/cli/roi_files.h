// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/metrics/figures_of_merit.h"

namespace tof {

/// ROIs of a JSON file, or one per label of a volume. Throws BadInput.
[[nodiscard]] RoiSet readRoiSet(const std::string& path);
/// "x,y,z" in mm. Throws WrongUse that names `option`.
[[nodiscard]] Vec3 pointFromText(const std::string& option, const std::string& text);

}  // namespace tof
