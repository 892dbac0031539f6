// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "recon/corrections/scatter.h"
#include "recon/data/line_data.h"

namespace tof {

struct ScatterCorrection {
    ScatterSettings simulation{.pairs = kScatteredPairs};
    /// Image without and scatter of it, image with it and scatter of that, ... Two leave the middle of a
    /// cylinder of 350 mm 3 % shorter of scatter than four do.
    int rounds = 3;
    double voxel_mm = 12;  ///< least voxel of the images in between
    bool fitTails = true;  ///< scale to what is measured where nothing emits
    double extension_mm =
        150;  ///< the activity goes on so far beyond the image's ends where something attenuates
};

struct ScatterFound {
    std::vector<float> scatter;  ///< expected counts in the order of data.counts
    double single = 0;           ///< simulated, absolute, on the lattice
    double scale = 1;            ///< its scale, from the tails; 1 where they hold too little
    double tailCounts = 0;       ///< measured in the tails less data.add
    double total = 0;
    /// The scatter of lines, in apparent emissions per mm3 as singleScatter() has it, scaled; one for each
    /// pose that lies apart.
    std::shared_ptr<const std::vector<PosedScatter>> lines{};
};

/// The scatter of data from data alone: counts, mult, att and add (randoms) make an image on coarse voxels by
/// three passes of OSEM, singleScatter() of it and of what attenuates (1/mm) is scaled where the image makes
/// no counts expected, which takes in what was scattered more than once; then all of it again with that in
/// add. Where something moved, image and attenuation are carried to each pose, of which those that lie within
/// 20 mm are one, and scatter from there back: as often as views see a line in the mean, in every pose.
/// Throws WrongUse where the scanner has no `detection`. The same for any number of threads.
[[nodiscard]] ScatterFound findScatter(const HistoData& data, const Scanner& scanner,
                                       const Volume& attenuation, const ScatterCorrection& settings,
                                       const ThreadPool& pool, const std::function<void(double)>& progress);

/// Finds scatter of sinograms, with or without time of flight, whose mult is absolute and holds survival of
/// `attenuation`; `scanner` says how their crystals detect.
[[nodiscard]] ScatterFound findScatter(const SinogramData& data, const Scanner& scanner,
                                       const Volume& attenuation, const ScatterCorrection& settings,
                                       const ThreadPool& pool, const std::function<void(double)>& progress);

/// Voxels of every view joined by `factors`: counts and add summed, mult and att means. att is the mean over
/// what holds `matter` (1/mm), where something does: activity is there, and beyond the ends of a body lines
/// survive many times as often.
[[nodiscard]] HistoData coarsened(const HistoData& data, std::array<int, 3> factors, const ThreadPool& pool,
                                  const Volume* matter = nullptr);

}  // namespace tof
