// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// Series of PET and CT images, read from a folder or from one of their files; PET series are written into a
/// folder NAME.dicom. Through DCMTK; a build without it recognises DICOM and says that it cannot read it.
[[nodiscard]] Format dicomFormat();

}  // namespace tof
