// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof::device {

/// Whose kernel weighs a source's contribution to a target: the target's in back projection, the source's in
/// forward projection.
enum class Gather { ByTarget, BySource };

}  // namespace tof::device
