// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "recon/metrics/roi.h"

namespace tof {

/// The target ROIs and the numbers that turn them into CRC (design section 8).
struct RoiSet {
    std::vector<Roi> rois;
    double trueRatio = 0;  ///< activity ratio of spheres to background; 0 when unknown (then no CRC)
};

/// One row of the table: CRC only for spheres that have a background.
struct RoiFigures {
    std::string name;
    RoiStatistics statistics;
    double crc = 0;
    bool hasCrc = false;
};

/// Figures of one image; fractions, not per cent; NaN where a role is missing.
struct Figures {
    int iteration = 0;
    double crc = 0;    ///< mean over spheres of ((p_s - p_b)/p_b)/(ratio - 1)
    double crcSd = 0;  ///< SD (n-1) over spheres
    double noise = 0;  ///< SD (n-1) / mean in the `uniform` ROI at the centre (the first of role Uniform)
    double nsr = 0;    ///< mean over all `uniform` ROIs of SD/mean
    std::vector<RoiFigures> rois;
};

/// Prepared ROI voxels for one lattice; evaluating an image costs microseconds. Immutable; share between
/// threads.
class FigureEvaluator {
  public:
    FigureEvaluator(RoiSet set, const Lattice& lattice);
    [[nodiscard]] const RoiSet& set() const { return set_; }
    [[nodiscard]] Figures evaluate(int iteration, const float* image) const;

  private:
    RoiSet set_;
    Lattice lattice_;
    std::vector<std::vector<WeightedVoxel>> voxels_;
    std::vector<double> outside_;
};

/// ROIs placed from a phantom description: a circle of the sphere's diameter in the slice through its centre,
/// an annulus of inner diameter sphere + 14 mm and 8 mm thick around it, and a circle of 50 mm diameter at
/// the centre of the same slice (paper 000, section 6.1). `shapes` as in recon/simulate/phantom.h JSON.
[[nodiscard]] RoiSet autoRois(const std::string& phantomNameOrJson);

/// `analyze --json` and `--csv` forms.
[[nodiscard]] std::string figuresToJson(const std::vector<Figures>& figures);
[[nodiscard]] std::string figuresToCsv(const std::vector<Figures>& figures);

}  // namespace tof
