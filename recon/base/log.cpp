// SPDX-License-Identifier: Apache-2.0
#include "recon/base/log.h"

#include <algorithm>
#include <cctype>

namespace tof {

namespace {

bool isLetterOrDigit(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// ".h5" of "scan.h5"; empty when what follows the last dot is no extension.
std::string extensionOf(const std::string& name) {
    constexpr std::size_t kLongest = 10;  // .tofstudy
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || name.size() - dot < 2 || name.size() - dot > kLongest ||
        !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(), isLetterOrDigit)) {
        return {};
    }
    const bool number = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(),
                                    [](char c) { return c >= '0' && c <= '9'; });
    return number ? std::string() : name.substr(dot);
}

bool looksLikeFile(const std::string& word) {
    return word.find('/') != std::string::npos || word.find('\\') != std::string::npos ||
           !extensionOf(word).empty();
}

std::string masked(const std::string& name) {
    return "*" + extensionOf(name);
}

/// Numbers, lists of them, and shapes: "20", "0.03", "144x144x48", "0,75,2".
bool isNumeric(const std::string& word) {
    const auto fits = [](char c) {
        return (c >= '0' && c <= '9') || std::string("+-.,:;xe").find(c) != std::string::npos;
    };
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0 &&
           std::all_of(word.begin(), word.end(), fits);
}

/// Text between single quotation marks becomes "*" and its extension. A mark within a word is an apostrophe.
std::string withoutQuoted(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\'' && (i == 0 || !isLetterOrDigit(text[i - 1]))) {
            // The last mark that can close this one, should the name hold marks itself.
            std::size_t end = text.find('\'', i + 1);
            while (end != std::string::npos && end + 1 < text.size() && isLetterOrDigit(text[end + 1])) {
                end = text.find('\'', end + 1);
            }
            const std::size_t stop = end == std::string::npos ? text.size() : end;
            out += "'" + masked(text.substr(i + 1, stop - i - 1)) + "'";
            i = stop;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string withoutFiles(const std::string& text) {
    std::string out;
    std::string word;
    const auto flush = [&] {
        const std::size_t tail = word.find_last_not_of(".,;:)");
        const std::size_t size = tail == std::string::npos ? 0 : tail + 1;
        const std::string core = word.substr(0, size);
        out += (looksLikeFile(core) ? masked(core) : core) + word.substr(size);
        word.clear();
    };
    for (const char c : text) {
        if (c == ' ' || c == '(') {
            flush();
            out += c;
        } else {
            word += c;
        }
    }
    flush();
    return out;
}

}  // namespace

std::string withoutNames(const std::string& sentence) {
    const std::string text = withoutQuoted(sentence);
    const std::size_t colon = text.find(": ");
    if (colon != std::string::npos && text.find_first_of("./\\") < colon) {
        return masked(text.substr(0, colon)) + ":" + withoutFiles(text.substr(colon + 1));
    }
    return withoutFiles(text);
}

std::string withoutNames(const std::vector<std::string>& words, const std::vector<std::string>& known) {
    std::string out;
    for (const std::string& word : words) {
        const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
        const std::string value = equals == std::string::npos ? word : word.substr(equals + 1);
        const bool stays = isNumeric(value) || std::find(known.begin(), known.end(), value) != known.end() ||
                           (equals == std::string::npos && word.starts_with("--") && !looksLikeFile(word));
        out += out.empty() ? "" : " ";
        out += equals == std::string::npos ? "" : word.substr(0, equals + 1);
        out += stays ? value : masked(value);
    }
    return out;
}

}  // namespace tof
