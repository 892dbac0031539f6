// SPDX-License-Identifier: Apache-2.0
// Regions in three dimensions: contours by rule, and a brush.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recon/metrics/roi.h"

namespace tof {

/// What the level of a contour is taken from.
enum class LevelOf {
    Peak,      ///< the largest value in the neighbourhood
    Uptake,    ///< a standardised uptake value
    Reference  ///< mean and SD of a region elsewhere in the body
};

/// A level that people know by a name.
struct ContourRule {
    std::string id;     ///< "41": as on the command line
    std::string label;  ///< "41 % of the maximum": as in the window; Word
    std::string help;   ///< one sentence; Word
    LevelOf of = LevelOf::Peak;
    double factor = 1;  ///< times the peak or the mean; of an uptake the SUV
    double sds = 0;     ///< so many SDs of the reference more
};

/// Every rule: shares of the peak, SUV, and PERCIST 1.0 (Wahl and others, J. Nucl. Med. 50 (2009) 122S),
/// whose level is 1.5 times the mean of the liver and 2 SD more: alike in Bq/ml, SUV and SUL.
[[nodiscard]] const std::vector<ContourRule>& contourRules();
/// Throws WrongUse listing the ids.
[[nodiscard]] const ContourRule& contourRule(const std::string& id);

/// What rules may be in need of.
struct ContourFacts {
    double suvPerUnit = 0;                        ///< SUV for a stored value of 1; 0: not known
    std::optional<RoiStatistics> reference = {};  ///< values of the region that stands for the liver
};

/// The level of a rule in the image's unit, around a point. Throws WrongUse where a fact is missing, BadInput
/// where no voxel within `reach_mm` is positive.
[[nodiscard]] double contourLevel(const ContourRule& rule, const Volume& image, Vec3 around, double reach_mm,
                                  const ContourFacts& facts);

/// Voxels connected through their faces to the largest one within `reach_mm` of `around`, at or above a level
/// and within the same reach, as an ROI without name and role. Throws WrongUse unless reach > 0, BadInput
/// where no voxel reaches the level.
[[nodiscard]] Roi contourRegion(const Volume& image, Vec3 around, double level, double reach_mm);

enum class BrushUse { Add, Remove };

/// A ball that takes voxels into a region, or out of it.
struct BrushStroke {
    Vec3 at;  ///< mm
    double radius_mm = 10;
    BrushUse use = BrushUse::Add;
};

/// A region after a stroke: voxels of the lattice whose centres lie in the ball, the nearest one at least. A
/// region without voxels, as one begins with, or whose last one was taken out, has the shape Region and no
/// `region`. Throws WrongUse for other shapes, and for regions on another lattice or displaced ones.
[[nodiscard]] Roi brushed(const Roi& region, const Lattice& lattice, const BrushStroke& stroke);

}  // namespace tof
