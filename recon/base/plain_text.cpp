// SPDX-License-Identifier: Apache-2.0
#include "recon/base/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "recon/base/error.h"

namespace tof {

namespace {

bool isControl(unsigned char c) {
    return c < ' ' || c == 0x7F;
}

std::string escaped(std::string_view text, std::string_view kept) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
        if (c == 0xC2 && next >= 0x80 && next < 0xA0) {  // C1 in UTF-8
            out += fmt::format("\\x{:02x}", next);
            ++i;
        } else if (isControl(c) && kept.find(text[i]) == std::string_view::npos) {
            out += fmt::format("\\x{:02x}", c);
        } else {
            out += text[i];
        }
    }
    return out;
}

/// A number with what may stand behind one, "-1.5 %", or a dash that stands for none.
bool isNumber(const std::string& text) {
    if (text == "-") {
        return true;
    }
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return end != text.c_str() &&
           std::string_view(end).find_first_of("=+-*/^&|!<>()'\"@:;,\t\r\n") == std::string_view::npos;
}

}  // namespace

std::string shownText(std::string_view text) {
    return escaped(text, "\t\n");
}

std::string shownLine(std::string_view text) {
    return escaped(text, "");
}

std::string csvCell(const std::string& text) {
    constexpr std::string_view kFormula = "=+-@\t\r";
    const bool formula =
        !text.empty() && kFormula.find(text.front()) != std::string_view::npos && !isNumber(text);
    const std::string cell = formula ? "'" + text : text;
    if (cell.find_first_of(",\"\n\r") == std::string::npos) {
        return cell;
    }
    std::string quoted = "\"";
    for (const char c : cell) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

std::string shellWord(const std::string& what, const std::string& text) {
    if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return isControl(c); })) {
        throw WrongUse("{} '{}' has control characters, which a script cannot hold; give it another name",
                       what, shownLine(text));
    }
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("_./:=+-").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain) {
        return text;
    }
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return quoted + "'";
}

}  // namespace tof
