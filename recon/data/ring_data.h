// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/core/lattice.h"
#include "recon/geometry/line_events.h"
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

/// List-mode of a ring scanner: one line per event, and what says which lines there could have been.
struct RingListData {
    Lattice lattice;  ///< of the image that they are to be reconstructed on
    /// All lines that can be recorded; its time bins are those of the events.
    std::shared_ptr<const Michelogram> michelogram;
    std::shared_ptr<const LineEvents> events;
    std::optional<Volume> attenuation;  ///< 1/mm; none: nothing attenuates

    std::uint64_t rejected = 0;  ///< events that no bin of the michelogram holds
    std::string phantom;         ///< what was measured when known: name or JSON
    double duration_s = 0;
    std::string hash;  ///< of the file they came from, hexadecimal
};

}  // namespace tof
