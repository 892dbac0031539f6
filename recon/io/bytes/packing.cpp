// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/packing.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "recon/io/bytes/run_packing.h"

namespace tof {

namespace {

constexpr int kFastest = 1;

struct Release {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

using Bytes = std::span<const std::uint8_t>;
using Compressor = std::unique_ptr<libdeflate_compressor, Release>;

Compressor compressor() {
    Compressor made(libdeflate_alloc_compressor(kFastest));
    if (!made) {
        throw std::bad_alloc();
    }
    return made;
}

/// Numbers of the size of T as places[k * count + i], byte k of number i, and back. The compiler makes one
/// pass over all places of this.
template <class T>
void separate(Bytes numbers, std::size_t count, std::uint8_t* places) {
    for (std::size_t i = 0; i < count; ++i) {
        T number{};
        std::memcpy(&number, numbers.data() + i * sizeof(T), sizeof(T));
        for (std::size_t k = 0; k < sizeof(T); ++k) {
            places[k * count + i] = static_cast<std::uint8_t>(number >> (8 * k));
        }
    }
}
template <class T>
void join(Bytes places, std::size_t count, std::uint8_t* numbers) {
    for (std::size_t i = 0; i < count; ++i) {
        T number = 0;
        for (std::size_t k = 0; k < sizeof(T); ++k) {
            number = static_cast<T>(number | static_cast<T>(T{places[k * count + i]} << (8 * k)));
        }
        std::memcpy(numbers + i * sizeof(T), &number, sizeof(T));
    }
}

/// The bytes of all numbers of `width` bytes that stand at one place in them, place after place.
void shuffle(Bytes bytes, std::size_t width, std::uint8_t* shuffled) {
    const std::size_t count = bytes.size() / width;
    switch (width) {
        case 2: separate<std::uint16_t>(bytes, count, shuffled); break;
        case 4: separate<std::uint32_t>(bytes, count, shuffled); break;
        default:
            for (std::size_t k = 0; k < width; ++k) {
                for (std::size_t i = 0; i < count; ++i) {
                    shuffled[k * count + i] = bytes[i * width + k];
                }
            }
    }
}

void unshuffle(Bytes shuffled, std::size_t width, std::span<std::uint8_t> bytes) {
    const std::size_t count = bytes.size() / width;
    switch (width) {
        case 2: join<std::uint16_t>(shuffled, count, bytes.data()); break;
        case 4: join<std::uint32_t>(shuffled, count, bytes.data()); break;
        default:
            for (std::size_t k = 0; k < width; ++k) {
                for (std::size_t i = 0; i < count; ++i) {
                    bytes[i * width + k] = shuffled[k * count + i];
                }
            }
    }
}

/// Whether looking for more than runs of one byte makes next to nothing smaller: by some pieces.
bool onlyRuns(Bytes bytes, libdeflate_compressor* deflate) {
    constexpr std::size_t kPiece = 16384;
    constexpr std::size_t kPieces = 4;
    constexpr double kWorthIt = 0.07;  // of the size by runs: deflate takes twenty times as long
    constexpr double kNothing = 0.01;  // of the bytes
    if (bytes.size() < 2 * kPieces * kPiece) {
        return false;
    }
    std::array<std::uint8_t, 2 * kPiece> packed{};
    std::ptrdiff_t byRuns = 0;
    std::size_t deflated = 0;
    for (std::size_t i = 0; i < kPieces; ++i) {
        const Bytes piece = bytes.subspan((2 * i + 1) * (bytes.size() / (2 * kPieces)) - kPiece / 2, kPiece);
        byRuns += packRuns(piece, packed.data()) - packed.data();
        deflated += libdeflate_deflate_compress(deflate, piece.data(), kPiece, packed.data(), packed.size());
    }
    const auto runs = static_cast<double>(byRuns);
    return runs - static_cast<double>(deflated) < std::max(kWorthIt * runs, kNothing * kPieces * kPiece);
}

/// The checksum of a zlib stream's content, as its last bytes.
std::uint8_t* writeChecksum(Bytes content, std::uint8_t* out) {
    const std::uint32_t sum = libdeflate_adler32(1, content.data(), content.size());
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        *out++ = static_cast<std::uint8_t>(sum >> shift);
    }
    return out;
}

}  // namespace

void PackedBlock::pack(Bytes bytes, std::size_t width) {
    size_ = 0;
    constexpr std::array<std::uint8_t, 2> kHead{0x78,
                                                0x01};  // a window of 32 KiB, the fastest level (RFC 1950)
    constexpr std::size_t kChecksum = 4;
    if (const std::size_t most = kHead.size() + mostByRuns(bytes.size()) + kChecksum; capacity_ < most) {
        memory_ = std::make_unique_for_overwrite<std::uint8_t[]>(most);
        capacity_ = most;
    }
    const auto room = std::make_unique_for_overwrite<std::uint8_t[]>(bytes.size());
    shuffle(bytes, width, room.get());
    const Bytes shuffled(room.get(), bytes.size());
    const Compressor deflate = compressor();
    const std::size_t place = bytes.size() / width;
    std::size_t plain = 0;
    while (plain < bytes.size() && onlyRuns(shuffled.subspan(plain, place), deflate.get())) {
        plain += place;
    }
    std::uint8_t* end = std::copy(kHead.begin(), kHead.end(), memory_.get());
    end = packRuns(shuffled.first(plain), end);
    const auto before = static_cast<std::size_t>(end - memory_.get());
    if (before + kChecksum >= bytes.size()) {
        return;
    }
    const Bytes rest = shuffled.subspan(plain);
    const std::size_t deflated = libdeflate_deflate_compress(deflate.get(), rest.data(), rest.size(), end,
                                                             bytes.size() - kChecksum - before);
    if (deflated > 0) {
        end = writeChecksum(shuffled, end + deflated);
        size_ = static_cast<std::size_t>(end - memory_.get());
    }
}

bool unpack(std::span<const std::uint8_t> stream, std::size_t width, std::span<std::uint8_t> bytes) {
    const std::unique_ptr<libdeflate_decompressor, Release> decompressor(libdeflate_alloc_decompressor());
    if (!decompressor) {
        throw std::bad_alloc();
    }
    const auto room = std::make_unique_for_overwrite<std::uint8_t[]>(bytes.size());
    const std::span<std::uint8_t> shuffled(room.get(), bytes.size());
    // Without a place for the length, a stream of any other length is an error.
    if (libdeflate_zlib_decompress(decompressor.get(), stream.data(), stream.size(), shuffled.data(),
                                   shuffled.size(), nullptr) != LIBDEFLATE_SUCCESS) {
        return false;
    }
    unshuffle(shuffled, width, bytes);
    return true;
}

}  // namespace tof
