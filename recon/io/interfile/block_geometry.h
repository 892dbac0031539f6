// SPDX-License-Identifier: Apache-2.0
// Where the crystals of scanners that are no cylinders are, as STIR has them. Internal to recon/io.
#pragma once

#include <vector>

#include "recon/base/vec3.h"

namespace tof {

class InterfileHeader;
struct RingScanner;

enum class StirGeometry { Cylindrical, Blocks, Generic };

/// Reads `Scanner geometry (BlocksOnCylindrical/Cylindrical/Generic)`, in any bracketing. Throws BadInput.
[[nodiscard]] StirGeometry geometryOf(const InterfileHeader& header);

/// Reference points of all crystals, index ring x crystalsPerRing + place, in the axes of the file, the
/// middle of the first and the last ring at z = 0. Blocks lie flat, tangent to the cylinder of the reference
/// radius (STIR's GeometryBlocksOnCylindrical); of generic scanners the header names a map, a text with ring,
/// place, [layer,] x, y, z in mm in each line. Throws BadInput.
[[nodiscard]] std::vector<Vec3> crystalPlaces(const InterfileHeader& header, StirGeometry geometry,
                                              const RingScanner& scanner);

}  // namespace tof
