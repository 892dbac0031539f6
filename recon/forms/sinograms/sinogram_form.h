// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/forms/form/form.h"

namespace tof {

/// Sinograms of a ring scanner.
[[nodiscard]] Form sinogramForm();

}  // namespace tof
