// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/base/instruction_set.h"
#include "recon/binning/simd/column_sums.h"

namespace tof {

/// The loops of simd/column_sums.h for one instruction set.
struct ColumnLoops {
    decltype(&baseline::addColumns) add;
    decltype(&baseline::blendColumns) blend;

    /// The loops for a set that this processor has.
    [[nodiscard]] static ColumnLoops of(InstructionSet set);
    /// The loops for the best set that it has.
    [[nodiscard]] static ColumnLoops best() { return of(availableInstructionSets().back()); }
};

}  // namespace tof
