// SPDX-License-Identifier: Apache-2.0
// Opening: whatever a path holds, read as far as somebody needs who is to look at it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/forms/forms.h"
#include "recon/study/study.h"
#include "recon/systems/measurement.h"
#include "recon/work/list_choice.h"
#include "recon/work/opened_frames.h"
#include "recon/work/stored_run.h"

namespace tof {

/// What there was at a path. The data of a study are left for later: they are large, its pictures come first.
struct Opened {
    FileKind kind = FileKind::Unknown;  ///< List for list-mode of any kind, and for sinograms of STIR
    std::optional<Study> study;
    std::shared_ptr<const Measurement> data;  ///< null for a List that nobody said how to bin
    std::optional<ListChoice> list;           ///< there where `data` are null for that reason
    /// A run file, or the runs of a study, those that were interrupted last. The last image of one run is
    /// there: of the one that was shown when the study was left, or of the newest.
    std::vector<StoredRun> runs;
    std::shared_ptr<const Volume> volume;  ///< a volume, or the image of a checkpoint
    std::optional<OpenedFrames> frames;    ///< a dynamic image, whose mean over time is the volume
    std::optional<Uptake> uptake;          ///< what SUV need of the volume, where its file says it
    double statedFactor = 1;               ///< what the volume was multiplied by (VolumeReadResult)
    std::string volumeName;                ///< the volume's name, where the path does not say it
    std::vector<VolumeSeries> series;      ///< to choose from, where nobody chose and there are several
    std::vector<std::string> notes;        ///< what cannot be read of a study, what was done to a volume
};

/// `binning`: how list-mode becomes data of one of `forms`. `choice`: which of several volumes; without one
/// `series` says what there is, and there is no volume, unless they are the frames of one dynamic image.
/// Throws BadInput, what binEvents() throws, and Cancelled from `progress`.
[[nodiscard]] Opened openPath(const std::string& path, const std::optional<BinRequest>& binning,
                              const ThreadPool& pool, WorkProgress& progress,
                              const VolumeReadOptions& choice = {}, const FormTable& forms = builtInForms());

}  // namespace tof
