// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/lattice_options.h"
#include "recon/io/import_sinograms.h"

namespace tof {

class Arguments;

/// --multiplicity, --mult, --acf, --norm and --add: what goes with sinograms of STIR.
struct SinogramOptions {
    std::string multiplicity = "auto";
    std::string mult;
    std::string acf;
    std::string norm;
    std::string add;

    void describe(Arguments& arguments);
    /// With what --grid and --voxel say, where they were given.
    [[nodiscard]] SinogramImport import(const LatticeOptions& lattice) const;
};

}  // namespace tof
