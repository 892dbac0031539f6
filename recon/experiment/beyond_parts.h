// SPDX-License-Identifier: Apache-2.0
// What `beyond` consists of. Every part adds its numbers, checks and pictures.
#pragma once

#include <string>

#include "recon/experiment/experiment.h"
#include "recon/kernel/kernel_spec.h"

namespace tof {

/// The context with its progress from one share of the whole to another.
[[nodiscard]] ExperimentContext within(const ExperimentContext& context, double from, double to);

/// Mean inside a cylinder about the axis.
[[nodiscard]] double meanInside(const Volume& image, double radius_mm, double halfLength_mm);

/// A kernel of points for voxels: its widths with those of the source and the target voxel, in quadrature,
/// and evaluated at centres. Averaging over voxels refuses kernels much narrower than they are.
[[nodiscard]] KernelSpec withVoxels(KernelSpec kernel, const Lattice& lattice);

/// A row of the table, and the same beside the papers' nothing.
void addNumber(ExperimentReport& report, const std::string& part, const std::string& quantity, double value,
               const std::string& unit = {}, const std::string& remark = {});

/// One list of coincidences as histo-images, as lines and as sinograms.
void addThreeWays(ExperimentReport& report, const ExperimentContext& context);
/// Kernels measured from points beside those that are modelled.
void addMeasuredKernel(ExperimentReport& report, const ExperimentContext& context);
/// Bands of confidence of one scan beside scans that were made again.
void addBands(ExperimentReport& report, const ExperimentContext& context);
/// Voxels of 2 mm in 120 views beside those of 4 mm.
void addFineVoxels(ExperimentReport& report, const ExperimentContext& context);
/// A scanner that is longer than wide.
void addLongAxial(ExperimentReport& report, const ExperimentContext& context);
/// Events at which list-mode costs what histo-images cost.
void addBreakEven(ExperimentReport& report, const ExperimentContext& context);

}  // namespace tof
