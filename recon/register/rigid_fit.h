// SPDX-License-Identifier: Apache-2.0
// The rigid motion that lays one image onto another.
#pragma once

#include <functional>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/motion/pose.h"

namespace tof {

/// What a fit found.
struct RigidFit {
    Pose place;                    ///< carries the moving image onto the fixed one
    double informationBefore = 0;  ///< nats, on the finest level where it started
    double information = 0;        ///< nats, there
    double inside = 0;             ///< share of the fixed image that the moving one then covers
    int steps = 0;                 ///< how often the gradient was followed, on all levels
};

/// Climbs the mutual information from `start` by quasi-Newton steps (BFGS), on images of 8, 4 and 3 mm that
/// are smoothed likewise; finer voxels are averaged before, coarser ones stay. `heed` is told the share that
/// is done, 0 to 1, and may throw Cancelled. Throws BadInput for images of one value, and where they share
/// less than a quarter of the fixed one.
[[nodiscard]] RigidFit fitRigid(const Volume& moving, const Volume& fixed, const Pose& start,
                                const ThreadPool& pool, const std::function<void(double)>& heed);

}  // namespace tof
