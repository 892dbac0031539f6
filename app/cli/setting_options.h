// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "recon/settings/settings.h"

namespace tof {

class Arguments;

/// Options for the given rows of settingsTable(); values go into `settings`, and the keys that were named
/// into `named` unless it is null. Both must outlive the parsing.
void describeSettings(Arguments& arguments, RunSettings& settings, const std::vector<std::string>& keys,
                      std::vector<std::string>* named = nullptr);
/// Options for every row.
void describeSettings(Arguments& arguments, RunSettings& settings, std::vector<std::string>* named = nullptr);

}  // namespace tof
