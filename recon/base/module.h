// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tof {

/// The folder of the running program, absolute; empty where the system does not say (no /proc). In the
/// module of Python it is that of the programs of the same installation.
[[nodiscard]] std::string programFolder();

/// A function of a module of this program, which lies beside it (../lib, or the build tree's lib). The module
/// is never closed: what it makes lives as long as the program. Throws Unavailable with the reason and
/// `remedy`.
[[nodiscard]] void* moduleFunction(const std::string& file, const char* symbol, const std::string& remedy);

}  // namespace tof
