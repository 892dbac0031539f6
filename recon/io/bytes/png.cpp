// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/png.h"

#include <zlib.h>

#include <cstring>

#include "recon/base/error.h"

namespace tof {

namespace {

void appendNumber(std::string& out, std::uint32_t value) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        out += static_cast<char>(static_cast<std::uint8_t>(value >> shift));
    }
}

const Bytef* bytesOf(const std::string& text) {
    return reinterpret_cast<const Bytef*>(text.data());
}

void appendChunk(std::string& out, const std::string& type, const std::string& content) {
    appendNumber(out, static_cast<std::uint32_t>(content.size()));
    const std::string checked = type + content;
    out += checked;
    appendNumber(out,
                 static_cast<std::uint32_t>(crc32(0, bytesOf(checked), static_cast<uInt>(checked.size()))));
}

}  // namespace

Raster::Raster(int pixelsAcross, int pixelsDown, std::uint8_t grey)
    : width(pixelsAcross),
      height(pixelsDown),
      rgb(3 * static_cast<std::size_t>(pixelsAcross) * static_cast<std::size_t>(pixelsDown), grey) {}

std::string pngBytes(const Raster& picture) {
    const std::size_t row = 3 * static_cast<std::size_t>(picture.width);
    std::string raw;
    raw.reserve((row + 1) * static_cast<std::size_t>(picture.height));
    for (int y = 0; y < picture.height; ++y) {
        raw += '\0';  // no filter
        raw.append(reinterpret_cast<const char*>(picture.at(0, y)), row);
    }
    uLongf size = compressBound(static_cast<uLong>(raw.size()));
    std::string packed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, bytesOf(raw),
                  static_cast<uLong>(raw.size()), 9) != Z_OK) {
        throw InternalError("a picture could not be compressed");
    }
    packed.resize(size);
    std::string header;
    appendNumber(header, static_cast<std::uint32_t>(picture.width));
    appendNumber(header, static_cast<std::uint32_t>(picture.height));
    header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits of red, green and blue, not interlaced
    std::string out("\x89PNG\r\n\x1a\n", 8);
    appendChunk(out, "IHDR", header);
    appendChunk(out, "IDAT", packed);
    appendChunk(out, "IEND", "");
    return out;
}

}  // namespace tof
