// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/forms/form/form.h"

namespace tof {

/// The lines of two panels.
[[nodiscard]] Form panelForm();

/// How two panels are corrected: randoms from delayeds alone are known of them. Their mean takes the place of
/// what add had, or they are taken from the counts.
[[nodiscard]] FormCorrections panelCorrections();

}  // namespace tof
