// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_form.h"

#include <nlohmann/json.hpp>

#include "recon/base/words.h"
#include "recon/settings/version.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

Json listOf(const std::vector<OptionForm>& options) {
    Json list = Json::array();
    for (const OptionForm& option : options) {
        list.push_back({{"name", option.name},
                        {"takes_value", option.takesValue},
                        {"value", option.value},
                        {"choices", option.choices()},
                        {"default", option.fallback},
                        {"required", option.need == Need::Required},
                        {"help", option.help}});
    }
    return list;
}

}  // namespace

std::vector<std::string> OptionForm::choices() const {
    return value.find('|') == std::string::npos ? std::vector<std::string>() : parts(value, '|');
}

Json asJson(const ProgramForm& program) {
    Json commands = Json::array();
    for (const CommandForm& command : program.commands) {
        commands.push_back({{"name", command.name},
                            {"summary", command.summary},
                            {"positionals", listOf(command.positionals)},
                            {"options", listOf(command.options)}});
    }
    return {{"program", program.name},
            {"version", kVersion},
            {"options", listOf(program.options)},
            {"commands", commands}};
}

}  // namespace tof
