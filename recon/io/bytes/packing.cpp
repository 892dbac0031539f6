// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/packing.h"

#include <libdeflate.h>

#include <memory>
#include <new>

namespace tof {

namespace {

constexpr int kFastest = 1;

struct Release {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

}  // namespace

std::vector<std::uint8_t> packed(std::span<const std::uint8_t> bytes, std::size_t width) {
    const std::size_t count = bytes.size() / width;
    std::vector<std::uint8_t> shuffled(bytes.size());
    for (std::size_t k = 0; k < width; ++k) {
        std::uint8_t* out = shuffled.data() + k * count;
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = bytes[i * width + k];
        }
    }
    const std::unique_ptr<libdeflate_compressor, Release> compressor(libdeflate_alloc_compressor(kFastest));
    if (!compressor) {
        throw std::bad_alloc();
    }
    std::vector<std::uint8_t> stream(bytes.size());
    stream.resize(libdeflate_zlib_compress(compressor.get(), shuffled.data(), shuffled.size(), stream.data(),
                                           stream.size()));
    return stream;
}

bool unpack(std::span<const std::uint8_t> stream, std::size_t width, std::span<std::uint8_t> bytes) {
    const std::unique_ptr<libdeflate_decompressor, Release> decompressor(libdeflate_alloc_decompressor());
    if (!decompressor) {
        throw std::bad_alloc();
    }
    std::vector<std::uint8_t> shuffled(bytes.size());
    // Without a place for the length, a stream of any other length is an error.
    if (libdeflate_zlib_decompress(decompressor.get(), stream.data(), stream.size(), shuffled.data(),
                                   shuffled.size(), nullptr) != LIBDEFLATE_SUCCESS) {
        return false;
    }
    const std::size_t count = bytes.size() / width;
    for (std::size_t k = 0; k < width; ++k) {
        const std::uint8_t* from = shuffled.data() + k * count;
        for (std::size_t i = 0; i < count; ++i) {
            bytes[i * width + k] = from[i];
        }
    }
    return true;
}

}  // namespace tof
