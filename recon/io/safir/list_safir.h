// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "recon/io/format/list_read.h"

namespace tof {

/// True when a file starts as SAFIR, MUPET or NeuroLF list-mode does.
[[nodiscard]] bool isSafir(std::string_view start);

/// Reads SAFIR-family list-mode: prompts as events; delayed coincidences are left out and counted in the
/// note. `options.scannerFile` is the crystal map (text: ring, detector[, layer], x, y, z in mm); without it
/// the one `*crystal_map*.txt` beside the data is taken. Crystals are numbered in the order of the map.
/// Throws BadInput.
[[nodiscard]] ListReadResult readEventsSafir(const std::string& path, const ListReadOptions& options);

}  // namespace tof
