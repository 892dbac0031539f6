// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "recon/base/lattice.h"

namespace tof {

/// The smallest part of a volume that holds all that is not zero, where it lies; none when all is zero. Rays
/// through a large lattice with little in it need no more, and a cache holds it.
[[nodiscard]] std::optional<Volume> cropped(const Volume& volume);

}  // namespace tof
