// SPDX-License-Identifier: Apache-2.0
// DCMTK made ready. Internal to the sources of recon/io/dicom that are DCMTK's.
#pragma once

#include <string>

namespace tof {

/// Silences DCMTK, finds its data dictionary and registers its decoders, once. Returns why it cannot be used,
/// or nothing. Thread-safe.
[[nodiscard]] const std::string& readyDcmtk();

}  // namespace tof
