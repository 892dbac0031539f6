// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <array>
#include <optional>

#include "recon/work/bin.h"

namespace tof::ui {

/// How list-mode becomes data, as the window asks for it: a voxel, and a lattice that keeps 576 x 576 x 192
/// mm unless its sizes are named.
struct ListBinning : BinRequest {
    double voxel_mm = 4;
    std::optional<std::array<int, 3>> grid;

    /// For a file: lines take the lattice that fits their sampling unless voxel or sizes were chosen.
    [[nodiscard]] BinRequest requestFor(const QString& path) const;
};

/// What differs from the usual, and always views, voxel and partial.
[[nodiscard]] QJsonObject binningToJson(const ListBinning& binning);
/// Empty where there is none.
[[nodiscard]] std::optional<ListBinning> binningFromJson(const QJsonValue& saved);

}  // namespace tof::ui
