// SPDX-License-Identifier: Apache-2.0
#include "recon/io/root/root_packing.h"

#include <libdeflate.h>
#include <lz4.h>
#include <lzma.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string_view>

#include "recon/base/error.h"
#include "recon/io/bytes/raw_numbers.h"

namespace tof {

namespace {

using Bytes = std::span<const std::byte>;
using Room = std::span<std::byte>;

bool fromZlib(Bytes in, Room out) {
    struct Release {
        void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
    };
    const std::unique_ptr<libdeflate_decompressor, Release> zlib(libdeflate_alloc_decompressor());
    if (!zlib) {
        throw std::bad_alloc();
    }
    return libdeflate_zlib_decompress(zlib.get(), in.data(), in.size(), out.data(), out.size(), nullptr) ==
           LIBDEFLATE_SUCCESS;
}

/// Behind a hash of 8 bytes.
bool fromLz4(Bytes in, Room out) {
    constexpr std::size_t kHash = sizeof(std::uint64_t);
    if (in.size() < kHash) {
        return false;
    }
    const auto hash = decodeOne<std::uint64_t>(in.data(), ByteOrder::Big);
    in = in.subspan(kHash);
    return XXH64(in.data(), in.size(), 0) == hash &&
           LZ4_decompress_safe(reinterpret_cast<const char*>(in.data()), reinterpret_cast<char*>(out.data()),
                               static_cast<int>(in.size()),
                               static_cast<int>(out.size())) == static_cast<int>(out.size());
}

bool fromLzma(Bytes in, Room out) {
    std::uint64_t memory = std::uint64_t{256} << 20U;
    std::size_t read = 0;
    std::size_t written = 0;
    return lzma_stream_buffer_decode(&memory, 0, nullptr, reinterpret_cast<const std::uint8_t*>(in.data()),
                                     &read, in.size(), reinterpret_cast<std::uint8_t*>(out.data()), &written,
                                     out.size()) == LZMA_OK &&
           written == out.size();
}

bool fromZstandard(Bytes in, Room out) {
    return ZSTD_decompress(out.data(), out.size(), in.data(), in.size()) == out.size();
}

struct Packing {
    std::string_view mark;
    bool (*unpack)(Bytes in, Room out);
};

constexpr std::array kPackings{Packing{"ZL", fromZlib}, Packing{"L4", fromLz4}, Packing{"XZ", fromLzma},
                               Packing{"ZS", fromZstandard}};

std::size_t ofThreeBytes(const std::byte* bytes) {
    return std::to_integer<std::size_t>(bytes[0]) | std::to_integer<std::size_t>(bytes[1]) << 8U |
           std::to_integer<std::size_t>(bytes[2]) << 16U;
}

}  // namespace

std::vector<std::byte> rootUnpacked(const std::string& path, Bytes stored, std::uint64_t size) {
    constexpr std::size_t kHead = 9;
    std::vector<std::byte> result;
    while (result.size() < size) {
        if (stored.size() < kHead) {
            throw BadInput("{}: compressed data end too early; copy the file again", path);
        }
        const std::string_view mark(reinterpret_cast<const char*>(stored.data()), 2);
        const auto* const row = std::find_if(kPackings.begin(), kPackings.end(),
                                             [&](const Packing& one) { return one.mark == mark; });
        if (row == kPackings.end()) {
            throw BadInput(
                "{}: is compressed in a way that is not known; write it with zlib, LZ4, LZMA or Zstandard "
                "(hadd -f101)",
                path);
        }
        const std::size_t in = ofThreeBytes(stored.data() + 3);
        const std::size_t out = ofThreeBytes(stored.data() + 6);
        const std::size_t before = result.size();
        if (in > stored.size() - kHead || out == 0 || out > size - before) {
            throw BadInput("{}: compressed data contradict their sizes; copy the file again", path);
        }
        result.resize(before + out);
        if (!row->unpack(stored.subspan(kHead, in), Room(result).subspan(before))) {
            throw BadInput("{}: its compressed data are damaged; copy the file again", path);
        }
        stored = stored.subspan(kHead + in);
    }
    return result;
}

}  // namespace tof
