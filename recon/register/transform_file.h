// SPDX-License-Identifier: Apache-2.0
// Rigid motions as files: ITK's text, and a tracker's file with one pose.
#pragma once

#include <string>

#include "recon/motion/pose.h"

namespace tof {

/// Writes what carries the moving image onto the fixed one. As .tfm or .txt it is ITK's AffineTransform,
/// which goes the other way, from a point of the fixed image to that of the moving one, in mm along LPS: the
/// scanner's axes. As .tsv or .json it is a pose from 0 ms on of a tracker's file
/// (recon/motion/motion_file.h), in the scanner's frame. Throws WrongUse for other endings, CannotWrite.
void writeTransform(const std::string& path, const Pose& place);
/// Whether writeTransform() and readTransform() know the ending.
[[nodiscard]] bool isTransformName(const std::string& path);
/// Reads what carries the moving image onto the fixed one. ITK's text holds one transform, an
/// AffineTransform or MatrixOffsetTransformBase, an Euler3DTransform or a VersorRigid3DTransform, in double
/// or float; a tracker's file one pose. Throws BadInput for others, for several and for what is no rotation
/// and shift to 1e-3.
[[nodiscard]] Pose readTransform(const std::string& path);

}  // namespace tof
