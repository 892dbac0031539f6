// SPDX-License-Identifier: Apache-2.0
// Scanner geometry of CASToR. Internal to recon/io.
#pragma once

#include <string>

#include "recon/simulate/scanner.h"

namespace tof {

/// The file that describes scanner `name`: `given` where it is not empty, else NAME.hscan or NAME.geom in the
/// folder of `dataHeader`. Throws BadInput naming the places looked at.
[[nodiscard]] std::string findCastorScanner(const std::string& name, const std::string& given,
                                            const std::string& dataHeader);

/// Reads .geom, or .hscan with its .lut beside (either may be named). CASToR's axes are left-handed (x to the
/// right and y up as seen from the front, z into the scanner), so y changes sign. Throws BadInput.
[[nodiscard]] Scanner readCastorScanner(const std::string& path);

}  // namespace tof
