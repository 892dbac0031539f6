// SPDX-License-Identifier: Apache-2.0
// The colour maps of pictures under the names that this room has for them.
#pragma once

#include "recon/metrics/colour_map.h"

namespace tof::viz {

using tof::ColourMap;
using tof::kLabelMap;
using tof::Rgb;

}  // namespace tof::viz
