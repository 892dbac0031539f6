// SPDX-License-Identifier: Apache-2.0
// What regions of an image would hold if none were seen in another: the geometric transfer matrix (O. Rousset
// et al., J. Nucl. Med. 39 (1998) 904).
#pragma once

#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/data/dynamic_image.h"
#include "recon/kinetics/parametric_images.h"
#include "recon/metrics/roi.h"

namespace tof {

/// How regions are seen in one another. Each region is taken to be uniform; so is what lies in no region,
/// apart for what is seen in regions and what is too far for that. Immutable; share between threads.
class PartialVolume {
  public:
    /// Regions are seen through a Gaussian of `fwhm_mm`, integrated over voxels. Throws WrongUse for a width
    /// that is not above 0 or above 1000 mm, and BadInput for regions that share voxels, lie outside of the
    /// lattice, or are too small beside the width to be told apart.
    static PartialVolume ofWidth(const Lattice& lattice, const std::vector<Roi>& rois, double fwhm_mm,
                                 const ThreadPool& pool);
    /// Regions are seen as `images` have it, one a region in their order: each what the very reconstruction
    /// makes of one emission a voxel in that region and none elsewhere (Y. Du et al., IEEE Trans. Nucl. Sci.
    /// 52 (2005) 1). Throws BadInput as ofWidth(), and for images of another number or lattice; `source`
    /// names them.
    static PartialVolume ofImages(const std::vector<Roi>& rois, const DynamicImage& images,
                                  const std::string& source);

    /// The share of region `of`'s activity that is in the mean of region `in`; behind the ROIs come the
    /// rests.
    [[nodiscard]] double share(std::size_t in, std::size_t of) const { return seen_[in * size() + of]; }
    /// ROIs and what lies in none of them.
    [[nodiscard]] std::size_t size() const { return voxels_.size(); }

    /// The curves of the ROIs as if none were seen in another. SDs are those over voxels, each carried into
    /// every region as if they were independent. Values as regionCurves() has them.
    [[nodiscard]] std::vector<RegionCurve> curves(const DynamicInfo& image, const FrameValues& values,
                                                  const std::vector<double>& factors) const;

  private:
    /// The voxels of the ROIs.
    PartialVolume(const Lattice& lattice, const std::vector<Roi>& rois);
    /// Adds what lies in no ROI: `near` where ROIs are seen, and the rest.
    void addRests(const Volume& sumOfSeen);
    /// Takes the column of region `of` from where it is seen.
    void addSeen(std::size_t of, const std::vector<float>& image);
    /// Inverts the shares. Throws BadInput.
    void solve();

    Lattice lattice_;
    std::size_t rois_ = 0;
    std::vector<std::string> names_;
    std::vector<std::vector<WeightedVoxel>> voxels_;
    std::vector<double> seen_;     ///< [in][of]
    std::vector<double> inverse_;  ///< inverse of `seen_`
};

}  // namespace tof
