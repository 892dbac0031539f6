// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "recon/data/dynamic_image.h"
#include "recon/io/bytes/destination.h"
#include "recon/physics/uptake.h"

namespace tof {

/// Writes NIfTI-1 and beside it a sidecar of BIDS with what is known of units, times, decay, nuclide and
/// dose; frames as DynamicSource has them, none or one for a static image. Returns a note, one sentence or
/// empty. Throws CannotWrite.
std::string writeNiftiWithSidecar(const Destination& to, const DynamicSource& image,
                                  const std::optional<Uptake>& uptake);

}  // namespace tof
