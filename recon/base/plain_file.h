// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tof {

/// Throws BadInput where `path` is a pipe, a device or a socket, which could hold whoever opens it for ever.
/// Folders, files and what is not there pass.
void requirePlainFile(const std::string& path);

}  // namespace tof
