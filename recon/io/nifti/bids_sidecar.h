// SPDX-License-Identifier: Apache-2.0
// The sidecar of BIDS beside a volume (bids-specification.readthedocs.io, PET). Internal to recon/io.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "recon/data/dynamic_image.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/physics/uptake.h"

namespace tof {

/// Its name: that of the volume with the ending .json.
[[nodiscard]] std::string sidecarOf(const std::string& path);

/// "Bq/ml" for "Bq/mL", "g/ml" for "SUV": units as this program spells them.
[[nodiscard]] std::string unitsFromBids(const std::string& text);

/// Whether there is one that has FrameTimesStart.
[[nodiscard]] bool saysFrameTimes(const std::string& path);

/// Reads FrameTimesStart, FrameDuration, ImageDecayCorrected, ImageDecayCorrectionTime and TracerRadionuclide
/// into `info`. Returns what was assumed, or nothing. Throws BadInput where there are no `frames` frames of
/// one scan.
[[nodiscard]] std::string readFrameTimes(const std::string& path, std::size_t frames, DynamicInfo& info);

/// A sidecar with those fields and Units; with `uptake` also dose, injection and body, as BIDS and dcm2niix
/// call them, and that this program wrote it.
[[nodiscard]] FileOfSeveral sidecarFile(const std::string& path, const DynamicInfo& info,
                                        const std::optional<Uptake>& uptake);

/// Whether there is one that sidecarFile() has made.
[[nodiscard]] bool hasOwnSidecar(const std::string& path);

/// Throws CannotWrite where the sidecar that would be written over is not this program's.
void refuseSidecarOfOthers(const std::string& path);

/// What SUV need of values in Bq/ml, where the sidecar says it: InjectedRadioactivity with its units,
/// InjectionStart, PatientWeight, nuclide, and that values are corrected, to which time. Nothing where one of
/// them is missing. Throws BadInput for a sidecar that is no JSON.
[[nodiscard]] std::optional<Uptake> uptakeOfSidecar(const std::string& path);

}  // namespace tof
