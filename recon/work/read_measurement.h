// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "recon/io/format_table.h"
#include "recon/systems/measurement.h"
#include "recon/work/systems.h"

namespace tof {

/// Reads what one of `systems` measured. Throws BadInput, also for a file that holds no data of theirs.
/// `heed`: see FormatTable::recognise().
[[nodiscard]] std::shared_ptr<const Measurement> readMeasurement(
    const RecognisedFile& file, const std::vector<System>& systems = allSystems());
[[nodiscard]] std::shared_ptr<const Measurement> readMeasurement(const std::string& path,
                                                                 std::function<void()> heed = {});
/// With what a user should know of data of other programs (what was taken for granted, bins below zero), one
/// sentence or empty.
[[nodiscard]] std::shared_ptr<const Measurement> readMeasurement(const std::string& path, std::string& note,
                                                                 std::function<void()> heed = {});

/// Measurement::system() of a data file without reading the data. Throws BadInput.
[[nodiscard]] std::string systemOfData(const std::string& path);

}  // namespace tof
