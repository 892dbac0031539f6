// SPDX-License-Identifier: Apache-2.0
// Studies of what is open: data and runs that are in memory, or a copy of a study.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/study/study.h"
#include "recon/systems/measurement.h"

namespace tof {

/// A run of which nothing, or not all, is in a file.
struct HeldRun {
    std::string name;         ///< its letter
    std::string description;  ///< as a checkpoint has it
    std::vector<StoredIterate> timing;
    std::map<int, std::shared_ptr<const Volume>> images;  ///< not empty
    std::vector<Figures> figures;
};

/// Makes a study at `folder`, which must not be there, of data and runs in memory: what study.json says is
/// the caller's. Throws BadInput when the folder exists, CannotWrite; then nothing is left behind.
[[nodiscard]] Study keepAsStudy(const std::string& folder, const Measurement& data,
                                const std::vector<HeldRun>& runs);

/// Copies a study with its runs and checkpoints to `folder`, which must not be there. Throws as
/// keepAsStudy().
[[nodiscard]] Study copyStudy(const Study& study, const std::string& folder);

}  // namespace tof
