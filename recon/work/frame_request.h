// SPDX-License-Identifier: Apache-2.0
// What is asked of a dynamic reconstruction (frame_run.h).
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

/// Which gates of a frame are compared: none, each with the next, or the last with the first as well.
enum class GateNeighbours { None, Row, Cycle };

/// What joins frames along time (joint_frames.h).
struct TemporalPrior {
    const Prior* prior = nullptr;  ///< one of priors() with an objective; null: frames are not joined
    double beta = 0.1;             ///< strength, without a unit, at least 0
    GateNeighbours gates = GateNeighbours::None;
};

/// Which frames a run makes after the image of their sum.
struct FramesAsked {
    std::string only{};  ///< their numbers, "3-10"; empty: all
    FrameStart start = FrameStart::Uniform;
    std::optional<DirectPatlak> direct{};  ///< in place of frames
    TemporalPrior temporal{};
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

/// A frame, by its number, and where it stands.
struct FrameAt {
    int number = 0;
    FramePoint point{};
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
    /// Told of the frame at hand before Cancelled is thrown, and of all that are made together after each
    /// iteration as well: their images change when the next begins.
    std::function<void(const std::vector<FrameAt>& frames)> reached{};
};

}  // namespace tof
