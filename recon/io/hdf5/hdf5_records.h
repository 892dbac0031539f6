// SPDX-License-Identifier: Apache-2.0
// Internal to recon/io.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "recon/io/hdf5/hdf5_file.h"

namespace tof::h5 {

/// A dataset of one dimension, or of one value, of any type: compounds, lists and texts of variable size, as
/// the library lays them out in this machine's memory. Not thread-safe.
class Records {
  public:
    /// Throws BadInput. `reader` must live on.
    Records(const Reader& reader, std::string dataset);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// The type of a record in memory.
    [[nodiscard]] hid_t type() const { return native_.get(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Records [first, first + count), which hold until the next call. Throws BadInput, also for records that
    /// fill more than 1 GiB with their lists.
    [[nodiscard]] const std::byte* read(std::uint64_t first, std::uint64_t count);

  private:
    /// Where the library puts lists, in pieces that are used again by the next call.
    class Lists {
      public:
        void* take(std::size_t bytes) noexcept;
        void reset();
        [[nodiscard]] bool full() const { return full_; }

      private:
        std::vector<std::vector<std::max_align_t>> pieces_;
        std::size_t piece_ = 0;
        std::size_t used_ = 0;  ///< elements of the piece
        std::uint64_t bytes_ = 0;
        bool full_ = false;
    };

    const Reader* reader_;
    std::string name_;
    Reader::Opened dataset_;
    Handle native_;
    Handle transfer_;
    std::uint64_t size_ = 0;
    std::size_t bytes_ = 0;
    std::unique_ptr<Lists> lists_ = std::make_unique<Lists>();
    std::vector<std::byte> buffer_;
};

}  // namespace tof::h5
