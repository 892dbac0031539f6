// SPDX-License-Identifier: Apache-2.0
// Parts of corrections in data files: `/corrections/parts/NAME` (docs/formats.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/data/correction_parts.h"
#include "recon/io/bytes/destination.h"
#include "recon/io/format/format.h"

namespace tof {

namespace h5 {
class Reader;
}

/// None where the file has none. Throws BadInput.
[[nodiscard]] CorrectionParts readParts(const h5::Reader& file);
/// Reads the parts; none, too, where there is no such file or none of HDF5.
[[nodiscard]] CorrectionParts partsOfFile(const std::string& path);
/// The values of a part that is there. Throws BadInput.
[[nodiscard]] std::vector<float> readPart(const h5::Reader& file, PartName name);
/// All but the values.
[[nodiscard]] CorrectionParts outlineOfParts(const h5::Reader& file);

/// What files and `info` say was found with a part: an object.
[[nodiscard]] nlohmann::ordered_json figuresJson(const CorrectionPart& part);

/// Data as writeMeasured() writes them, with the parts of their corrections. Throws CannotWrite.
void writeMeasured(const Destination& to, const MeasuredData& data, const CorrectionParts& parts);

}  // namespace tof
