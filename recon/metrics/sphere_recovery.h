// SPDX-License-Identifier: Apache-2.0
// Figures of merit of paper 003: contrast recovery of hot and cold spheres and noise-to-signal ratio.
#pragma once

#include <string>
#include <vector>

#include "recon/metrics/roi.h"
#include "recon/simulate/phantom.h"

namespace tof {

/// Diameter of a sphere's circle: 80 % of the sphere's diameter, or the printed 80 % of its radius.
enum class SphereCircle { OfDiameter, OfRadius };

/// Recovery of one sphere. Hot, ratio > 1: (C_H/C_B - 1)/(ratio - 1); cold, ratio < 1, the same formula with
/// the true ratio; for ratio 0 that is 1 - C_H/C_B.
struct SphereFigure {
    std::string name;
    double diameter_mm = 0;
    double trueRatio = 0;
    double mean = 0;
    double recovery = 0;  ///< a fraction: 1 is perfect
};

struct RecoveryFigures {
    std::vector<SphereFigure> spheres;
    double background = 0;  ///< mean over the background circles
    double nsr = 0;         ///< mean over the background circles of SD/mean
};

/// ROIs of a phantom with spheres in a uniform cylinder, on one lattice. Eight background circles of 15 mm
/// radius lie half-way between the spheres and the wall, evenly spread.
class SphereRecovery {
  public:
    /// Spheres have role `sphere`, their surroundings role `background`. Throws WrongUse when the phantom has
    /// none, or no room for the circles.
    SphereRecovery(const Phantom& phantom, const Lattice& lattice, SphereCircle circle);

    [[nodiscard]] const std::vector<Roi>& backgroundRois() const { return backgroundRois_; }
    [[nodiscard]] RecoveryFigures evaluate(const float* image) const;

  private:
    struct Target {
        SphereFigure figure;  ///< without its values
        std::vector<WeightedVoxel> voxels;
    };
    Lattice lattice_;
    std::vector<Target> spheres_;
    std::vector<Roi> backgroundRois_;
    std::vector<std::vector<WeightedVoxel>> background_;
};

}  // namespace tof
