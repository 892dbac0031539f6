// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/text_header.h"

#include <charconv>
#include <sstream>
#include <string_view>

#include "recon/base/text_file.h"

namespace tof {

namespace {

constexpr std::size_t kTextLimit = 1U << 20U;

HeaderLine splitLine(const std::string& line, const std::string& mark) {
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) {
        return {line, "", {}};
    }
    return {line, trimmed(line.substr(0, at)), trimmed(line.substr(at + mark.size()))};
}

}  // namespace

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<double> parseNumber(const std::string& text) {
    const std::string word = trimmed(text);
    const char* const start = word.data() + (word.starts_with('+') ? 1 : 0);
    double value = 0;
    const auto [end, fault] = std::from_chars(start, word.data() + word.size(), value);
    return fault == std::errc() && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

std::vector<HeaderLine> readHeaderLines(const std::string& path, const HeaderSyntax& syntax) {
    std::vector<HeaderLine> lines;
    constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";  // editors put it before the first key
    const std::string whole = readTextFile(path, kTextLimit);
    std::istringstream text(whole.starts_with(kUtf8Mark) ? whole.substr(kUtf8Mark.size()) : whole);
    std::string joined;
    for (std::string line; std::getline(text, line);) {
        joined += trimmed(line.substr(0, line.find(syntax.comment)));
        if (syntax.continuation == Continuation::Backslash && joined.ends_with('\\')) {
            joined.pop_back();
            continue;
        }
        if (!joined.empty()) {
            lines.push_back(splitLine(joined, syntax.mark));
        }
        joined.clear();
    }
    return lines;
}

}  // namespace tof
