// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/root/root_cursor.h"
#include "recon/io/root/root_file.h"

namespace tof {

/// The TTree that starts at the cursor, whose positions count from the start of the tree's key.
[[nodiscard]] RootTree readRootTree(RootCursor& cursor);

}  // namespace tof
