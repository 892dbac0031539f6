// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace tof {

/// How DICOM names a nuclide: context group 4020 of PS3.16, scheme SRT.
struct NuclideCode {
    const char* name;     ///< as petNuclides() have it
    const char* code;     ///< "C-111A1"
    const char* meaning;  ///< "^18^Fluorine"
    const char* element;  ///< in lower case
};

/// Those of petNuclides().
[[nodiscard]] std::span<const NuclideCode> nuclideCodes();

}  // namespace tof
