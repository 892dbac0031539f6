// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/histo_system.h"

#include <any>
#include <filesystem>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

std::string kernelName(const RunSettings& settings) {
    const std::string& kernel = settings.kernelText;
    if (kernel.starts_with('{')) {
        try {
            const std::string name = settings.kernel().name;
            return name.empty() ? "custom kernel" : name;
        } catch (const Error&) {
            return "custom kernel";
        }
    }
    return kernel.ends_with(".json") ? std::filesystem::path(kernel).stem().string() : kernel;
}

System histoSystem() {
    return {DirectModel::kSystem, "kernel", [](const FormatFile& file) { return file.form() == "histo"; },
            [](const FormatFile& file) -> std::shared_ptr<const Measurement> {
                const std::any ahead = file.otherData();
                if (const auto* const reading = std::any_cast<HistoReading>(&ahead)) {
                    return std::make_shared<const HistoMeasurement>(reading->data, reading->hash);
                }
                return std::make_shared<const HistoMeasurement>(
                    std::get<HistoData>(std::move(file.data("")->data)));
            },
            kernelName};
}

}  // namespace tof
