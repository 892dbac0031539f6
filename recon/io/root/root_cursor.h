// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "recon/io/bytes/raw_numbers.h"

namespace tof {

/// A place in the file takes 4 bytes or, in large files, 8.
enum class PlaceSize : std::uint8_t { Narrow, Wide };

/// What ROOT writes into its buffers, read one after the other: big-endian numbers, texts, objects behind a
/// count of their bytes. Everything throws BadInput, naming file and `what`, where the bytes end before.
class RootCursor {
  public:
    /// The bit of a word that makes it the count of the bytes that follow.
    static constexpr std::uint32_t kByteCount = 0x40000000;

    /// An object as its header tells it.
    struct Object {
        unsigned version = 0;
        std::size_t end = 0;  ///< where it ends, from the start of the bytes
    };

    /// Keeps references to all but `what`. Positions count from `shift` before the first byte: objects are
    /// referred to from the start of the key that they lie behind.
    RootCursor(const std::string& path, const char* what, std::span<const std::byte> bytes,
               std::size_t shift = 0)
        : path_(path), what_(what), bytes_(bytes), shift_(shift) {}

    template <class T>
    [[nodiscard]] T number() {
        return decodeOne<T>(take(sizeof(T)), ByteOrder::Big);
    }
    [[nodiscard]] std::uint64_t place(PlaceSize size) {
        return size == PlaceSize::Wide ? number<std::uint64_t>() : number<std::uint32_t>();
    }
    /// A text behind its length.
    [[nodiscard]] std::string text();
    /// A text that a zero ends.
    [[nodiscard]] std::string zeroEnded();
    [[nodiscard]] Object object();
    void skip(std::size_t count) { static_cast<void>(take(count)); }
    void skipObject() { moveTo(object().end); }
    /// TNamed's name; the title is passed over.
    [[nodiscard]] std::string named();
    /// The base TObject.
    void skipBase();

    [[nodiscard]] std::size_t at() const { return at_ + shift_; }
    void moveTo(std::size_t position);
    [[noreturn]] void fail(const char* fault) const;

  private:
    [[nodiscard]] const std::byte* take(std::size_t count);

    const std::string& path_;
    const char* what_;
    std::span<const std::byte> bytes_;
    std::size_t shift_;
    std::size_t at_ = 0;
};

}  // namespace tof
