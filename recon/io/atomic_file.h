// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace tof {

/// Calls write(temporary path beside `path`), then flushes that file to disk and renames it over `path`. When
/// anything fails the temporary is removed, `path` is untouched, and CannotWrite says why; std::system_error
/// from `write` becomes CannotWrite, other exceptions pass.
void writeAside(const std::string& path, const std::function<void(const std::string& temporary)>& write);

/// The two halves of writeAside for files that stay open for long. The name of the temporary, `path` +
/// ".part"; one left by a crash is removed. Throws CannotWrite when `path` cannot be replaced by a file.
[[nodiscard]] std::string temporaryBeside(const std::string& path);
/// Flushes a temporary that temporaryBeside(path) named and renames it over `path`. Throws CannotWrite.
void renameIntoPlace(const std::string& temporary, const std::string& path);

}  // namespace tof
