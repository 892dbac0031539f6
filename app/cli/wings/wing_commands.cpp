// SPDX-License-Identifier: Apache-2.0
#include "app/cli/wings/wing_commands.h"

namespace tof {

std::vector<CommandInfo> wingCommands() {
    return {
#ifdef TOFSCOPE_EXPERIMENTS
        experimentCommand(),
        nemaCommand(),
#endif
#ifdef TOFSCOPE_MEASURE
        benchCommand(),
#endif
    };
}

}  // namespace tof
