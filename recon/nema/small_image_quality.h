// SPDX-License-Identifier: Apache-2.0
// Image quality after NEMA NU 4-2008, section 6, for scanners of small animals.
#pragma once

#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/phantom/phantom.h"

namespace tof {

/// A figure and its relative SD, %.
struct SmallFigure {
    std::string name;
    double value = 0;
    double sd = 0;
};

struct SmallImageQuality {
    double mean = 0;                       ///< mean of the even part, the image's unit
    double sd = 0;                         ///< % of it, over voxels
    double lowest = 0;                     ///< % of the mean
    double highest = 0;                    ///< % of the mean
    std::vector<SmallFigure> recovery{};   ///< every rod's mean along its brightest line over the even part
    std::vector<SmallFigure> spillOver{};  ///< every chamber's mean over the even part
};

/// Whether a phantom has rods, so that this is its test.
[[nodiscard]] bool hasRods(const Phantom& phantom);

/// The even part is a cylinder of 22.5 x 10 mm in the middle of what chambers leave of the shape of role
/// background. Slices of the middle half of a rod's length are averaged; its line goes through the largest
/// voxel within twice the rod's diameter. Rods and chambers are cylinders named "rod ..." and "chamber ...".
/// `moved` says where the phantom's origin lies in the image, mm. Throws BadInput where the image does not
/// hold the phantom.
[[nodiscard]] SmallImageQuality smallImageQuality(const Volume& image, const Phantom& phantom, Vec3 moved);

}  // namespace tof
