// SPDX-License-Identifier: Apache-2.0
// Headers of text, `key MARK value` line by line. Internal to recon/io.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tof {

enum class Continuation { None, Backslash };

struct HeaderSyntax {
    const char* mark;  ///< between key and value
    char comment;      ///< what follows it in a line is not read; `#` within a word is part of it
    Continuation continuation = Continuation::None;
};

/// A line that is not blank, trimmed; no value where it has no mark.
struct HeaderLine {
    std::string text;
    std::string key;
    std::optional<std::string> value;
};

/// Throws BadInput when the file cannot be read or is longer than a MiB.
[[nodiscard]] std::vector<HeaderLine> readHeaderLines(const std::string& path, const HeaderSyntax& syntax);

/// Does what readHeaderLines() does with a text that is there already.
[[nodiscard]] std::vector<HeaderLine> headerLines(std::string text, const HeaderSyntax& syntax);

/// The text without blanks at either end.
[[nodiscard]] std::string trimmed(const std::string& text);

/// The whole text as a number, a sign allowed; nothing when it is none.
[[nodiscard]] std::optional<double> parseNumber(const std::string& text);

}  // namespace tof
