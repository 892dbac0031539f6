// SPDX-License-Identifier: Apache-2.0
// PET series of DICOM.
#pragma once

#include <optional>
#include <string>

#include "recon/data/dynamic_image.h"
#include "recon/io/bytes/destination.h"
#include "recon/physics/uptake.h"

namespace tof {

/// A volume as an image whose times are not known; it must outlive the source.
[[nodiscard]] DynamicSource sourceOf(const Volume& volume);

/// Writes a new folder of single PET images. Without frames nothing is known of times; one frame is a static
/// image, whose duration may be 0. Where `uptake` is given, values are corrected to the time that it says,
/// and dose, injection and body are written, so that readers make SUV. The first frame begins when it is
/// written; what matters are differences of times. Returns what the format could not keep, one sentence or
/// empty. Throws CannotWrite, also for values corrected by a half life that is not known.
std::string writeDicomSeries(const Destination& to, const DynamicSource& image,
                             const std::optional<Uptake>& uptake);

}  // namespace tof
