// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "recon/seam/data_source.h"
#include "recon/seam/space.h"

namespace tof {

/// Data where an engine has put them.
struct PlacedData {
    std::shared_ptr<Space> space;
    std::size_t bytesFree = 0;           ///< in the space while it was empty
    std::shared_ptr<DataSource> source;  ///< null until the data are there; its memory is the space's
};

/// Keeps data where an engine has put them from one job to the next, so that a changed kernel need not move
/// them again. Holds those of one key at most. Thread-safe.
class DataHold {
  public:
    struct Loan {
        PlacedData data;  ///< null pointers when nothing was kept under this key
        std::uint64_t round = 0;
    };
    /// What was kept under `key`, for one job at a time; anything else that was kept is freed.
    [[nodiscard]] Loan borrow(const std::string& key);
    /// Keeps them for the next job, unless clear() was called since they were borrowed.
    void giveBack(const std::string& key, Loan loan);
    /// Has what is kept changed by `change`, and frees it where that says false.
    void change(const std::function<bool(DataSource&)>& change);
    /// Frees what is kept, and what is on loan once it comes back.
    void clear();

  private:
    std::mutex mutex_;
    std::string key_;
    PlacedData kept_;
    std::uint64_t round_ = 0;  ///< counts the calls of clear()
};

}  // namespace tof
