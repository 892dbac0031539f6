// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "recon/data/framed_counts.h"
#include "recon/forms/form/form.h"

namespace tof {

/// Lines of response: one per event, or with counts.
[[nodiscard]] Form lineForm();

/// How list-mode between a scanner's own crystals is corrected. Efficiencies and dead time go into
/// `possible`, what attenuates into `attenuation`, from where sensitivities take them, and events get the
/// mult that their add needs beside it. Randoms and scatter need times of flight and no rings; survival needs
/// no scanner.
[[nodiscard]] FormCorrections lineCorrections();

/// What cutting a list by time needs beside its lines.
struct ListedCells {
    std::vector<std::uint32_t> cells;  ///< the number of every event's line, kNoCell where it is left out
    std::vector<FramePoses> poses;     ///< those of every frame, where something moved
};

/// The lines of a list between the crystals of `scanner` or of the rings that were asked for, with the
/// corrections that were named and without what attenuates. `scanner` may be null. Fills `found`. Throws
/// BadInput, WrongUse.
[[nodiscard]] LineData linesOfEvents(const EventList& events, const Scanner* scanner,
                                     const BinContext& context, ListedCells& found);

}  // namespace tof
