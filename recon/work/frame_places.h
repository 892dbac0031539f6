// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/work/frame_request.h"
#include "recon/work/job_listener.h"

namespace tof {

/// Who reconstructs a frame, with its data in place.
struct FramePlace {
    Projector& projector;
    DataSource& source;
    const std::vector<std::size_t>& order;
    AlgorithmSettings algorithm;  ///< the run's, with no more subsets than the frame has parts
};

/// How many frames that stand alone stay in place.
enum class FramesStay { Last, All };

/// Puts the counts of frames where those of all were; sensitivities that are found stay. Keeps references.
class FramePlaces {
  public:
    FramePlaces(const FrameRunRequest& request, const Measurement& data, Projector& projector,
                std::shared_ptr<DataSource> source, FramesStay stay);
    ~FramePlaces();
    FramePlaces(const FramePlaces&) = delete;
    FramePlaces& operator=(const FramePlaces&) = delete;

    /// A frame with events, by its index. What it returned before goes.
    [[nodiscard]] FramePlace at(std::size_t frame);

  private:
    class Data;

    const FrameRunRequest& request_;
    const Measurement& data_;
    Projector& projector_;
    std::shared_ptr<DataSource> source_;
    FramesStay stay_;
    ThreadPool pool_;  ///< puts counts of a frame in their places
    std::vector<float> counts_;
    std::unique_ptr<Data> frameData_;
    std::map<std::size_t, FrameAlone> alone_;
};

/// Keeps the last iterate of a frame; passes on what may pause or end the run.
class FrameControl : public RunControl {
  public:
    explicit FrameControl(JobListener& listener) : listener_(listener) {}

    void checkpoint() override { listener_.checkpoint(); }
    void heed() override { listener_.checkpoint(); }
    [[nodiscard]] bool finishRequested() override { return listener_.finishRequested(); }
    void notice(const std::string& sentence) override {
        if (!told_) {  // frames are alike: once will do
            listener_.notice(sentence);
        }
        told_ = true;
    }
    void iterateDone(Iterate iterate) override {
        at_ = {iterate.iteration, std::move(iterate.image), std::move(iterate.coefficients)};
    }
    void begin(const FramePoint& at) { at_ = at; }
    [[nodiscard]] const FramePoint& at() const { return at_; }

  private:
    JobListener& listener_;
    FramePoint at_;
    bool told_ = false;
};

}  // namespace tof
