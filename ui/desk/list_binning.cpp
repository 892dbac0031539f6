// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/list_binning.h"

namespace tof::ui {

QJsonObject binningToJson(const ListBinning& binning) {
    return {{"azimuths", binning.azimuths},
            {"tilts", binning.tilts},
            {"voxel_mm", binning.voxel_mm},
            {"partial", binning.partial}};
}

std::optional<ListBinning> binningFromJson(const QJsonValue& saved) {
    const QJsonObject o = saved.toObject();
    const ListBinning binning{o["azimuths"].toInt(), o["tilts"].toInt(), o["voxel_mm"].toDouble(),
                              o["partial"].toBool()};
    const bool whole = binning.azimuths > 0 && binning.tilts > 0 && binning.voxel_mm > 0;
    return whole ? std::optional(binning) : std::nullopt;
}

}  // namespace tof::ui
