// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/column_dispatch.h"

namespace tof {

ColumnKernels columnKernels(InstructionSet set) {
#if defined(__x86_64__)
    if (set == InstructionSet::Avx512) {
        return {avx512::kLanes,    avx512::kGroup,     avx512::projectGroups, avx512::gatherRow,
                avx512::filterRow, avx512::markFilled, avx512::scatterRow,    avx512::scatterRowAdding};
    }
    if (set == InstructionSet::Avx2) {
        return {avx2::kLanes,    avx2::kGroup,     avx2::projectGroups, avx2::gatherRow,
                avx2::filterRow, avx2::markFilled, avx2::scatterRow,    avx2::scatterRowAdding};
    }
#endif
    static_cast<void>(set);
    return {baseline::kLanes,    baseline::kGroup,     baseline::projectGroups, baseline::gatherRow,
            baseline::filterRow, baseline::markFilled, baseline::scatterRow,    baseline::scatterRowAdding};
}

}  // namespace tof
