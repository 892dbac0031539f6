// SPDX-License-Identifier: Apache-2.0
// A kinetic model fitted to every voxel, and means over regions.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/data/dynamic_image.h"
#include "recon/kinetics/kinetic_model.h"
#include "recon/metrics/roi.h"

namespace tof {

struct ParametricImages {
    std::vector<Volume> images;  ///< in the order of the model's; 0 where there is no fit
    std::size_t fitted = 0;
    std::size_t quiet = 0;   ///< voxels whose mean lies below the threshold
    std::size_t failed = 0;  ///< voxels whose curve cannot be fitted
};

/// Fits every voxel; `factors` multiply frames (decay). Voxels whose mean over time is below `threshold`
/// times the largest are left at 0. `report` is told the part that is done, by the calling thread; what it
/// throws ends the work. Results do not depend on the number of threads.
[[nodiscard]] ParametricImages fitImage(const DynamicImage& image, const std::vector<double>& factors,
                                        const KineticModel& model, const KineticFit& fit, double threshold,
                                        const ThreadPool& pool,
                                        const std::function<void(double part)>& report = {});

/// A region's activity against time.
struct RegionCurve {
    std::string name;
    std::vector<double> means;  ///< one for each frame
    std::vector<double> sds;    ///< over voxels, n - 1
    double volume_mm3 = 0;
};

/// The values of a frame, [z][y][x], which are used before the next one is asked for.
using FrameValues = std::function<const std::vector<float>&(std::size_t frame)>;

/// The mean of frames [first, last], weighted by their durations, of values as they are.
[[nodiscard]] Volume meanOfFrames(const DynamicInfo& image, std::size_t first, std::size_t last,
                                  const FrameValues& values);

/// Curves of ROIs, by their voxels with fractions as figures of merit have them (recon/metrics/roi.h). Throws
/// BadInput for an ROI outside of the image.
[[nodiscard]] std::vector<RegionCurve> regionCurves(const DynamicImage& image, const std::vector<Roi>& rois,
                                                    const std::vector<double>& factors);
/// Those of an image whose frames are asked for one after the other, once each.
[[nodiscard]] std::vector<RegionCurve> regionCurves(const DynamicInfo& image, const FrameValues& values,
                                                    const std::vector<Roi>& rois,
                                                    const std::vector<double>& factors);

/// A table of tab-separated columns: frame_start and frame_end in s, then two a region, NAME and NAME_sd.
[[nodiscard]] std::string curvesTable(const std::vector<TimeFrame>& frames,
                                      const std::vector<RegionCurve>& curves);

}  // namespace tof
