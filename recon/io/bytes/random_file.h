// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tof {

/// A plain file whose bytes are read wherever they lie. Any number of threads may read at a time.
class RandomFile {
  public:
    /// Throws BadInput when it cannot be opened.
    explicit RandomFile(std::string path);
    ~RandomFile();
    RandomFile(const RandomFile&) = delete;
    RandomFile& operator=(const RandomFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Fills `out` with the bytes from `at` on, which are `what`. Throws BadInput where the file ends before.
    void read(std::uint64_t at, std::span<std::byte> out, const char* what) const;

  private:
    std::string path_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

}  // namespace tof
