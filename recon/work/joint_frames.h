// SPDX-License-Identifier: Apache-2.0
// Frames reconstructed together, with a penalty along time.
#pragma once

#include "recon/work/frame_run.h"

namespace tof {

/// Makes the images of frames as makeFrames() does, but together: in an iteration every frame's image is
/// updated by its counts once, and then all of them by the penalty (recon/prior/temporal_penalty.h), which
/// compares activity a second at the start of the scan. With a beta of 0 the images are makeFrames()'. All
/// images are in memory, which the listener is told. Where the listener asks to finish nothing is made, and a
/// run that is resumed begins them anew. requireEm() has been asked. Throws WrongUse for gates.
int makeJointFrames(const TemporalPrior& prior, const FrameRunRequest& request, const Measurement& data,
                    Projector& projector, const std::shared_ptr<DataSource>& source, JobListener& listener,
                    const std::function<void(int number, const Volume& image)>& made);

}  // namespace tof
