// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace tof {

/// Calls write(temporary path beside `path`), then flushes that file to disk and renames it over `path`. When
/// anything fails the temporary is removed, `path` is untouched, and CannotWrite says why.
void writeAside(const std::string& path, const std::function<void(const std::string& temporary)>& write);

}  // namespace tof
