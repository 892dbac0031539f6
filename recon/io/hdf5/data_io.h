// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/data/histo_data.h"

namespace tof {

/// Reads a data file (design section 7). mult and add stored 2-D per view are expanded. Throws BadInput.
[[nodiscard]] HistoData readData(const std::string& path);

/// Writes it aside, flushed and renamed; counts as uint16 where they are whole and fit. Throws CannotWrite.
void writeData(const std::string& path, const HistoData& data);

/// 64-bit hash of lattice, views, counts, mult and add, 16 hexadecimal digits: equal content, equal hash,
/// however it is stored. readData puts it into HistoData::hash.
[[nodiscard]] std::string dataHash(const HistoData& data);

}  // namespace tof
