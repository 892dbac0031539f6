// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// How a list that grows came to its end.
enum class FollowEnd {
    Announced,  ///< the events that the header announces are there
    Closed,     ///< the pipe was closed
    Quiet,      ///< the file did not grow any more
    Asked       ///< the listener had enough
};

}  // namespace tof
