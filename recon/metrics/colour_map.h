// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tof {

/// A colour, 8 bits per channel, sRGB.
struct Rgb {
    std::uint8_t r = 0;
    std::uint8_t g = 0;
    std::uint8_t b = 0;
    [[nodiscard]] bool operator==(const Rgb&) const = default;
    /// 0xffRRGGBB, as QImage::Format_RGB32 has it.
    [[nodiscard]] std::uint32_t packed() const {
        return 0xff000000U | (static_cast<std::uint32_t>(r) << 16U) | (static_cast<std::uint32_t>(g) << 8U) |
               b;
    }
};

/// The map whose entry n is the colour of label n.
inline constexpr const char* kLabelMap = "labels";

/// 256 colours from the lower to the upper end of the display range.
struct ColourMap {
    std::string id;     ///< "inverse-grey": as on the command line and in settings
    std::string label;  ///< "Inverse grey": as in the window
    bool diverging = false;
    std::array<Rgb, 256> table{};
    [[nodiscard]] bool operator==(const ColourMap&) const = default;

    /// Colour of value zero, which fills the ground of a picture: the first entry, or the middle when
    /// diverging.
    [[nodiscard]] Rgb zero() const { return diverging ? table[128] : table[0]; }
    /// True when the ground is dark, so that ink on it must be light.
    [[nodiscard]] bool darkGround() const;
    /// These colours in the opposite order.
    [[nodiscard]] ColourMap inverted() const;

    /// From black to one colour, by even steps: for one image among others.
    [[nodiscard]] static ColourMap ofColour(Rgb colour);
    /// Every map there is, sequential ones first.
    [[nodiscard]] static const std::vector<ColourMap>& all();
    /// Throws WrongUse listing the ids.
    [[nodiscard]] static const ColourMap& find(const std::string& id);
};

}  // namespace tof
