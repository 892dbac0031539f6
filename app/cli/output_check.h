// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tof {

/// Throws WrongUse when both names mean one file: a command never replaces what it reads.
void refuseSameFile(const std::string& input, const std::string& output);

/// Throws CannotWrite when the folder of `output` does not exist or `output` is a folder, before long work
/// starts.
void requireWritable(const std::string& output);

}  // namespace tof
