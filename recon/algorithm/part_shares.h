// SPDX-License-Identifier: Apache-2.0
// How the parts of a block are dealt out: to the ranks of a run, and to the sums that one process makes as
// two ranks make them.
#pragma once

#include <cstddef>
#include <vector>

namespace tof {

/// Where each of `shares` begins in every block, and the end of the last one: [block][share]. `blocks`: the
/// parts of each. A share is of neighbours; shares are equal but for one part, which they get in turn.
[[nodiscard]] std::vector<std::vector<std::size_t>> shareBegins(
    const std::vector<std::vector<std::size_t>>& blocks, std::size_t shares);

}  // namespace tof
