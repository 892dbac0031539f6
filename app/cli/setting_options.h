// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "recon/run/settings.h"

namespace tof {

class Arguments;

/// Options for the given rows of settingsTable(); values go into `settings`, which must outlive the parsing.
void describeSettings(Arguments& arguments, RunSettings& settings, const std::vector<std::string>& keys);
/// Options for every row.
void describeSettings(Arguments& arguments, RunSettings& settings);

}  // namespace tof
