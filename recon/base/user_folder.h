// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tof {

/// What this program keeps for its user, each kind in a folder of its own.
enum class UserFolder {
    Cache,   ///< what can be made again
    Config,  ///< what the user chose
    State    ///< logs
};

/// $XDG_CACHE_HOME/tofscope, $XDG_CONFIG_HOME/tofscope or $XDG_STATE_HOME/tofscope; where that is no path
/// from the root, ~/.cache/tofscope, ~/.config/tofscope or ~/.local/state/tofscope; empty without a home (XDG
/// Base Directory Specification 0.8). The folder need not be there.
[[nodiscard]] std::string userFolder(UserFolder which);

}  // namespace tof
