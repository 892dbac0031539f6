// SPDX-License-Identifier: Apache-2.0
// Image quality after NEMA NU 2-2018, section 7, and recovery after EARL.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/phantom/phantom.h"

namespace tof {

/// One sphere of the image-quality phantom.
struct SphereQuality {
    std::string name;
    double diameter_mm = 0;
    double contrast = 0;      ///< %, 100 for a perfect image: (sphere / background - 1) / (true ratio - 1)
    double variability = 0;   ///< %, SD (n - 1) over mean of the background circles of its size
    double meanRecovery = 0;  ///< mean of what exceeds half of the largest value, background taken off, over
                              ///< the true value, which is the true ratio times the background
    double maxRecovery = 0;   ///< largest value over the true one
};

struct ImageQuality {
    std::vector<SphereQuality> spheres{};  ///< by diameter
    std::vector<double> lung{};  ///< residual of every slice of the lung insert, % of the background
    double lungMean = 0;
    double clearance_mm = 0;  ///< background circles keep it from all else; 15 if that fits
    double background = 0;    ///< mean of the 60 circles of the largest sphere's size, the image's unit
};

/// Circles of the spheres' diameters in the slice through their centres, and twelve places of each size in
/// the slices there, 10 and 20 mm before and behind. They lie farthest apart where the phantom is even for
/// the largest sphere's size and 15 mm about it; where twelve do not fit they come nearer and `clearance_mm`
/// says how near. The lung insert is the cylinder without activity; there is none where the phantom has none.
///
/// `image` may have any unit; `moved` says where the phantom's origin lies in it, mm. Throws BadInput for
/// phantoms without spheres in one slice and a background, and images that do not hold them.
[[nodiscard]] ImageQuality imageQuality(const Volume& image, const Phantom& phantom, Vec3 moved);

/// Activity of the phantom of a scan, nema-iq-scan, where its background has the standard's 5.3 kBq/ml, by
/// its activity on voxels of 4 mm.
[[nodiscard]] double nemaScanActivity_MBq(const Phantom& phantom);

/// Limits of recovery for accreditation: EANM Research Ltd, FDG-PET/CT accreditation specifications, January
/// 2017 (EARL standards 1), 10:1 spheres of F-18.
struct EarlLimits {
    double diameter_mm;
    std::array<double, 2> mean;  ///< lowest and highest meanRecovery
    std::array<double, 2> max;   ///< and maxRecovery
};
[[nodiscard]] const std::vector<EarlLimits>& earlLimits();

}  // namespace tof
