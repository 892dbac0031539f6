// SPDX-License-Identifier: Apache-2.0
// Raw data of Siemens as a console exports them: words, sinograms or a normalisation, and DICOM whose element
// (0029,1010) holds their Interfile header. Internal to recon/io.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "recon/io/format/format.h"

namespace tof {

struct SiemensRaw {
    std::string header;         ///< text of Interfile
    std::string dataFile;       ///< where the data begin at byte 0
    std::uint64_t dataEnd = 0;  ///< byte behind the last one that may be data
};

/// Whether readSiemensRaw() finds it: `.ptd`, the data before their DICOM, or `.dcm` with the data in `.bf`
/// beside it.
[[nodiscard]] bool isSiemensRaw(const FileStart& start);

/// Nothing for files of other kinds. Throws BadInput for a `.ptd` whose last MiB holds no DICOM with a
/// header, and for a `.dcm` without its `.bf`.
[[nodiscard]] std::optional<SiemensRaw> readSiemensRaw(const std::string& path);

}  // namespace tof
