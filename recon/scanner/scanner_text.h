// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace tof {

struct Scanner;

/// The description of a scanner as files hold it, and the scanner that it says. Copies share the scanner,
/// which is parsed at the first question of any of them, from whatever thread.
class ScannerText {
  public:
    ScannerText() = default;
    ScannerText(std::string json);                                     // NOLINT: a description is a text
    ScannerText(const char* json) : ScannerText(std::string(json)) {}  // NOLINT

    [[nodiscard]] const std::string& json() const;
    operator const std::string&() const { return json(); }  // NOLINT
    [[nodiscard]] bool empty() const { return json().empty(); }
    void clear() { shared_ = nullptr; }
    /// Throws as Scanner::fromJson(), naming `source`.
    [[nodiscard]] std::shared_ptr<const Scanner> scanner(const std::string& source) const;

    [[nodiscard]] bool operator==(const ScannerText& other) const { return json() == other.json(); }

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;  ///< null: no description
};

}  // namespace tof
