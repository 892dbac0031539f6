// SPDX-License-Identifier: Apache-2.0
#include "recon/work/joint_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/base/parallel.h"
#include "recon/data/framed_counts.h"
#include "recon/prior/temporal_penalty.h"
#include "recon/work/frame_places.h"

namespace tof {

namespace {

using Images = std::vector<std::vector<float>>;  // by frame; empty before the first iteration

/// How long each frame counts, in s: emissions of an activity of 1 at the start of the scan.
std::vector<double> secondsOf(const FramedCounts& frames, const std::vector<int>& numbers) {
    std::vector<double> seconds;
    seconds.reserve(numbers.size());
    for (const int number : numbers) {
        seconds.push_back(1 / frames.perSecond(static_cast<std::size_t>(number - 1)));
    }
    return seconds;
}

/// Mean activity of the voxels of the image of all frames, a second at the start of the scan.
double unitOf(const Volume& sum, const FramedCounts& frames) {
    double seconds = 0;
    for (std::size_t i = 0; i < frames.frames.size(); ++i) {
        seconds += 1 / frames.perSecond(i);
    }
    const double emissions = std::accumulate(sum.data.begin(), sum.data.end(), 0.0);
    const auto voxels = static_cast<double>(
        std::count_if(sum.data.begin(), sum.data.end(), [](float value) { return value > 0; }));
    return emissions / (std::max(voxels, 1.0) * seconds);
}

void smoothAlongTime(const TemporalPenalty& penalty, const std::vector<double>& seconds,
                     const ThreadPool& pool, Images& images) {
    constexpr std::size_t kGrain = 1024;
    pool.forRange(images.front().size(), kGrain, [&](std::size_t begin, std::size_t end) {
        std::vector<double> u(seconds.size());
        for (std::size_t voxel = begin; voxel < end; ++voxel) {
            for (std::size_t m = 0; m < u.size(); ++m) {
                u[m] = static_cast<double>(images[m][voxel]) / seconds[m];
            }
            penalty.maximise(u);
            for (std::size_t m = 0; m < u.size(); ++m) {
                images[m][voxel] = static_cast<float>(u[m] * seconds[m]);
            }
        }
    });
}

/// Updates every frame by its counts; false where the listener asked to finish.
class FrameUpdates {
  public:
    FrameUpdates(const FrameRunRequest& request, const Measurement& data, Projector& projector,
                 const std::shared_ptr<DataSource>& source, JobListener& listener)
        : request_(request),
          data_(data),
          listener_(listener),
          places_(request, data, projector, source, FramesStay::All),
          control_(listener) {}

    bool iterate(int iteration, Images& images) {
        const FramedCounts& frames = *data_.frames();
        for (std::size_t m = 0; m < images.size(); ++m) {
            const auto index = static_cast<std::size_t>(request_.numbers[m] - 1);
            if (listener_.finishRequested()) {
                return false;
            }
            listener_.shareReady(
                "frames", (iteration - 1 + static_cast<double>(m) / static_cast<double>(images.size())) /
                              request_.algorithm.iterations);
            if (frames.frames[index].kept == 0) {
                images[m].assign(data_.lattice().voxels(), 0.0F);
                continue;
            }
            FramePlace place = places_.at(index);
            place.algorithm.iterations = iteration;
            Reconstruction one(place.projector, place.source, data_.lattice(), place.algorithm, place.order,
                               control_);
            if (!images[m].empty()) {
                one.startFrom(images[m], iteration - 1);
            }
            if (one.run(control_) < iteration) {
                return false;
            }
            images[m] = control_.at().image->data;
        }
        return true;
    }

  private:
    const FrameRunRequest& request_;
    const Measurement& data_;
    JobListener& listener_;
    FramePlaces places_;
    FrameControl control_;
};

}  // namespace

int makeJointFrames(const TemporalPrior& prior, const FrameRunRequest& request, const Measurement& data,
                    Projector& projector, const std::shared_ptr<DataSource>& source, JobListener& listener,
                    const std::function<void(int number, const Volume& image)>& made) {
    const FramedCounts& frames = *data.frames();
    const std::vector<double> seconds = secondsOf(frames, request.numbers);
    Images images(request.numbers.size());
    for (std::size_t m = 0; m < images.size(); ++m) {
        images[m] = startOfFrame(request, frames, static_cast<std::size_t>(request.numbers[m] - 1));
    }
    listener.notice(fmt::format("{} frames are reconstructed together; their images take {} MB",
                                images.size(),
                                images.size() * data.lattice().voxels() * sizeof(float) / 1'000'000));
    const TemporalPenalty penalty(prior.prior->potential(request.algorithm, unitOf(*request.sum, frames)),
                                  prior.beta, seconds);
    FrameUpdates updates(request, data, projector, source, listener);
    const ThreadPool pool(request.threads);
    for (int iteration = 1; iteration <= request.algorithm.iterations; ++iteration) {
        if (!updates.iterate(iteration, images)) {
            return 0;
        }
        if (prior.beta > 0) {
            smoothAlongTime(penalty, seconds, pool, images);
        }
    }
    for (std::size_t m = 0; m < images.size(); ++m) {
        Volume image(data.lattice());
        image.units = request.units;
        image.data = std::move(images[m]);
        made(request.numbers[m], image);
    }
    return static_cast<int>(request.numbers.size());
}

}  // namespace tof
