// SPDX-License-Identifier: Apache-2.0
// A look at a DICOM file before DCMTK reads it, which goes into sequences by recursion. Internal to recon/io.
#pragma once

#include <string>

namespace tof {

/// Throws BadInput where sequences lie more than 64 deep in each other, or where a deflated file becomes more
/// than the memory that is free. Faults of other kinds are left to DCMTK.
void requireReasonableDicom(const std::string& path);

}  // namespace tof
