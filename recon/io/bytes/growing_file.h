// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tof {

/// A plain file that another program appends to, or a named pipe that it writes to. Nothing here waits for a
/// writer but wait(). Not thread-safe.
class GrowingFile {
  public:
    /// Throws BadInput when it cannot be opened, or is neither.
    explicit GrowingFile(std::string path);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    [[nodiscard]] bool isPipe() const { return pipe_; }
    /// Fills the beginning of `out` with the bytes that follow all before; returns how many are there, maybe
    /// none. Throws BadInput where the file was shortened, removed or replaced by another one.
    [[nodiscard]] std::size_t read(std::span<std::byte> out);
    /// Whether everybody who wrote to the pipe has closed it, and all of it is read. A file is never closed.
    [[nodiscard]] bool closed() const { return closed_; }
    /// Waits until there may be more, for `most` at the longest.
    void wait(std::chrono::milliseconds most) const;

  private:
    void requireItself() const;
    [[nodiscard]] std::size_t readFile(std::span<std::byte> out);
    [[nodiscard]] std::size_t readPipe(std::span<std::byte> out);

    std::string path_;
    int descriptor_ = -1;
    bool pipe_ = false;
    bool closed_ = false;
    std::uint64_t at_ = 0;  ///< bytes of the file that are read
    std::uint64_t device_ = 0;
    std::uint64_t inode_ = 0;
};

}  // namespace tof
