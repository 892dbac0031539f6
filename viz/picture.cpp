// SPDX-License-Identifier: Apache-2.0
#include "viz/slice_renderer.h"

namespace tof::viz {

void Picture::setFromBottomUp(int columns, int rows, const unsigned char* rgba) {
    width = columns;
    height = rows;
    const auto across = static_cast<std::size_t>(columns);
    pixels.resize(across * static_cast<std::size_t>(rows));
    for (int y = rows - 1; y >= 0; --y) {
        std::uint32_t* out = pixels.data() + static_cast<std::size_t>(y) * across;
        for (std::size_t x = 0; x < across; ++x, rgba += 4) {
            out[x] = Rgb{rgba[0], rgba[1], rgba[2]}.packed();
        }
    }
}

}  // namespace tof::viz
