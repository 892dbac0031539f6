// SPDX-License-Identifier: Apache-2.0
#include "recon/work/run_description.h"

#include <nlohmann/json.hpp>

#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/settings/version.h"
#include "recon/work/anatomy.h"
#include "recon/work/systems.h"

namespace tof {

namespace {

/// Empty when it is not there or no text.
std::string textAt(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string describe(const RunSettings& settings, const Measurement& data, const Engine& engine,
                     std::size_t parts, const Projector& projector, const std::string& dataNote) {
    const DeviceInfo device = engine.device();
    nlohmann::ordered_json properties = nlohmann::ordered_json::object();
    for (const auto& [name, value] : device.properties) {
        properties[name] = value;
    }
    nlohmann::ordered_json out{{"settings", settings.json()},
                               {"engine", engine.name()},
                               {"device", device.name},
                               {"device_properties", properties},
                               {"seed", settings.seed},
                               {"version", kVersion},
                               {"data_hash", data.hash()},
                               {"views", parts},
                               {"projector_bytes", projector.memoryBytes()}};
    if (const std::string anatomy = anatomyHash(settings); !anatomy.empty()) {
        out["anatomy_hash"] = anatomy;
    }
    if (const std::string note = projector.note(); !note.empty()) {
        out["projector_note"] = note;
    }
    if (!dataNote.empty()) {
        out["data_note"] = dataNote;
    }
    out["units"] = data.units();
    out.update(data.describe(settings));
    return jsonText(out);
}

RunDescription describedBy(const std::string& settingsJson, const std::string& file) {
    const nlohmann::json described = parseJson(settingsJson, file);
    RunDescription made;
    if (described.contains("settings")) {
        made.settings = RunSettings::fromJson(described["settings"], file);
    }
    const std::string device = textAt(described, "device");
    made.engine = textAt(described, "engine") + (device.empty() ? "" : ", " + device);
    made.system = systemOfRun(described);
    made.dataHash = textAt(described, "data_hash");
    made.anatomyHash = textAt(described, "anatomy_hash");
    return made;
}

}  // namespace tof
