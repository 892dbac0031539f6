// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "recon/base/lattice.h"
#include "recon/base/option_values.h"

namespace tof {

class Arguments;

/// --grid and --voxel: the lattice that data or tables are made on, centred in the scanner.
struct LatticeOptions {
    std::array<int, 3> size{144, 144, 48};
    std::array<double, 3> spacing_mm{4, 4, 4};
    bool sizeGiven = false;
    bool spacingGiven = false;

    void describe(Arguments& arguments);
    [[nodiscard]] bool given() const { return sizeGiven || spacingGiven; }
    [[nodiscard]] Lattice lattice() const { return Lattice::centred(size, spacing_mm); }
};

}  // namespace tof
