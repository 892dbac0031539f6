// SPDX-License-Identifier: Apache-2.0
// Reading JSON that a person wrote: every mistake becomes one sentence with file, field and remedy. All JSON
// is parsed here: the library parses without recursion, but copies and prints with it.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

namespace tof {

/// Parses text; throws BadInput naming `source` and the place of the fault, also where lists and objects lie
/// more than 64 deep in each other.
[[nodiscard]] nlohmann::json parseJson(const std::string& text, const std::string& source);
/// parseJson() with the fields in the order of the text.
[[nodiscard]] nlohmann::ordered_json parseOrderedJson(const std::string& text, const std::string& source);
/// What cannot be parsed is_discarded().
[[nodiscard]] nlohmann::json tryJson(const std::string& text);
[[nodiscard]] nlohmann::ordered_json tryOrderedJson(const std::string& text);

/// An object being read field by field.
class JsonFields {
  public:
    /// Throws BadInput unless `value` is an object whose keys are all in `known`.
    JsonFields(const nlohmann::json& value, std::string source, std::initializer_list<const char*> known);

    [[nodiscard]] bool has(const char* key) const;
    [[nodiscard]] const nlohmann::json& raw(const char* key) const;
    /// A finite number within [low, high]; the default when the key is absent or null.
    [[nodiscard]] double number(const char* key, double fallback, double low, double high) const;
    [[nodiscard]] double number(const char* key, double low, double high) const;
    [[nodiscard]] int integer(const char* key, int low, int high) const;
    [[nodiscard]] std::string text(const char* key) const;
    [[nodiscard]] std::string text(const char* key, const std::string& fallback) const;
    [[nodiscard]] const std::string& source() const { return source_; }

  private:
    const nlohmann::json& value_;
    std::string source_;
};

}  // namespace tof
