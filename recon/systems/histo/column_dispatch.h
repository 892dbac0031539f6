// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/base/instruction_set.h"
#include "recon/systems/histo/simd/column_kernels.h"

namespace tof {

/// The column kernels of one instruction set.
struct ColumnKernels {
    int lanes;  ///< floats of a vector
    int group;  ///< output columns of a group
    void (*projectGroups)(const ColumnJob&, const GroupRange&);
    void (*gatherRow)(const RowCopy&, const float*, float*);
    void (*filterRow)(const RowCopy&, const RowFilter&, float*);
    int (*markFilled)(const RowCopy&, const float*, std::uint8_t*);
    void (*scatterRow)(const RowCopy&, const float*, const float*, float*);
    void (*scatterRowAdding)(const RowCopy&, const float*, const float*, float*);
};

/// The loops of `set`, which must be available.
[[nodiscard]] ColumnKernels columnKernels(InstructionSet set);

}  // namespace tof
