// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/data/events.h"
#include "recon/io/bytes/destination.h"

namespace tof {

/// Writes a list as PETSIRD in yardl's binary encoding, events in the order of their times. Its records are
/// those of PETSIRD 0.10 that a list needs, or where `model` names a file of PETSIRD those of that file, so
/// that tools of its version read it. Returns what is left out or rounded, one sentence or empty. Throws
/// WrongUse for a list without scanner, BadInput for a model that is none, CannotWrite.
[[nodiscard]] std::string writePetsird(const Destination& to, const EventList& events,
                                       const std::string& model = {});

}  // namespace tof
