// SPDX-License-Identifier: Apache-2.0
// How much one image tells of another (Mattes et al., IEEE Trans. Med. Imaging 22 (2003) 120).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/motion/pose.h"

namespace tof {

/// The mutual information of two images at points of the first, by a histogram of their values: those of the
/// fixed image are counted in bins, those of the moving one by cubic B-splines, so that it has a gradient.
/// The images must outlive it. For one caller at a time.
class MutualInformation {
  public:
    /// About `points` places fill the box of the fixed image evenly; they depend on nothing else. Values
    /// beyond the 0.1th and 99.9th percentile count as those.
    MutualInformation(const Volume& fixed, const Volume& moving, std::size_t points);
    MutualInformation(const MutualInformation&) = delete;
    MutualInformation& operator=(const MutualInformation&) = delete;
    ~MutualInformation();

    struct Value {
        double information = 0;  ///< nats
        Vec3 byShift;            ///< its change per mm that the moved image is shifted on
        Vec3 byTurn;             ///< its change per radian that the moved image is turned on about middle()
        double inside = 0;       ///< share of the points that lie in the moved image
    };
    /// Where the moving image is carried by `place`. The sums do not depend on the number of threads.
    [[nodiscard]] Value at(const Pose& place, const ThreadPool& pool) const;
    /// The mean of the points, mm.
    [[nodiscard]] Vec3 middle() const { return middle_; }
    /// The root mean square of their distances from it, mm.
    [[nodiscard]] double reach_mm() const { return reach_mm_; }

    static constexpr int kBins = 32;

  private:
    struct Part;
    struct Seen;
    struct Point {
        Vec3 mm;
        int bin = 0;  ///< where the fixed image's value is counted
    };
    [[nodiscard]] Seen look(const Pose& place, const Pose& back, Vec3 mm) const;

    const Volume& moving_;
    std::vector<Point> points_;
    std::unique_ptr<std::vector<Seen>> seen_;  ///< room of at(): too large to be made for every place
    Vec3 middle_;
    double reach_mm_ = 1;
    double low_ = 0;  ///< value of the moving image at the lower end of its bins
    double binsPerUnit_ = 1;
};

}  // namespace tof
