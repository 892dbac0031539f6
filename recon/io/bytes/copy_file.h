// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace tof {

/// Copies a file over `to` with its permissions, in pieces, and calls `heed` before each: data of a study
/// take minutes. Throws BadInput where `from` cannot be read, CannotWrite, and what `heed` throws; a copy
/// that failed is left for the caller to remove (writeAside() does).
void copyFile(const std::string& from, const std::string& to, const std::function<void()>& heed);

}  // namespace tof
