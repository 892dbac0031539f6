// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/corrections/part_flow.h"

namespace tof {

/// How list-mode between a scanner's own crystals is corrected. Efficiencies and dead time go into
/// `possible`, what attenuates into `attenuation`, from where sensitivities take them, and events get the
/// mult that their add needs beside it. Randoms and scatter need times of flight and no rings; survival needs
/// no scanner.
[[nodiscard]] FormCorrections lineCorrections();

}  // namespace tof
