// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tof {

/// Numbers as HDF5's filters shuffle and deflate store them: the first bytes of all, then the second ones and
/// so on, as a zlib stream. libdeflate makes and reads these at several times zlib's speed. Safe to call from
/// any thread.

/// A block of packed numbers, whose memory serves the next block, too: a system takes as long to find it as
/// packing takes.
class PackedBlock {
  public:
    /// `bytes` holds numbers of `width` bytes each. Those of them that are as good as random, as the last
    /// ones of what was measured, are stored as they are (run_packing.h).
    void pack(std::span<const std::uint8_t> bytes, std::size_t width);
    /// Empty where that is not smaller than what it was.
    [[nodiscard]] std::span<const std::uint8_t> stream() const { return {memory_.get(), size_}; }

  private:
    std::unique_ptr<std::uint8_t[]> memory_{};
    std::size_t capacity_ = 0;
    std::size_t size_ = 0;
};

/// Fills `bytes`; false, with anything there, unless `stream` holds exactly as many.
[[nodiscard]] bool unpack(std::span<const std::uint8_t> stream, std::size_t width,
                          std::span<std::uint8_t> bytes);

}  // namespace tof
