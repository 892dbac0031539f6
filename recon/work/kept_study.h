// SPDX-License-Identifier: Apache-2.0
// Studies of what is open: a draft that is kept, or a copy of a study.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/study/study.h"
#include "recon/systems/measurement.h"

namespace tof {

/// A run that is not in the folder of the study that it was made beside.
struct HeldRun {
    std::string name;         ///< its letter
    std::string file;         ///< a run file elsewhere; empty: what follows is all there is
    std::string description;  ///< as a checkpoint has it
    std::vector<StoredIterate> timing;
    std::map<int, std::shared_ptr<const Volume>> images;  ///< not empty unless there is a file
    std::vector<Figures> figures;
};

/// Makes a study at `folder`, which must not be there, of a draft, whose data are not in its folder: with its
/// runs, queue and study.json, the data, and further runs. What is in the draft stays there, too, as links
/// where the file system knows them. Throws BadInput when the folder exists, CannotWrite, and what `heed`
/// throws, which is called while files are written; then nothing is left behind.
[[nodiscard]] Study keepDraft(const Study& draft, const std::string& folder, const Measurement& data,
                              const std::vector<HeldRun>& runs, const std::function<void()>& heed = {});

/// Copies a study with its runs and checkpoints to `folder`, which must not be there. Throws as keepDraft().
[[nodiscard]] Study copyStudy(const Study& study, const std::string& folder,
                              const std::function<void()>& heed = {});

}  // namespace tof
