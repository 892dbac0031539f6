// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/figure/drawing.h"

namespace tof {

/// Bytes in the form of zlib. Throws InternalError.
[[nodiscard]] std::string deflated(const std::string& bytes);

/// Pixels as the rows of a PNG file, filtered and deflated, which PDF reads by its predictor 15, too.
[[nodiscard]] std::string pngRows(const Pixels& pixels);

/// A PNG file. (The room has no libpng: what it writes is three chunks about pngRows().)
[[nodiscard]] std::string pngFile(const Pixels& pixels);

}  // namespace tof
