// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "recon/base/json_text.h"
#include "recon/simulate/slices.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

Json engineForm(const EngineRegistry& engines, const std::string& name) {
    const auto found = engines.find(name);
    if (const auto* absent = std::get_if<Unsupported>(&found)) {
        return Json{{"name", name}, {"available", false}, {"why", absent->why}};
    }
    const auto& engine = std::get<std::shared_ptr<const Engine>>(found);
    const DeviceInfo device = engine->device();
    Json properties = Json::object();
    for (const auto& [key, value] : device.properties) {
        properties[key] = value;
    }
    return Json{{"name", name},
                {"available", true},
                {"device", device.name},
                {"strategies", engine->strategyNames(DirectModel::kSystem)},
                {"line_strategies", engine->strategyNames(LineModel::kSystem)},
                {"simulates", engine->offers<MakesSlices>() != nullptr},
                {"properties", properties}};
}

std::string engineText(const Json& form) {
    const auto name = form["name"].get<std::string>();
    if (!form["available"].get<bool>()) {
        return fmt::format("{:<6} not available: {}", name, form["why"].get<std::string>());
    }
    std::string text = fmt::format("{:<6} {}; strategies: {}", name, form["device"].get<std::string>(),
                                   fmt::join(form["strategies"].get<std::vector<std::string>>(), ", "));
    text += form["simulates"].get<bool>() ? "; simulates" : "";
    for (const auto& [key, value] : form["properties"].items()) {
        text += fmt::format("\n       {}: {}", key, value.get<std::string>());
    }
    return text;
}

class DevicesCommand : public Command {
  public:
    void describe(Arguments& /*arguments*/) override {}
    void run(CommandContext& context) override {
        Json list = Json::array();
        std::string text;
        for (const std::string& name : context.engines.names()) {
            list.push_back(engineForm(context.engines, name));
            text += (text.empty() ? "" : "\n") + engineText(list.back());
        }
        context.console.result(context.console.json() ? jsonText(Json{{"engines", list}}, 2) : text);
    }
};

}  // namespace

std::unique_ptr<Command> makeDevicesCommand() {
    return std::make_unique<DevicesCommand>();
}

}  // namespace tof
