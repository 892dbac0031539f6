// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/forms/form/form.h"

namespace tof {

/// Histo-images of DIRECT: events in views, each an image.
[[nodiscard]] Form histoForm();

/// How histo-images are corrected: factors go into mult and att, counts into add, every part beside them.
[[nodiscard]] FormCorrections histoCorrections();

}  // namespace tof
