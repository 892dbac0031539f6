// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recon/systems/measurement.h"

namespace tof::python {

/// An image, and what its file said of it.
struct Image {
    std::shared_ptr<const Volume> volume;
    std::string name{};
    std::vector<std::string> notes{};
};

/// Data that can be reconstructed.
struct Data {
    std::shared_ptr<const Measurement> measured;
    std::string note{};
};

/// Settings as Python gives them: by key, as texts of the table.
using SettingTexts = std::map<std::string, std::string>;
/// `settings` with those that are given. Throws WrongUse.
inline void take(RunSettings& settings, const SettingTexts& given) {
    for (const auto& [key, value] : given) {
        settings.set(key, value);
    }
}

}  // namespace tof::python
