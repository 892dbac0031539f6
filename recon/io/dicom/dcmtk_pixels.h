// SPDX-License-Identifier: Apache-2.0
// How pixels of a DICOM file are stored. Internal to the sources of recon/io/dicom that are DCMTK's.
#pragma once

#include "recon/io/dicom/dcmtk_object.h"

namespace tof {

/// How pixels are stored: in so many bits, of which so many count.
struct PixelForm {
    int allocated = 16;
    int stored = 16;
    bool isSigned = false;
};

/// Throws BadInput for what is not read: other than grey values of 8 and 16 bits, in segmentations also of 1.
[[nodiscard]] PixelForm pixelForm(DicomObject& object);

}  // namespace tof
