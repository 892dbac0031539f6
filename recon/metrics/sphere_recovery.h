// SPDX-License-Identifier: Apache-2.0
// ROIs of paper 003: contrast recovery of hot and cold spheres and noise-to-signal ratio.
#pragma once

#include <string>

#include "recon/metrics/figures_of_merit.h"
#include "recon/phantom/phantom.h"

namespace tof {

/// Diameter of a sphere's circle: 80 % of the sphere's diameter, or the printed 80 % of its radius.
enum class SphereCircle { OfDiameter, OfRadius };

/// ROIs of a phantom with a uniform cylinder. With spheres: a circle in each, with its own true ratio to the
/// cylinder (0 for cold ones), and eight uniform circles of 15 mm radius half-way between the spheres and the
/// wall, evenly spread; `contrastRecovery` of FigureEvaluator is then the paper's Q_H and Q_C, and `nsr` its
/// NSR. Without spheres: one uniform circle of 25 mm radius in the central slice. Throws WrongUse for a
/// phantom without a cylinder of role `background`, or without room for the circles.
[[nodiscard]] RoiSet recoveryRois(const Phantom& phantom, SphereCircle circle);

}  // namespace tof
