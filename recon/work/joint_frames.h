// SPDX-License-Identifier: Apache-2.0
// Frames reconstructed together, with a penalty along time.
#pragma once

#include <vector>

#include "recon/data/framed_counts.h"
#include "recon/prior/temporal_penalty.h"
#include "recon/ranks/communicator.h"
#include "recon/work/frame_run.h"

namespace tof {

/// Which of the frames `numbers`, by their places in it, are compared: each with the next one of its gate,
/// and gates of a frame as `gates` says. Throws WrongUse where that joins nothing, or there are no gates.
[[nodiscard]] std::vector<FramePair> framePairs(const FramedCounts& frames, const std::vector<int>& numbers,
                                                GateNeighbours gates);

/// Makes the images of frames as makeFrames() does, but together: in an iteration every frame's image is
/// updated by its counts once, and then all of them by the penalty (recon/prior/temporal_penalty.h), which
/// compares activity a second at the start of the scan. With a beta of 0 the images are makeFrames()'. Ranks
/// update frames in turn, whole data and a projector each; every rank gets all images then, so that they are
/// those of one process. All images are in memory, which the listener is told. Where the first rank's
/// listener asks to finish nothing is made. An interrupted run leaves every frame where it is, and goes on to
/// the same bits. Called by all ranks with the first rank's numbers; only the first hands images over.
/// requireEm() has been asked.
int makeJointFrames(const TemporalPrior& prior, const FrameRunRequest& request, const Measurement& data,
                    Projector& projector, const std::shared_ptr<DataSource>& source, Communicator& ranks,
                    JobListener& listener, const std::function<void(int number, const Volume& image)>& made);

}  // namespace tof
