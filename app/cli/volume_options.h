// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/io/format/format.h"

namespace tof {

class Arguments;
class Console;

/// --frame, --series, --units and --reverse-slices: which volume of the file that a command takes, and what
/// the file does not say of it.
void describeVolumeOptions(Arguments& arguments, VolumeReadOptions& options);

/// --calibration, for commands that make no Bq/ml by a file.
void describeStatedFactor(Arguments& arguments, VolumeReadOptions& options);

/// --suv-by, for commands that make SUV.
void describeSuvBody(Arguments& arguments, VolumeReadOptions& options);

/// Reads it and says what was assumed or done.
[[nodiscard]] VolumeReadResult readVolumeSaying(const std::string& file, const VolumeReadOptions& options,
                                                Console& console);

}  // namespace tof
