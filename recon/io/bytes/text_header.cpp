// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/text_header.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include "recon/base/text_file.h"

namespace tof {

namespace {

constexpr std::size_t kTextLimit = 1U << 20U;

/// Where a comment begins: `#` may be part of a name unless it follows a blank.
std::size_t commentIn(const std::string& line, char mark) {
    std::size_t at = line.find(mark);
    while (mark == '#' && at != std::string::npos && at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t') {
        at = line.find(mark, at + 1);
    }
    return at;
}

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
    return headerLines(readTextFile(path, kTextLimit), syntax);
}

std::vector<HeaderLine> headerLines(std::string whole, const HeaderSyntax& syntax) {
    std::vector<HeaderLine> lines;
    constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";  // editors put it before the first key
    for (std::size_t at = whole.find('\r'); at != std::string::npos; at = whole.find('\r', at + 1)) {
        whole[at] = at + 1 < whole.size() && whole[at + 1] == '\n' ? ' ' : '\n';  // alone it ends a line, too
    }
    std::istringstream text(whole.starts_with(kUtf8Mark) ? whole.substr(kUtf8Mark.size()) : whole);
    std::string joined;
    for (std::string line; std::getline(text, line);) {
        joined += trimmed(line.substr(0, commentIn(line, syntax.comment)));
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
