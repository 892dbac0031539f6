// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/factor_grid.h"
#include "recon/data/stored_cells.h"
#include "recon/data/time_frame.h"

namespace tof {

/// Stands in place of a cell for an event that has none.
inline constexpr std::uint32_t kNoCell = 0xffffffff;

/// Where something moved while a frame was measured.
struct FramePoses {
    /// How much of the frame's time each of the data's poses lasted, in all 1. Empty: as in all frames
    /// together.
    std::vector<double> shares{};
    /// The mean over them of the chance of being recorded, of histo-images; null: that of the data.
    std::shared_ptr<const FactorGrid> eff{};
};

/// The counts of one frame: the cell of every event, part after part. A part is a view of histo-images, whose
/// cells are voxels; data of other forms are one part, whose cells are their counts in the order of the data,
/// or the lines themselves where each is an event.
struct FrameCounts {
    TimeFrame time;
    std::uint64_t kept = 0;             ///< events deposited
    std::uint64_t outside = 0;          ///< as HistoData::outside
    std::uint64_t rejected = 0;         ///< as HistoData::rejected
    std::vector<std::uint64_t> firsts;  ///< by part, and the end: where its events begin in `voxels`
    std::vector<std::uint32_t> voxels;  ///< cells in their part; empty where they have not been read
    int gate = 0;                       ///< which gate of `time`, from 1; 0: all of it
    double gated_s = 0;                 ///< how long the gate was on; 0: as long as `time`
    /// Where the gate was on and the nuclide is stated, as decayFactor(); 0: that of `time`.
    double gatedDecay = 0;
    /// Share of the data's add that is expected in the frame; below 0: that of its events.
    double addShare = -1;
    /// Share of FramedCounts::randoms, which are in add, where it is another; below 0: it is not.
    double randomsShare = -1;
    /// What dead time left in the frame, over what it left in all frames together.
    double live = 1;
    FramePoses moved{};

    /// How long was measured, s.
    [[nodiscard]] double measured_s() const { return gated_s > 0 ? gated_s : time.duration_s; }
    /// All parts one after the other, as the data's counts are.
    void expandInto(std::span<float> counts, std::size_t cellsPerPart) const;
    /// Likewise, by threads that have a part each.
    void expandInto(std::span<float> counts, std::size_t cellsPerPart, const ThreadPool& pool) const;

    /// Those of a part.
    void expandPart(std::size_t part, std::span<float> counts) const;

  private:
    void requireFit(std::size_t counts, std::size_t cellsPerPart) const;
};

/// Data by time. Their counts are those of all frames together; corrections are one for all.
/// Immutable, shared between threads.
struct FramedCounts {
    std::vector<FrameCounts> frames;  ///< ascending, without overlap; of each its gates
    std::string nuclide;              ///< one of petNuclides(), or empty: not stated
    std::uint64_t between = 0;        ///< events of the list in none of the frames
    /// Gates of each frame, which come one after the other and have a frame's counts each; 0: no gates.
    int gates = 0;
    /// Randoms within the data's add and in its order, for frames whose share of them is not that of the
    /// rest; null: none.
    std::shared_ptr<const std::vector<float>> randoms{};
    double totalRandoms = 0;  ///< over all lines, where events alone are lines
    /// What every crystal's efficiency and dead time leave of its photons, where histo-images moved: a frame
    /// takes the mean over its own poses. Empty: all of them.
    std::vector<float> crystals{};
    /// Where the frames' cells are that do not stay in memory; null: in `frames`.
    std::shared_ptr<const StoredCells> stored{};

    /// The cells of a frame, wherever they are; what had to be read is in `room`. Throws CannotWrite.
    [[nodiscard]] std::span<const std::uint32_t> cellsOf(std::size_t frame,
                                                         std::vector<std::uint32_t>& room) const;

    /// Where the nuclide is stated, what brings the activity of a frame to the start of the scan
    /// (decayFactor()); else 1.
    [[nodiscard]] double decayFactorOf(std::size_t frame) const;
    /// What makes of an image of a frame what there was of it a second, at the start of the scan where the
    /// nuclide is stated.
    [[nodiscard]] double perSecond(std::size_t frame) const;
    /// What makes Bq/ml, at the start of the scan, of a frame's emissions per voxel of `voxel_mm3`, where the
    /// nuclide is stated; else annihilations per second and ml, at the time of the frame.
    [[nodiscard]] double concentrationPerEmission(std::size_t frame, double voxel_mm3) const;
    /// Share of the data's add that is expected in a frame.
    [[nodiscard]] double addShareOf(std::size_t frame) const;
    /// How much of `randoms` a frame expects beyond its share of add; 0 without them.
    [[nodiscard]] double moreRandomsOf(std::size_t frame) const;
    /// Events of all frames.
    [[nodiscard]] std::uint64_t kept() const;
    /// Half life of the nuclide, s; 0 where it is not stated.
    [[nodiscard]] double halfLife_s() const;
    /// The first frame whose poses lasted as long as those of `frame`, which may be that one.
    [[nodiscard]] std::size_t alikeTo(std::size_t frame) const;
    /// Whether frames say which poses they are of.
    [[nodiscard]] bool moved() const {
        return std::any_of(frames.begin(), frames.end(),
                           [](const FrameCounts& one) { return !one.moved.shares.empty(); });
    }
};

/// Frames whose shares of add are to one another as `parts` are.
[[nodiscard]] std::shared_ptr<const FramedCounts> withAddShares(FramedCounts frames,
                                                                const std::vector<double>& parts);

}  // namespace tof
