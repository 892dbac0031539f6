// SPDX-License-Identifier: Apache-2.0
// Images of the frames of one scan.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/data/time_frame.h"

namespace tof {

enum class DecayCorrection { Unknown, None, Applied };

/// What is said of a dynamic image besides its values. A plain value.
struct DynamicInfo {
    Lattice lattice;
    std::vector<TimeFrame> frames;  ///< framesFault() is empty
    std::string units;              ///< units of a mean over a frame, "Bq/ml" as a rule
    DecayCorrection decay = DecayCorrection::Unknown;
    double decayReference_s = 0;  ///< the time that values are corrected to, where they are
    double halfLife_s = 0;        ///< half life of the nuclide; 0: not known
};

/// Values are [frame][z][y][x].
struct DynamicImage : DynamicInfo {
    std::vector<std::vector<float>> values;  ///< lattice.voxels() for each of the frames
};

/// A dynamic image that is written a frame at a time, so that it need not be in memory.
struct DynamicSource {
    DynamicInfo info;
    std::function<std::vector<float>(std::size_t frame)> values;  ///< called once a frame, in their order
};

}  // namespace tof
