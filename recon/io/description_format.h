// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// Name of descriptionFormat().
inline constexpr const char* kDescription = "description";

/// Descriptions in JSON that commands take: scanners, rings, phantoms, kernels, regions of interest; and
/// crystal maps and scanner tables of other programs. They hold no data, so
/// their kind is Unknown; `info` tells what they describe.
[[nodiscard]] Format descriptionFormat();

}  // namespace tof
