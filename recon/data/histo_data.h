// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/view.h"
#include "recon/data/factor_grid.h"
#include "recon/motion/pose_steps.h"
#include "recon/scanner/scanner_text.h"

namespace tof {

struct FramedCounts;

/// Histo-images of every view and their corrections, in host memory: the content of a data file
/// (docs/formats.md).
///
/// Every array is [view][z][y][x] with lattice.voxels() floats per view. The counts expected of an image x
/// (emissions per voxel) are mult F(att x) + add. mult and att may be empty (1 everywhere), add may be empty
/// (0 everywhere).
struct HistoData {
    Lattice lattice;
    std::vector<View> views;
    std::vector<float> counts;
    std::vector<float> mult;  ///< chance of being recorded of what survives; all of it, if there is no att
    std::vector<float> add;   ///< scatter and randoms, counts
    std::vector<float> att;   ///< share of pairs from a voxel that survive on their way
    /// In place of mult and att, which are empty then: what they are interpolated from. Only what has been
    /// binned and is about to be written has these; readers expand them.
    std::shared_ptr<const FactorGrid> multGrid;
    std::shared_ptr<const FactorGrid> attGrid;

    std::uint64_t kept = 0;      ///< events deposited
    std::uint64_t outside = 0;   ///< dropped: most likely point outside the lattice
    std::uint64_t rejected = 0;  ///< dropped: outside the acceptance
    ScannerText scannerJson;     ///< description of the scanner, may be empty
    std::string phantom;  ///< what was measured when known: name or JSON; `analyze --rois auto` reads it
    double duration_s = 0;
    double decays = 0;   ///< annihilations during the scan, where that is known (simulations); else 0
    double singles = 0;  ///< photons detected without their partner, where that is known; else 0
    /// Where the events' end points were taken to be: "face", "centre"; empty: by a program that knew no
    /// other than "centre". A seed belongs to "face".
    std::string deposit;
    std::uint64_t depositSeed = 0;
    /// What moved while events were counted, each of which was moved back into one pose: "rigid"; empty:
    /// nothing. Factors are means over the poses, and crystals are no longer those of a view's lines.
    std::string motion;
    /// What carried points of that pose to where they were, for shares of the time that add up to 1. Empty:
    /// nothing moved, or a file does not say.
    std::vector<WeighedPose> poses;
    std::string hash;  ///< hash of the file it came from, hexadecimal; kept in runs
    /// The counts by time (recon/data/framed_counts.h), whose sum `counts` are; null: not cut by time.
    std::shared_ptr<const FramedCounts> frames{};

    [[nodiscard]] std::size_t voxels() const { return lattice.voxels(); }
    /// Makes mult and att of their grids, which go.
    void expandFactors(const ThreadPool& pool);
};

}  // namespace tof
