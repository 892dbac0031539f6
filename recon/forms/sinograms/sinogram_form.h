// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/forms/form/form.h"

namespace tof {

/// Sinograms of a ring scanner.
[[nodiscard]] Form sinogramForm();

/// How sinograms are corrected: factors go into mult, which holds survival as well, counts into add.
[[nodiscard]] FormCorrections sinogramCorrections();

}  // namespace tof
