// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lattice_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/arguments.h"

namespace tof {

void LatticeOptions::describe(Arguments& arguments) {
    arguments.custom(
        "grid", "XxYxZ", size[0] == 0 ? "what fits" : fmt::format("{}x{}x{}", size[0], size[1], size[2]),
        [this](const std::string& text) {
            const std::vector<int> sizes = sizesFromText("--grid", text, 3, 1, 65535);
            std::copy(sizes.begin(), sizes.end(), size.begin());
            sizeGiven = true;
        },
        "Voxels along x, y and z");
    arguments.custom(
        "voxel", "MM", size[0] == 0 ? "what fits" : spacingText(spacing_mm),
        [this](const std::string& text) {
            spacing_mm = spacingFromText("--voxel", text);
            spacingGiven = true;
        },
        "Voxel edge, or edges as 4x4x2, in mm");
}

}  // namespace tof
