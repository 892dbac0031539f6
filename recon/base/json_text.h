// SPDX-License-Identifier: Apache-2.0
// Printing JSON. Texts in it may come from files of other people, whose bytes need not be UTF-8.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tof {

/// The text of `value`, in one line or with `indent` blanks a level. Bytes that are no UTF-8 become U+FFFD,
/// for JSON cannot hold them.
template <class Json>
[[nodiscard]] std::string jsonText(const Json& value, int indent = -1) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tof
