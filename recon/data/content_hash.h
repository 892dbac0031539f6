// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tof {

/// 64 bits of XXH3.
[[nodiscard]] std::uint64_t hashOf(std::span<const std::byte> bytes);

/// A part of a ContentHash that was hashed by itself.
struct HashedPart {
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0;
};
[[nodiscard]] HashedPart hashedPart(std::span<const std::byte> bytes);

/// 64 bits of XXH3 of every view of `values`, which has `size` values a view.
[[nodiscard]] std::vector<std::uint64_t> hashesOfViews(std::span<const float> values, std::size_t size);

/// A hash of parts in their order, made of each part's own hash: parts may be hashed by different threads and
/// processes, and come together here.
class ContentHash {
  public:
    /// A part of `count` bytes.
    void add(const void* bytes, std::size_t count);
    void add(const HashedPart& part);
    /// Parts that have been hashed elsewhere, as hashesOfViews() does.
    void add(const std::vector<std::uint64_t>& hashes);
    /// 16 hexadecimal digits.
    [[nodiscard]] std::string text() const;

  private:
    std::vector<std::uint64_t> parts_;
};

}  // namespace tof
