// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/scanner/panel_geometry.h"
#include "recon/scanner/scanner_text.h"

namespace tof {

struct FramedCounts;

/// Counts of the lines of two panels and their corrections, in host memory. Arrays hold all classes one after
/// the other (panelClassStarts), in a class [sign][shift z][shift y]; mult may be empty (1 everywhere), add
/// may be empty (0 everywhere).
struct PanelData {
    PanelGeometry geometry;  ///< with the efficiency of its crystals
    Lattice lattice;         ///< geometry.lattice()
    std::vector<float> counts;
    std::vector<float> mult;
    std::vector<float> add;

    std::uint64_t kept = 0;      ///< events counted
    std::uint64_t rejected = 0;  ///< dropped: both crystals are of one head
    ScannerText scannerJson;     ///< description of the scanner
    std::string phantom;         ///< what was measured when known: name or JSON
    double duration_s = 0;
    double decays = 0;   ///< annihilations during the scan, where that is known (simulations); else 0
    double singles = 0;  ///< photons detected without their partner, where that is known; else 0
    double calibration =
        1;             ///< factor that the file states from reconstructed to physical units; not applied
    std::string hash;  ///< hash of the file they came from, hexadecimal
    /// The counts by time (recon/data/framed_counts.h); null: not cut by time.
    std::shared_ptr<const FramedCounts> frames{};
};

}  // namespace tof
