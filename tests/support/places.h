// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace tof::test {

/// The path of a file of the tree that is tested, of which `name` is relative: "docs/desktop.md". An empty
/// name is the tree's own folder, with a slash at the end.
[[nodiscard]] QString inTree(const QString& name);
/// Likewise of a file that was built of it: "bin/tofscope-cli".
[[nodiscard]] QString inBuild(const QString& name);

}  // namespace tof::test
