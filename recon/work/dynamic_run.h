// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/io/bytes/destination.h"

namespace tof {

/// Writes the frames of a run as one dynamic image, in the format of the extension: Bq/ml at the start of the
/// scan where the nuclide is stated, else annihilations per second and ml; of images in other units what
/// there is of them a second. Of a run of gates each gate has an image, "OUT_gate-1.nii.gz". Returns what a
/// user should know, one sentence or empty. Throws BadInput where the run has no frames, CannotWrite.
std::string writeDynamicRun(const std::string& runFile, const Destination& to);

}  // namespace tof
