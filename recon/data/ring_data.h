// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "recon/core/lattice.h"
#include "recon/geometry/michelogram.h"

namespace tof {

/// Sinograms of a ring scanner and their corrections, in host memory. Arrays are in the michelogram's data
/// order, `michelogram->bins()` long; mult may be empty (1 everywhere), add may be empty (0 everywhere).
struct RingData {
    Lattice lattice;  ///< of the image that they are to be reconstructed on
    std::shared_ptr<const Michelogram> michelogram;
    std::vector<float> counts;
    std::vector<float> mult;
    std::vector<float> add;

    std::uint64_t kept = 0;      ///< events counted
    std::uint64_t rejected = 0;  ///< dropped: no bin holds them
    std::string phantom;         ///< what was measured when known: name or JSON
    double duration_s = 0;
    std::string hash;  ///< of the file they came from, hexadecimal
};

}  // namespace tof
