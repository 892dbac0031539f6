// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// Called first by every program. Signals that stand for a failed write (a limit on file sizes, a reader of
/// the output that has left) become errors of that write; and where standard input, output or errors are
/// closed, nothing stands in their place, so that no file of ours gets their numbers and is written into.
/// Memory beyond what a control group leaves is refused (refuseBeforeGroupsKill()).
/// Where memory runs out and nobody catches that, or a library of others crashes over it, the process ends as
/// by Unavailable and says so.
void startProcess();

}  // namespace tof
