// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/forms/form/form.h"

namespace tof {

/// The lines of two panels.
[[nodiscard]] Form panelForm();

}  // namespace tof
