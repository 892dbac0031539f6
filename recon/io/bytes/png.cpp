// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/png.h"

#include <png.h>

#include "recon/base/error.h"

namespace tof {

Raster::Raster(int pixelsAcross, int pixelsDown, std::uint8_t grey)
    : width(pixelsAcross),
      height(pixelsDown),
      rgb(3 * static_cast<std::size_t>(pixelsAcross) * static_cast<std::size_t>(pixelsDown), grey) {}

std::string pngBytes(const Raster& picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_RGB;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
    png_alloc_size_t size = bytes.size();
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.rgb.data(), 0, nullptr) == 0) {
        throw InternalError(std::string("a picture could not be compressed: ") + image.message);
    }
    bytes.resize(size);
    return bytes;
}

}  // namespace tof
