// SPDX-License-Identifier: Apache-2.0
#include "recon/figure/markup.h"

#include <cstdint>

namespace tof {

std::string markupText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = i; k < i + 3; ++k) {
            three = (three << 8U) | (k < bytes.size() ? static_cast<std::uint8_t>(bytes[k]) : 0U);
        }
        for (std::size_t digit = 0; digit < 4; ++digit) {
            const bool there = i + digit <= bytes.size();
            out += there ? kDigits[(three >> (18 - 6 * digit)) & 63U] : '=';
        }
    }
    return out;
}

}  // namespace tof
