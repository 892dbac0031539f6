// SPDX-License-Identifier: Apache-2.0
// ROIs made by rule instead of by hand: rings of copies, thresholds, label maps.
#pragma once

#include <string>
#include <vector>

#include "recon/metrics/roi.h"

namespace tof {

/// The other `copies` - 1 of a ring of `copies` ROIs, the given one the first, evenly spread about the axis
/// through `about` normal to the ROI's plane. Polygons, ellipses and boxes turn with it; regions of voxels
/// are displaced only. Names are the same. Throws WrongUse unless 2 <= copies <= 1000 and the ROI lies off
/// the axis.
[[nodiscard]] std::vector<Roi> ringOfCopies(const Roi& roi, int copies, Vec3 about);

/// The largest positive voxel of a neighbourhood.
struct PeakVoxel {
    double value = 0;
    VoxelIndex at{};
};
/// The largest one within `reach_mm` of a point. Throws WrongUse unless reach > 0, BadInput when none is
/// positive.
[[nodiscard]] PeakVoxel peakWithin(const Volume& volume, Vec3 around, double reach_mm);
/// Voxels joined to the peak through faces, at or above a level and within reach of a point, as an ROI of the
/// shape Region without name and role.
[[nodiscard]] Roi regionAbove(const Volume& volume, const PeakVoxel& peak, Vec3 around, double level,
                              double reach_mm);
/// Whether such a region goes on beyond its reach: a face of it has a voxel at or above the level behind it
/// that lies outside the reach.
[[nodiscard]] bool endsAtReach(const Volume& volume, const Roi& region, Vec3 around, double level,
                               double reach_mm);
/// Voxels whose centres lie in a ball, ascending; the one that holds its middle, if any, where there are
/// none.
[[nodiscard]] std::vector<std::size_t> voxelsWithin(const Lattice& lattice, Vec3 middle, double radius_mm);

/// What a threshold found.
struct ThresholdResult {
    Roi roi;               ///< has the shape Region, without name and role
    double peak = 0;       ///< largest value in the neighbourhood
    Vec3 peak_mm;          ///< centre of that voxel
    double threshold = 0;  ///< fraction x peak
};

/// Voxels connected through their faces to the largest one within `reach_mm` of `around`, at or above
/// `fraction` of it and within the same reach. Throws WrongUse unless 0 < fraction <= 1 and reach > 0;
/// BadInput when no voxel in reach is positive.
[[nodiscard]] ThresholdResult thresholdRegion(const Volume& volume, Vec3 around, double fraction,
                                              double reach_mm);

/// The sphere of a region's volume about the mean of its voxel centres; name, role and looks are kept.
/// Throws WrongUse for other shapes.
[[nodiscard]] Roi sphereOfRegion(const Roi& region);

/// One region per whole number above zero, ascending, called "label N". Throws BadInput naming `source` when
/// values are not whole, negative, or more than 1000 different ones.
[[nodiscard]] std::vector<Roi> roisFromLabels(const Volume& labels, const std::string& source);

/// Label i + 1 where ROI i covers at least half of a voxel; of several the one that covers most, of equals
/// the later. Fractions are lost.
[[nodiscard]] Volume labelsOfRois(const std::vector<Roi>& rois, const Lattice& lattice);

}  // namespace tof
