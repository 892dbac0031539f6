// SPDX-License-Identifier: Apache-2.0
// Slices of a series in their places. Internal to recon/io/dicom.
#pragma once

#include <string>
#include <vector>

#include "recon/io/bytes/placement.h"
#include "recon/io/dicom/dicom_slices.h"

namespace tof {

/// Images of a series that are of the same time, in the order of their places, and how they lie.
struct DicomStack {
    std::vector<std::vector<DicomSlice>> frames;  ///< [frame][slice]
    Placement placement;
    std::string missing;  ///< a remark, or empty
};

/// Throws BadInput for slices that do not fit together: other sizes or directions, missing or doubled ones.
[[nodiscard]] DicomStack dicomStack(const std::vector<DicomSlice>& series);

}  // namespace tof
