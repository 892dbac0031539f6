// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/forms/form/form.h"

namespace tof {

/// Lines of response: one per event, or with counts.
[[nodiscard]] Form lineForm();

}  // namespace tof
