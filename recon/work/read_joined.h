// SPDX-License-Identifier: Apache-2.0
// Data that are reconstructed together into one image, as tables say.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recon/systems/measurement.h"

namespace tof {

/// The gates of `data` as one measurement of the image that nothing has moved. `table` has a line for each
/// gate: its number, and the file of a displacement field or "none". A field says for every voxel of the
/// gate's image, in mm, how far from it what is seen there lies in the joined image. `path` names the data in
/// messages. Throws BadInput, WrongUse.
[[nodiscard]] std::shared_ptr<const Measurement> joinGates(const std::shared_ptr<const Measurement>& data,
                                                           const std::string& path, const std::string& table);

/// One bed of a scan over several.
struct Bed {
    std::string file;     ///< its data
    double z_mm = 0;      ///< where the scanner's centre lies in the joined image
    double activity = 1;  ///< while it was measured, over that of the first
};

/// A line for each bed: file (beside the table, unless it is an absolute path), z in mm, and what activity
/// was left, if not 1. Throws BadInput.
[[nodiscard]] std::vector<Bed> readBedTable(const std::string& table);
/// The beds as one measurement, on a lattice over all. The image is what was emitted in the time and at the
/// activity of the first. `note` gets what was assumed, one sentence or empty. Throws BadInput.
[[nodiscard]] std::shared_ptr<const Measurement> readBeds(const std::string& table, std::string& note,
                                                          const std::function<void()>& heed = {});

}  // namespace tof
