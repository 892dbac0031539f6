// SPDX-License-Identifier: Apache-2.0
// Dynamic reconstruction: every frame of data that are cut by time, with the tables, factors and
// sensitivities of their sum.
#pragma once

#include <functional>
#include <memory>
#include <optional>
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

/// Patlak's parameters, reconstructed from the counts of late frames in place of their images.
struct DirectPatlak {
    std::string input;     ///< blood samples (recon/kinetics/blood_file.h)
    double start_s = 0;    ///< frames that start then or later
    int updates = 100;     ///< updates of the parameters in an iteration
    std::string folder{};  ///< that gets the images
};

/// Which frames a run makes after the image of their sum.
struct FramesAsked {
    std::string only{};  ///< their numbers, "3-10"; empty: all
    FrameStart start = FrameStart::Uniform;
    std::optional<DirectPatlak> direct{};  ///< in place of frames
};

/// A frame with a model of its own, placed.
struct FrameAlone {
    std::unique_ptr<Projector> projector{};
    std::shared_ptr<DataSource> source{};
    std::vector<std::size_t> order{};
};

/// Where a frame stands between two of its iterations.
struct FramePoint {
    int iteration = 0;
    std::shared_ptr<const Volume> image{};
    std::shared_ptr<const Volume> coefficients{};  ///< Iterate::coefficients, if there are any
};

struct FrameRunRequest {
    std::vector<int> numbers;  ///< frames to make, from 1
    FrameStart start = FrameStart::Uniform;
    std::vector<std::size_t> order;
    AlgorithmSettings algorithm;
    std::string units;
    std::shared_ptr<const Volume> sum;  ///< the image of the sum
    int threads = 0;                    ///< that expand counts; 0: every core
    /// Places frames that stand alone.
    std::function<FrameAlone(const Measurement& frame)> placed{};
    /// Where a frame was when an earlier run was interrupted; nothing: at its beginning.
    std::function<std::optional<FramePoint>(int number)> begun{};
    /// Told of the frame at hand before Cancelled is thrown.
    std::function<void(int number, const FramePoint& at)> interrupted{};
};

/// Throws WrongUse unless the data are cut by time.
void requireFrames(const Measurement& data);
/// How many frames the data have; 0: they are not cut by time.
[[nodiscard]] int frameCount(const Measurement& data);

/// Makes the images of frames, one after the other, and hands each over with its number. Scatter and randoms
/// are those of the sum, shared out as the frames say (FramedCounts::addShareOf). A frame without counts has
/// a zero image. Returns how many were made: fewer where the listener asks to finish. Throws Cancelled.
int makeFrames(const FrameRunRequest& request, const Measurement& data, Projector& projector,
               const std::shared_ptr<DataSource>& source, JobListener& listener,
               const std::function<void(int number, const Volume& image)>& made);

}  // namespace tof
