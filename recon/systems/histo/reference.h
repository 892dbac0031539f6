// SPDX-License-Identifier: Apache-2.0
// The definition of docs/model.md section 2 as plain loops in double: what every engine is tested against.
#pragma once

#include <vector>

#include "recon/base/lattice.h"
#include "recon/kernel/kernel_tables.h"

namespace tof {

/// forward[i] = sum_m K_id(i-m)(m) x[i-m]; zero outside the lattice. Serial; taps x voxels multiply-adds.
[[nodiscard]] std::vector<double> referenceForward(const KernelTables& tables, const Lattice& lattice,
                                                   const std::vector<float>& x);
/// back[j] = sum_m K_id(j)(m) y[j+m].
[[nodiscard]] std::vector<double> referenceBack(const KernelTables& tables, const Lattice& lattice,
                                                const std::vector<float>& y);

}  // namespace tof
