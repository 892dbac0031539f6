// SPDX-License-Identifier: Apache-2.0
// Segmentations and structure sets as label maps. Internal to recon/io/dicom.
#pragma once

#include <memory>

#include "recon/io/format/format.h"

namespace tof {

/// The file where it is a segmentation or a structure set by its class; else null.
[[nodiscard]] std::unique_ptr<const FormatFile> dicomLabelFile(const FileStart& start);

}  // namespace tof
