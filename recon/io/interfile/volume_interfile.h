// SPDX-License-Identifier: Apache-2.0
// Images in Interfile as STIR writes them. Internal to recon/io.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "recon/io/format/format.h"

namespace tof {

/// True when the first key of a file's text is INTERFILE.
[[nodiscard]] bool isInterfile(std::string_view start);

/// Turned to the axes of the patient (recon/io/interfile/patient_position.h), values scaled as the header
/// says; the note says what was assumed of a header that does not follow STIR. Throws BadInput naming key and
/// remedy. `heed` is called while much is read.
[[nodiscard]] VolumeReadResult readVolumeInterfile(const std::string& path, const VolumeReadOptions& options,
                                                   const std::function<void()>& heed = {});
/// Adds what the header tells, the data are not read: lattice, units, and frames where there are several.
[[nodiscard]] nlohmann::ordered_json describeVolumeInterfile(const std::string& path);
/// Writes an image, head first and supine as STIR has its axes, and the data beside it, same name with .v in
/// place of the extension.
void writeVolumeInterfile(const Destination& to, const Volume& volume);

}  // namespace tof
