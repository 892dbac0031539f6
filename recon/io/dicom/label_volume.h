// SPDX-License-Identifier: Apache-2.0
// Internal to recon/io/dicom.
#pragma once

#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/io/format/label_names.h"

namespace tof {

/// Volume of whole numbers, 0 where there is no label, with what they mean.
struct LabelVolume {
    Volume volume;
    std::vector<LabelName> names;
    std::string note;  ///< what a user should know of it, one sentence without the file, or empty
};

}  // namespace tof
