// SPDX-License-Identifier: Apache-2.0
// Descriptions that are part of the library (cmake/TofscopeEmbed.cmake), and names of what is in tables.
#pragma once

#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace tof {

/// A description by its name.
struct BuiltIn {
    std::string name;
    std::string text;  ///< JSON
};

/// What `get`, a member or a function, gives of each row of a table, in its order. Rows can be pointers.
template <class Rows, class Get>
[[nodiscard]] std::vector<std::string> namesOf(const Rows& rows, Get get) {
    std::vector<std::string> names;
    names.reserve(std::size(rows));
    for (const auto& row : rows) {
        names.emplace_back(std::invoke(get, row));
    }
    return names;
}
[[nodiscard]] inline std::vector<std::string> namesOf(const std::vector<BuiltIn>& all) {
    return namesOf(all, &BuiltIn::name);
}

}  // namespace tof
