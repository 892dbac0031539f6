// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "recon/motion/pose.h"

namespace tof {

/// The rigid motion that carries `from` to `to`, points that lie to one another alike: to their rounding.
/// Throws InternalError where all points lie on one line.
[[nodiscard]] Pose poseThatCarries(std::span<const Vec3> from, std::span<const Vec3> to);

}  // namespace tof
