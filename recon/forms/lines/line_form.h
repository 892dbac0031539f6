// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/forms/form/form.h"

namespace tof {

/// Lines of response: one per event, or with counts.
[[nodiscard]] Form lineForm();

/// How list-mode between a scanner's own crystals is corrected. Efficiencies and dead time go into
/// `possible`, what attenuates into `attenuation`, from where sensitivities take them, and events get the
/// mult that their add needs beside it. Randoms and scatter need times of flight and no rings; survival needs
/// no scanner.
[[nodiscard]] FormCorrections lineCorrections();

}  // namespace tof
