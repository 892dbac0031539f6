// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <optional>

namespace tof::ui {

/// How list-mode becomes histo-images; the lattice keeps 576 x 576 x 192 mm.
struct ListBinning {
    int azimuths = 40;
    int tilts = 3;
    double voxel_mm = 4;
    bool partial = false;  ///< take a file that ends too early as far as it goes
};

[[nodiscard]] QJsonObject binningToJson(const ListBinning& binning);
/// Empty where there is none.
[[nodiscard]] std::optional<ListBinning> binningFromJson(const QJsonValue& saved);

}  // namespace tof::ui
