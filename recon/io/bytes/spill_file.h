// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tof {

/// Numbers that do not stay in memory: a file without a name in the folder of an output, which no other
/// program sees and which goes with this object. It is there from the first append() on. Several threads may
/// read.
class SpillFile {
  public:
    explicit SpillFile(std::string beside) : beside_(std::move(beside)) {}
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    /// How many numbers it holds.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Throws CannotWrite, naming the output.
    void append(std::span<const std::uint32_t> numbers);
    /// Reads the numbers from `first` on, all of which are there. Throws CannotWrite where the disk fails.
    void read(std::uint64_t first, std::span<std::uint32_t> out) const;

  private:
    void open();
    [[noreturn]] void fail(int fault) const;

    std::string beside_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

}  // namespace tof
