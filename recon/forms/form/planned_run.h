// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "recon/base/lattice.h"

namespace tof {

/// What lines of response are, of data that are no views.
enum class PlannedLines { None, Events, Bins, OfPanels };

/// What is to be reconstructed.
struct PlannedRun {
    Lattice lattice;
    std::size_t views = 0;            ///< or parts of other data
    std::size_t arrays = 4;           ///< floats per voxel and view: counts, mult, add, att
    double taps = 0;                  ///< taps of the kernel, mean over views
    int reach = 0;                    ///< planes that a voxel has to do with above itself
    std::size_t blocks = 1;           ///< updates per iteration
    bool blockSensitivities = false;  ///< an image per block (OSEM)
    PlannedLines of = PlannedLines::None;
    double lines = 0;      ///< where they are lines: how many, in `views` parts
    double lineBytes = 0;  ///< bytes of each line, with what the engine keeps beside it
};

/// What a form says of its lines to plan a run.
struct PlannedLinesOf {
    PlannedLines of = PlannedLines::None;
    double lines = 0;
    double lineBytes = 0;
};

/// Bytes of what corrects a line: mult and add, where there are any.
template <class Data>
[[nodiscard]] double factorBytes(const Data& data) {
    return sizeof(float) * (static_cast<double>(!data.mult.empty()) + static_cast<double>(!data.add.empty()));
}

}  // namespace tof
