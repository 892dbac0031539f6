// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/colour_map.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "recon/base/built_in.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr Rgb hex(std::uint32_t value) {
    return {static_cast<std::uint8_t>(value >> 16U), static_cast<std::uint8_t>((value >> 8U) & 0xffU),
            static_cast<std::uint8_t>(value & 0xffU)};
}

std::uint8_t mix(std::uint8_t a, std::uint8_t b, double t) {
    return static_cast<std::uint8_t>(std::lround(a + t * (b - a)));
}

/// Equally spaced stops joined by straight lines in sRGB.
ColourMap fromStops(std::string id, std::string label, bool diverging,
                    const std::vector<std::uint32_t>& stops) {
    ColourMap map{std::move(id), std::move(label), diverging, {}};
    const auto last = static_cast<double>(stops.size() - 1);
    for (std::size_t i = 0; i < map.table.size(); ++i) {
        const double position = static_cast<double>(i) / 255.0 * last;
        const auto left = std::min(static_cast<std::size_t>(position), stops.size() - 2);
        const double t = position - static_cast<double>(left);
        const Rgb a = hex(stops[left]);
        const Rgb b = hex(stops[left + 1]);
        map.table[i] = {mix(a.r, b.r, t), mix(a.g, b.g, t), mix(a.b, b.b, t)};
    }
    return map;
}

/// A colour for each whole number, over and over; black for 0.
ColourMap labelMap() {
    constexpr std::uint32_t colours[] = {0x4e79a7, 0xf28e2b, 0x76b7b2, 0xedc948, 0xb07aa1, 0xff9da7,
                                         0x9c755f, 0x86bcb6, 0xd37295, 0xa0cbe8, 0xffbe7d, 0xd4a6c8};
    ColourMap map{kLabelMap, "Labels", false, {}};
    for (std::size_t i = 1; i < map.table.size(); ++i) {
        map.table[i] = hex(colours[(i - 1) % std::size(colours)]);
    }
    map.table[0] = hex(0x000000);
    return map;
}

std::vector<ColourMap> makeMaps() {
    return {
        fromStops("grey", "Grey", false, {0x000000, 0xffffff}),
        fromStops("inverse-grey", "Inverse grey", false, {0xffffff, 0x000000}),
        fromStops("hot-metal", "Hot metal", false, {0x000000, 0x800000, 0xff4000, 0xffbf00, 0xffffff}),
        fromStops("inferno", "Inferno", false,
                  {0x000004, 0x1b0c41, 0x4a0c6b, 0x781c6d, 0xa52c60, 0xcf4446, 0xed6925, 0xfb9b06, 0xf7d13d,
                   0xfcffa4}),
        fromStops("viridis", "Viridis", false,
                  {0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b,
                   0xfde725}),
        fromStops("pet-rainbow", "PET rainbow", false,
                  {0x000000, 0x40007f, 0x0000ff, 0x00a0c0, 0x00b040, 0x80d000, 0xffe000, 0xff7000, 0xff0000,
                   0xffffff}),
        labelMap(),
        fromStops("difference-light", "Difference, light", true,
                  {0x001260, 0x023e7d, 0x1d6f9f, 0x71a8c4, 0xc9dde7, 0xececec, 0xebccb8, 0xd29773, 0xb86638,
                   0x8b250a, 0x590008}),
        fromStops("difference-dark", "Difference, dark", true,
                  {0x9eb0ff, 0x5ba4db, 0x2d75a0, 0x1a4256, 0x152229, 0x141414, 0x2a1309, 0x501803, 0x8a3f2a,
                   0xc4756a, 0xffacac}),
    };
}

}  // namespace

bool ColourMap::darkGround() const {
    const Rgb c = zero();
    return 0.299 * c.r + 0.587 * c.g + 0.114 * c.b < 128;
}

ColourMap ColourMap::inverted() const {
    ColourMap result = *this;
    std::reverse(result.table.begin(), result.table.end());
    return result;
}

ColourMap ColourMap::ofColour(Rgb colour) {
    ColourMap map;
    map.id = "one-colour";
    map.label = "One colour";
    const unsigned last = static_cast<unsigned>(map.table.size()) - 1;
    for (unsigned i = 0; i <= last; ++i) {
        const auto part = [&](std::uint8_t end) {
            return static_cast<std::uint8_t>((end * i + last / 2) / last);
        };
        map.table[i] = {part(colour.r), part(colour.g), part(colour.b)};
    }
    return map;
}

const std::vector<ColourMap>& ColourMap::all() {
    static const std::vector<ColourMap> maps = makeMaps();
    return maps;
}

const ColourMap& ColourMap::find(const std::string& id) {
    for (const ColourMap& map : all()) {
        if (map.id == id) {
            return map;
        }
    }
    throw WrongUse("no colour map '{}'; colour maps: {}", id,
                   fmt::join(namesOf(all(), &ColourMap::id), ", "));
}

}  // namespace tof
