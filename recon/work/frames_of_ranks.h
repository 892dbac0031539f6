// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "recon/ranks/communicator.h"
#include "recon/work/frame_run.h"

namespace tof {

/// makeFrames() by several ranks, which take frames in turn, whole data and a projector each. The first rank
/// alone hands images over, and decides when to finish: between two frames. Called by all ranks with the
/// first rank's numbers; returns on all how many were made.
int makeFramesOnRanks(FrameRunRequest request, const Measurement& data, Projector& projector,
                      const std::shared_ptr<DataSource>& source, Communicator& ranks, JobListener& listener,
                      const std::function<void(int number, const Volume& image)>& made);

}  // namespace tof
