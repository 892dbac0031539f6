// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "recon/work/bin_rows.h"

namespace tof::ui {

/// How list-mode becomes data, as the window asks for it: a voxel, and a lattice that keeps 576 x 576 x 192
/// mm unless its sizes are named.
struct ListBinning : BinRequest {
    double voxel_mm = 4;
    std::optional<std::array<int, 3>> grid;

    /// For a file: lines take the lattice that fits their sampling unless voxel or sizes were chosen.
    [[nodiscard]] BinRequest requestFor(const QString& path) const;
};

/// Everything that the window asks for. The rows read and write `binning`, which must outlive them.
[[nodiscard]] std::vector<BoundRow> listBinningRows(ListBinning& binning);

/// What differs from the usual, and always views, voxel and partial.
[[nodiscard]] nlohmann::json binningToJson(const ListBinning& binning);
/// Empty where there is none.
[[nodiscard]] std::optional<ListBinning> binningFromJson(const nlohmann::json& saved);

}  // namespace tof::ui
