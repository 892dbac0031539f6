// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "recon/data/time_frame.h"

namespace tof {

/// The counts of one frame of histo-images: the voxel of every event, view after view.
struct FrameCounts {
    TimeFrame time;
    std::uint64_t kept = 0;             ///< events deposited
    std::uint64_t outside = 0;          ///< as HistoData::outside
    std::uint64_t rejected = 0;         ///< as HistoData::rejected
    std::vector<std::uint64_t> firsts;  ///< by view, and the end: where its events begin in `voxels`
    std::vector<std::uint32_t> voxels;  ///< index on the lattice; empty where it has not been read

    /// [view][z][y][x], as HistoData::counts.
    void expandInto(std::span<float> counts, std::size_t voxelsPerView) const;
};

/// Histo-images by time. HistoData::counts are those of all frames together; corrections are one for all.
/// Immutable, shared between threads.
struct FramedCounts {
    std::vector<FrameCounts> frames;  ///< ascending, without overlap
    std::string nuclide;              ///< one of petNuclides(), or empty: not stated
    std::uint64_t between = 0;        ///< events of the list in none of the frames

    /// Where the nuclide is stated, what brings the activity of a frame to the start of the scan
    /// (decayFactor()); else 1.
    [[nodiscard]] double decayFactorOf(std::size_t frame) const;
    /// What makes Bq/ml, at the start of the scan, of a frame's emissions per voxel of `voxel_mm3`, where the
    /// nuclide is stated; else annihilations per second and ml, at the time of the frame.
    [[nodiscard]] double concentrationPerEmission(std::size_t frame, double voxel_mm3) const;
    /// Half life of the nuclide, s; 0 where it is not stated.
    [[nodiscard]] double halfLife_s() const;
};

}  // namespace tof
