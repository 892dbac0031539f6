// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tof::viz {

/// Pixels 0xAARRGGBB in somebody's memory, top row first: those of a QImage::Format_RGB32.
struct PictureView {
    int width = 0;
    int height = 0;
    const std::uint32_t* pixels = nullptr;
    [[nodiscard]] std::uint32_t at(int x, int y) const {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
};

/// A picture that owns its pixels.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint32_t> pixels;
    [[nodiscard]] PictureView view() const { return {width, height, pixels.data()}; }
    [[nodiscard]] std::uint32_t at(int x, int y) const { return view().at(x, y); }
};

}  // namespace tof::viz
