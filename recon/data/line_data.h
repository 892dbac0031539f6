// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/lattice.h"
#include "recon/scanner/line_events.h"
#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner.h"

namespace tof {

struct FramedCounts;

/// Sinograms of a ring scanner and their corrections, in host memory. Arrays are in the michelogram's data
/// order, `michelogram->bins()` long; mult may be empty (1 everywhere), add may be empty (0 everywhere).
struct SinogramData {
    Lattice lattice;  ///< lattice of the image that they are to be reconstructed on
    std::shared_ptr<const Michelogram> michelogram;
    std::vector<float> counts;
    std::vector<float> mult;
    std::vector<float> add;
    /// mult is the probability, per mm of a line in a voxel of `lattice`, that an emission in that voxel is
    /// recorded in the bin: images count emissions. False: their unit is counts/mm, up to mult's own scale.
    bool absolute = false;
    /// The normalisation whose efficiencies are within mult, as the user named it; empty: none is known.
    std::string normalisation;

    std::uint64_t kept = 0;      ///< events counted
    std::uint64_t rejected = 0;  ///< dropped: no bin holds them
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

/// Which lines list-mode could have recorded, with what probability: what its sensitivity is made from.
struct PossibleLines {
    /// Where there are no rings: a pair of points can record when its line passes the axis nearer than this
    /// and is tilted by no more than `acceptance_rad`.
    double radius_mm = 0;
    double acceptance_rad = kEveryTilt_rad;
    /// The scanner whose crystals the pairs belong to, which gives every pair its share of the emissions
    /// (PairFactors); null: all pairs are alike. Not used with `mult`. Where there are no rings, its crystals
    /// are the events' points.
    std::shared_ptr<const Scanner> scanner;
    /// What `scanner`'s crystals record over what its description says, dead time included: a pair expects
    /// the product of both. As long as it has crystals; empty: 1.
    std::vector<float> efficiencies;
    /// Where there are no rings and a file lists the pairs one by one; indices into the events' points.
    std::vector<std::array<std::uint32_t, 2>> pairs;
    /// The mult of `pairs`; or with rings [slot][sinogram][radial], attenuation and the number of crystal
    /// pairs included. Empty: computed from geometry and attenuation.
    std::vector<float> mult;
    double totalAdd = 0;  ///< additive counts over all lines
    /// Where something moved while events were counted: how much of the time each pose lasted, in all 1. The
    /// events' points are then the crystals as they lie in the scanner, and behind them, pose after pose,
    /// where they lay seen from what moved. Empty: nothing moved.
    std::vector<double> poses{};

    static constexpr double kEveryTilt_rad = 0.5 * kPi;
    /// True when `radius_mm` and `acceptance_rad` let the pair record.
    [[nodiscard]] bool accepts(Vec3 one, Vec3 two) const;
};

/// Lines of response: one per event, or with counts; and what says which lines there could have been.
struct LineData {
    Lattice lattice;  ///< lattice of the image that they are to be reconstructed on
    /// All lines that can be recorded; its time bins are those of the events. Null for crystals that lie on
    /// no rings: then `possible` says which lines there are.
    std::shared_ptr<const Michelogram> michelogram;
    std::shared_ptr<const LineEvents> events;
    std::vector<float> counts;          ///< per line, and these are all lines; empty: each line is one event
    std::vector<float> mult;            ///< per line, attenuation included; empty: 1
    std::vector<float> add;             ///< expected scatter and randoms per line; empty: 0
    std::optional<Volume> attenuation;  ///< 1/mm; none: nothing attenuates
    PossibleLines possible;             ///< not used with counts
    /// What is known of the lines makes images count emissions, as for SinogramData; mult and possible.mult
    /// are then those of voxels of `lattice`. False: their unit is counts/mm, up to mult's own scale.
    bool absolute = false;

    std::uint64_t rejected = 0;  ///< events that are none of the possible lines
    std::string scanner;         ///< name, where there is no michelogram
    std::string phantom;         ///< what was measured when known: name or JSON
    double duration_s = 0;
    double decays = 0;   ///< annihilations during the scan, where that is known (simulations); else 0
    double singles = 0;  ///< photons detected without their partner, where that is known; else 0
    double calibration =
        1;             ///< factor that the file states from reconstructed to physical units; not applied
    std::string hash;  ///< hash of the file they came from, hexadecimal
    /// The counts by time (recon/data/framed_counts.h); null: not cut by time.
    std::shared_ptr<const FramedCounts> frames{};

    /// How many crystals there are in one pose.
    [[nodiscard]] std::size_t crystals() const { return events->points.size() / (possible.poses.size() + 1); }
    /// The crystal that an event's point is, in whichever pose.
    [[nodiscard]] std::uint32_t crystalOf(std::uint32_t point) const {
        return possible.poses.empty() ? point : static_cast<std::uint32_t>(point % crystals());
    }

    /// What runs keep of the scanner: JSON.
    [[nodiscard]] std::string scannerJson() const;
};

/// mult of data for the voxels of `lattice` becomes that for `to`: of an absolute model it holds the voxel's
/// volume.
void fitVoxels(SinogramData& data, const Lattice& to);
void fitVoxels(LineData& data, const Lattice& to);

/// Those lines of a list of events that `which` numbers, with what is known of each; the rest is the list's.
[[nodiscard]] LineData someLines(const LineData& list, std::span<const std::uint32_t> which);
/// Leaves out the lines that are in none of its frames, which number what stays.
void keepFramed(LineData& list);

/// The image that fits freely placed crystals: 1 % of the field's diameter per voxel, the whole field, the
/// crystals' axial extent.
[[nodiscard]] Lattice defaultLattice(const std::vector<Vec3>& points, double radius_mm);

}  // namespace tof
