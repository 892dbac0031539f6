// SPDX-License-Identifier: Apache-2.0
// Dynamic reconstruction: every frame of data that are cut by time, with the tables, factors and
// sensitivities of their sum.
#pragma once

#include <functional>
#include <memory>

#include "recon/work/frame_request.h"
#include "recon/work/job_listener.h"

namespace tof {

/// Throws WrongUse unless the data are cut by time.
void requireFrames(const Measurement& data);
/// How many frames the data have; 0: they are not cut by time.
[[nodiscard]] int frameCount(const Measurement& data);

/// What the image of a frame begins as; empty: as its reconstruction does by itself.
[[nodiscard]] std::vector<float> startOfFrame(const FrameRunRequest& request, const FramedCounts& frames,
                                              std::size_t index);

/// Makes the images of frames, one after the other, and hands each over with its number. Scatter and randoms
/// are those of the sum, shared out as the frames say (FramedCounts::addShareOf). A frame without counts has
/// a zero image. Returns how many were made: fewer where the listener asks to finish. Throws Cancelled.
int makeFrames(const FrameRunRequest& request, const Measurement& data, Projector& projector,
               const std::shared_ptr<DataSource>& source, JobListener& listener,
               const std::function<void(int number, const Volume& image)>& made);

}  // namespace tof
