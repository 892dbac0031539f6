// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/root/root_cursor.h"

namespace tof {

/// Entries of a branch that were written together.
struct RootBasket {
    std::uint64_t first = 0;  ///< number of the first entry
    std::uint64_t count = 0;
    std::uint64_t at = 0;  ///< place in the file
};

/// A column of one number an entry.
struct RootBranch {
    std::string name;
    NumberType type = NumberType::Float32;
    std::vector<RootBasket> baskets;  ///< in the order of entries, without gaps

    /// Entries that are in the file.
    [[nodiscard]] std::uint64_t present() const {
        return baskets.empty() ? 0 : baskets.back().first + baskets.back().count;
    }
};

/// A table of ROOT: columns of numbers; those of other kinds are left out.
struct RootTree {
    std::string name;
    std::uint64_t entries = 0;
    std::vector<RootBranch> branches;

    /// Null where there is none.
    [[nodiscard]] const RootBranch* find(const std::string& branch) const;
};

/// The TTree that starts at the cursor, whose positions count from the start of the tree's key.
[[nodiscard]] RootTree readRootTree(RootCursor& cursor);

}  // namespace tof
