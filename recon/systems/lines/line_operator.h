// SPDX-License-Identifier: Apache-2.0
// One row of the system matrix: the coefficients of one line, with or without time of flight, shared by host
// and device.
#pragma once

#include "recon/base/constants.h"
#include "recon/scanner/michelogram.h"
#include "recon/systems/lines/ray_path.h"

namespace tof {

/// What all lines of a model have in common. Plain data, copied to devices as it is.
struct LineOperator {
    RayGrid grid;
    RayTof tof;
    bool joseph;
};

[[nodiscard]] inline RayTof rayTof(const TofBins& bins) {
    if (bins.count == 0) {
        return {0, 0, 0, 0};
    }
    const double sigma = bins.fwhm_ps / kFwhmPerSigma * kMmPerPs;
    return {bins.count, bins.width_ps * kMmPerPs, sigma, bins.cutoff * sigma};
}

/// timeShare() of neighbouring segments, each edge's integral evaluated once per voxel face.
class TimeWalker {
  public:
    TOF_HD TimeWalker(const RayTof& tof, int bin)
        : lower_(tof.edge(bin)),
          upper_(tof.edge(bin + 1)),
          perSigma_(1.0 / tof.sigma_mm),
          sigma_(tof.sigma_mm),
          first_(bin == 0),
          last_(bin == tof.count - 1) {}

    /// Share of [a0, a1], which must lie inside what the bin can see.
    [[nodiscard]] TOF_HD double share(double a0, double a1) {
        if (a0 != begin_ || a1 != at_) {
            if (a0 != at_) {
                lowerRamp_ = first_ ? 0.0 : normalRamp((lower_ - a0) * perSigma_);
                upperRamp_ = last_ ? 0.0 : normalRamp((upper_ - a0) * perSigma_);
            }
            const double nextLower = first_ ? 0.0 : normalRamp((lower_ - a1) * perSigma_);
            const double nextUpper = last_ ? 0.0 : normalRamp((upper_ - a1) * perSigma_);
            const double below = first_ ? 0.0 : sigma_ * (lowerRamp_ - nextLower);
            const double upTo = last_ ? a1 - a0 : sigma_ * (upperRamp_ - nextUpper);
            share_ = upTo > below ? upTo - below : 0.0;
            lowerRamp_ = nextLower;
            upperRamp_ = nextUpper;
            begin_ = a0;
            at_ = a1;
        }
        return share_;
    }

  private:
    double lower_;
    double upper_;
    double perSigma_;
    double sigma_;
    bool first_;
    bool last_;
    double begin_ = 1e300;  ///< where the latest segment begins
    double at_ = 1e300;     ///< its end
    double share_ = 0;
    double lowerRamp_ = 0;
    double upperRamp_ = 0;
};

/// Calls visit(voxel, coefficient in mm) for every voxel that the line between two points sees; `timeBin` is
/// ignored without time of flight.
template <class Visit>
TOF_HD void followLine(const LineOperator& op, Vec3 one, Vec3 two, int timeBin, Visit&& visit) {
    const Ray ray = makeRay(op.grid, one, two);
    if (op.tof.count == 0) {
        if (op.joseph) {
            followJoseph(op.grid, ray, -ray.half, ray.half,
                         [&](int voxel, double a0, double a1, double weight) {
                             visit(voxel, static_cast<float>(weight * (a1 - a0)));
                         });
        } else {
            followSiddon(op.grid, ray, -ray.half, ray.half,
                         [&](int voxel, double a0, double a1) { visit(voxel, static_cast<float>(a1 - a0)); });
        }
        return;
    }
    TimeWalker walker(op.tof, timeBin);
    if (op.joseph) {
        followJoseph(op.grid, ray, op.tof.from(timeBin), op.tof.to(timeBin),
                     [&](int voxel, double a0, double a1, double weight) {
                         visit(voxel, static_cast<float>(weight * walker.share(a0, a1)));
                     });
    } else {
        followSiddon(
            op.grid, ray, op.tof.from(timeBin), op.tof.to(timeBin),
            [&](int voxel, double a0, double a1) { visit(voxel, static_cast<float>(walker.share(a0, a1))); });
    }
}

}  // namespace tof
