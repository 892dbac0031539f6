// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/column_loops.h"

namespace tof {

ColumnLoops ColumnLoops::of(InstructionSet set) {
#if defined(__x86_64__)
    switch (set) {
        case InstructionSet::Avx512: return {avx512::addColumns, avx512::blendColumns};
        case InstructionSet::Avx2: return {avx2::addColumns, avx2::blendColumns};
        case InstructionSet::Baseline: break;
    }
#else
    (void)set;
#endif
    return {baseline::addColumns, baseline::blendColumns};
}

}  // namespace tof
