// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "recon/kinetics/time_curve.h"
#include "recon/work/frame_run.h"

namespace tof {

/// The frames that Patlak's line goes over, and what a parameter of 1 is in each of them: emissions per voxel
/// for Ki = 1/min and for Vb = 1.
struct PatlakFrames {
    std::vector<std::size_t> frames;
    std::vector<std::array<double, 2>> basis;  ///< one for each
    std::vector<double> inputMeans;            ///< activity of plasma, Bq/ml
};

/// Frames that start at `start_s` or later. `plasma` is in Bq/ml, corrected for decay to the start of the
/// scan, as images are. Throws WrongUse for fewer than three, or where the nuclide is not stated.
[[nodiscard]] PatlakFrames patlakFrames(const FramedCounts& frames, const TimeCurve& plasma, double start_s,
                                        double voxel_mm3);

/// Images of Ki in 1/min and Vb, from the counts of all these frames together.
struct PatlakImages {
    Volume ki;
    Volume vb;
    int iterations = 0;  ///< fewer than asked for where the listener said finish
};

/// Nested EM (G. Wang and J. Qi, Phys. Med. Biol. 55 (2010) 1505): in an iteration every frame's
/// image, which the parameters make, is updated by its counts once, and then the parameters `updates` times
/// by these images, t_k <- t_k sum_m B_mk x_m / (B t)_m / sum_m B_mk. Sensitivities are those of all frames
/// alike and cancel. requireEm() has been asked.
[[nodiscard]] PatlakImages reconstructPatlak(const PatlakFrames& line, int updates,
                                             const FrameRunRequest& request, const Measurement& data,
                                             Projector& projector, const std::shared_ptr<DataSource>& source,
                                             JobListener& listener);

/// Throws WrongUse, naming `option`, for algorithms other than MLEM and OSEM.
void requireEm(const char* option, const AlgorithmSettings& algorithm);

/// Reads the plasma of `asked`, reconstructs, and writes Ki.nii.gz, Vb.nii.gz and kinetics.json into its
/// folder. Throws BadInput, WrongUse, CannotWrite.
void makeDirectPatlak(const DirectPatlak& asked, const FrameRunRequest& request, const Measurement& data,
                      Projector& projector, const std::shared_ptr<DataSource>& source, JobListener& listener);

}  // namespace tof
