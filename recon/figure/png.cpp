// SPDX-License-Identifier: Apache-2.0
#include "recon/figure/png.h"

#include <zlib.h>

#include "recon/base/error.h"
#include "recon/figure/big_endian.h"

namespace tof {

namespace {

/// A row as its difference from the one above: rows of enlarged voxels repeat.
constexpr char kFilterUp = 2;

std::string chunk(const std::string& type, const std::string& bytes) {
    std::string out;
    appendBigEndian(out, static_cast<std::uint32_t>(bytes.size()), 4);
    const std::string told = type + bytes;
    out += told;
    const auto* data = reinterpret_cast<const Bytef*>(told.data());
    appendBigEndian(out, static_cast<std::uint32_t>(crc32(0, data, static_cast<uInt>(told.size()))), 4);
    return out;
}

}  // namespace

std::string deflated(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    const int status =
        compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
    if (status != Z_OK) {
        throw InternalError("zlib refused {} bytes with status {}", bytes.size(), status);
    }
    out.resize(size);
    return out;
}

std::string pngRows(const Pixels& pixels) {
    const auto row = 3 * static_cast<std::size_t>(pixels.width);
    std::string filtered;
    filtered.reserve((row + 1) * static_cast<std::size_t>(pixels.height));
    for (int y = 0; y < pixels.height; ++y) {
        filtered += kFilterUp;
        const std::size_t from = pixels.offset(0, y);
        for (std::size_t i = from; i < from + row; ++i) {
            filtered += static_cast<char>(pixels.rgb[i] - (y > 0 ? pixels.rgb[i - row] : 0));
        }
    }
    return deflated(filtered);
}

std::string pngFile(const Pixels& pixels) {
    std::string head;
    appendBigEndian(head, static_cast<std::uint32_t>(pixels.width), 4);
    appendBigEndian(head, static_cast<std::uint32_t>(pixels.height), 4);
    head += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits of red, green and blue, not interlaced
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("IDAT", pngRows(pixels)) + chunk("IEND", "");
}

}  // namespace tof
