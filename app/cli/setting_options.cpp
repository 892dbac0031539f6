// SPDX-License-Identifier: Apache-2.0
#include "app/cli/setting_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/arguments.h"
#include "app/cli/kernel_options.h"

namespace tof {

namespace {

std::string valueName(const SettingInfo& info) {
    switch (info.kind) {
        case OptionKind::Choice: return fmt::format("{}", fmt::join(info.choices, "|"));
        case OptionKind::Integer: return "N";
        case OptionKind::Number: return info.unit.empty() ? "X" : info.unit;
        case OptionKind::Switch:
        case OptionKind::Text: break;
    }
    return "TEXT";
}

}  // namespace

void describeSettings(Arguments& arguments, RunSettings& settings, const std::vector<std::string>& keys,
                      std::vector<std::string>* named) {
    for (const std::string& key : keys) {
        const SettingInfo& info = settingInfo(key);
        const std::string help = info.help.substr(0, info.help.find_last_not_of('.') + 1);
        arguments.custom(
            key, valueName(info), info.fallback,
            [&settings, key, named](const std::string& text) {
                settings.set(key, key == "kernel" ? ownKernels().setting(text) : text);
                if (key == "kernel") {
                    static_cast<void>(settings.kernel());  // a mistake is told before any data are read
                }
                if (named != nullptr) {
                    named->push_back(key);
                }
            },
            help);
    }
}

void describeSettings(Arguments& arguments, RunSettings& settings, std::vector<std::string>* named) {
    const auto& table = settingsTable();
    std::vector<std::string> keys;
    std::transform(table.begin(), table.end(), std::back_inserter(keys), [](const auto& s) { return s.key; });
    describeSettings(arguments, settings, keys, named);
}

}  // namespace tof
