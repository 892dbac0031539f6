// SPDX-License-Identifier: Apache-2.0
#include "recon/study/run_description.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"

namespace tof {

namespace {

/// Empty when it is not there or no text.
std::string textOf(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

RunDescription describedBy(const std::string& settingsJson, const std::string& file) {
    const nlohmann::json described = parseJson(settingsJson, file);
    RunDescription made;
    if (described.contains("settings")) {
        made.settings = RunSettings::fromJson(described["settings"].dump(), file);
    }
    const std::string device = textOf(described, "device");
    made.engine = textOf(described, "engine") + (device.empty() ? "" : ", " + device);
    // Only lines have a model of resolution beside their projector.
    made.data = described.contains("psf_mm") ? DataKind::Lines : DataKind::HistoImages;
    made.dataHash = textOf(described, "data_hash");
    return made;
}

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

std::string runName(const RunSettings& settings, DataKind data) {
    if (data == DataKind::HistoImages) {
        return kernelName(settings);
    }
    const double psf_mm = settings.psf_mm;
    return settings.projector + (psf_mm > 0 ? fmt::format(", {:g} mm PSF", psf_mm) : "");
}

}  // namespace tof
