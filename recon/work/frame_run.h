// SPDX-License-Identifier: Apache-2.0
// Dynamic reconstruction: every frame of data that are cut by time, with the tables, factors and
// sensitivities of their sum.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "recon/algorithm/algorithm.h"
#include "recon/seam/data_source.h"
#include "recon/seam/projector.h"
#include "recon/systems/measurement.h"
#include "recon/work/job_listener.h"

namespace tof {

/// What the image of a frame begins as: uniform, or the image of all frames together with the frame's total,
/// which needs fewer iterations and leans towards it.
enum class FrameStart { Uniform, Sum };

/// Which frames a run makes after the image of their sum.
struct FramesAsked {
    std::string only{};  ///< their numbers, "3-10"; empty: all
    FrameStart start = FrameStart::Uniform;
};

struct FrameRunRequest {
    std::vector<int> numbers;  ///< frames to make, from 1
    FrameStart start = FrameStart::Uniform;
    std::vector<std::size_t> order;
    AlgorithmSettings algorithm;
    std::string units;
    std::shared_ptr<const Volume> sum;  ///< the image of the sum
    int threads = 0;                    ///< that expand counts; 0: every core
};

/// Throws WrongUse unless the data are cut by time.
void requireFrames(const Measurement& data);
/// How many frames the data have; 0: they are not cut by time.
[[nodiscard]] int frameCount(const Measurement& data);

/// Makes the images of frames, one after the other, and hands each over with its number. Scatter and randoms
/// are those of the sum, shared out by counts. A frame without counts has a zero image. Returns how many were
/// made: fewer where the listener asks to finish. Throws Cancelled.
int makeFrames(const FrameRunRequest& request, const Measurement& data, Projector& projector,
               const std::shared_ptr<DataSource>& source, JobListener& listener,
               const std::function<void(int number, const Volume& image)>& made);

}  // namespace tof
