// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"

namespace tof {

const std::vector<CommandInfo>& commandTable() {
    static const std::vector<CommandInfo> table{
        {"project", "Project one view of a volume, forward or back", makeProjectCommand},
        {"kernel", "Print the tables, widths and values of an SR kernel", makeKernelCommand},
        {"devices", "List the engines, and why one is absent", makeDevicesCommand},
    };
    return table;
}

}  // namespace tof
