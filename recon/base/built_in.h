// SPDX-License-Identifier: Apache-2.0
// Descriptions that are part of the library (cmake/TofscopeEmbed.cmake).
#pragma once

#include <string>
#include <vector>

namespace tof {

/// A description by its name.
struct BuiltIn {
    std::string name;
    std::string text;  ///< JSON
};

/// The names of a list, in its order.
[[nodiscard]] inline std::vector<std::string> namesOf(const std::vector<BuiltIn>& all) {
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const BuiltIn& one : all) {
        names.push_back(one.name);
    }
    return names;
}

}  // namespace tof
