// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/panel/panel_system.h"

#include <utility>

#include "recon/systems/panel/panel_measurement.h"

namespace tof {

System panelSystem() {
    return {PanelModel::kSystem, "panel_matrix",
            [](const FormatFile& file) { return file.form() == "panel"; },
            [](const FormatFile& file) -> std::shared_ptr<const Measurement> {
                return std::make_shared<const PanelMeasurement>(
                    std::get<PanelData>(std::move(file.data("")->data)));
            },
            [](const RunSettings& settings) { return settings.algorithmName; }};
}

}  // namespace tof
