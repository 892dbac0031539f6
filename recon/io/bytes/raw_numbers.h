// SPDX-License-Identifier: Apache-2.0
// Bytes of foreign files: bounded reads and the decoding of their numbers. Internal to recon/io.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "recon/io/bytes/destination.h"

namespace tof {

enum class ByteOrder { Little, Big };
enum class NumberType { Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float32, Float64 };

[[nodiscard]] std::size_t numberBytes(NumberType type);

/// stored * slope + intercept of out.size() numbers; `bytes` holds at least that many.
void decodeNumbers(const std::byte* bytes, NumberType type, ByteOrder order, double slope, double intercept,
                   std::span<float> out);

/// The first sizeof(T) bytes as a T in the given order.
template <class T>
[[nodiscard]] T decodeOne(const std::byte* bytes, ByteOrder order) {
    std::array<std::byte, sizeof(T)> copy{};
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        const bool swap = (order == ByteOrder::Little) != (std::endian::native == std::endian::little);
        copy[i] = bytes[swap ? sizeof(T) - 1 - i : i];
    }
    T value;
    std::memcpy(&value, copy.data(), sizeof(T));
    return value;
}

/// The shortest decimal that names this float, as a double: 3.129F becomes 3.129.
[[nodiscard]] double shortestDecimal(float value);

/// Throws BadInput naming `path` when `bytes` exceed this machine's memory.
void requireMemory(const std::string& path, std::uint64_t bytes);

/// Writes a text to `temporary`. Throws CannotWrite naming `path`.
void writeTextFile(const std::string& temporary, const std::string& path, const std::string& text);
/// Writes numbers in little-endian order to `temporary`. Throws CannotWrite naming the destination, and what
/// that throws when it is asked.
void writeNumbers(const std::string& temporary, const Destination& to, const std::vector<float>& values);

/// A file read forwards, gzip undone where it is used. Throws BadInput on every fault.
class ByteReader {
  public:
    /// `heed` is called while much is read or skipped; what it throws (Cancelled) ends that.
    explicit ByteReader(const std::string& path, std::function<void()> heed = {});
    ~ByteReader();
    ByteReader(const ByteReader&) = delete;
    ByteReader& operator=(const ByteReader&) = delete;

    /// The most bytes that can come out, told from the size on disk.
    [[nodiscard]] std::uint64_t most() const { return most_; }
    /// Reads up to `count` bytes; fewer only at the end of the file.
    [[nodiscard]] std::size_t readSome(std::byte* out, std::size_t count);
    /// Reads `count` bytes of `what`, or throws that the file is truncated.
    void read(std::byte* out, std::size_t count, const std::string& what);
    void skip(std::uint64_t count, const std::string& what);
    /// Reads `count` numbers into a vector, in pieces; checks first that the file and the memory can hold
    /// them.
    [[nodiscard]] std::vector<float> numbers(std::uint64_t count, NumberType type, ByteOrder order,
                                             double slope, double intercept);

    /// Whether the file goes on; a byte of it is then read.
    [[nodiscard]] bool goesOn();

  private:
    std::string path_;
    std::function<void()> heed_;
    std::uint64_t most_ = 0;
    void* file_ = nullptr;  // gzFile, kept out of this header
};

/// What is said of a file that goes on behind the last value that its header announces; else empty.
[[nodiscard]] std::string moreBytesNote(ByteReader& file, const std::string& path);

}  // namespace tof
