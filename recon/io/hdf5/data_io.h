// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/data/histo_data.h"

namespace tof {

namespace h5 {
class Reader;
}

/// Reads a data file (docs/formats.md). mult and add stored 2-D per view are expanded. Throws BadInput.
[[nodiscard]] HistoData readData(const std::string& path);
[[nodiscard]] HistoData readData(const h5::Reader& file);

/// Writes it aside, flushed and renamed; counts as uint16 where they are whole and fit. Throws CannotWrite.
void writeData(const std::string& path, const HistoData& data);

}  // namespace tof
