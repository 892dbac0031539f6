// SPDX-License-Identifier: Apache-2.0
#include "recon/work/joint_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/base/parallel.h"
#include "recon/work/agreed_listener.h"
#include "recon/work/frame_places.h"

namespace tof {

namespace {

/// Images of frames and the iteration that each was updated in last. Frames that all were in one have gone
/// through the penalty, those that are ahead of others have not.
struct Images {
    std::vector<std::shared_ptr<Volume>> of;  ///< without values before a start that is uniform
    std::vector<int> iteration;               ///< kTorn while another rank's image arrives

    static constexpr int kTorn = -1;

    Images(std::size_t frames, const Lattice& lattice, const std::string& units) : iteration(frames, 0) {
        for (std::size_t m = 0; m < frames; ++m) {
            of.push_back(std::make_shared<Volume>());
            of.back()->lattice = lattice;
            of.back()->units = units;
        }
    }
    [[nodiscard]] std::vector<float>& data(std::size_t frame) { return of[frame]->data; }
    [[nodiscard]] std::size_t size() const { return of.size(); }
    [[nodiscard]] int wholeIterations() const {
        return *std::min_element(iteration.begin(), iteration.end());
    }
};

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
    pool.forRange(images.data(0).size(), kGrain, [&](std::size_t begin, std::size_t end) {
        std::vector<double> u(seconds.size());
        for (std::size_t voxel = begin; voxel < end; ++voxel) {
            for (std::size_t m = 0; m < u.size(); ++m) {
                u[m] = static_cast<double>(images.data(m)[voxel]) / seconds[m];
            }
            penalty.maximise(u);
            for (std::size_t m = 0; m < u.size(); ++m) {
                images.data(m)[voxel] = static_cast<float>(u[m] * seconds[m]);
            }
        }
    });
}

/// Updates every frame by its counts, on the rank that takes it, and gives it to all; false where the
/// listener asked to finish.
class FrameUpdates {
  public:
    FrameUpdates(const FrameRunRequest& request, const Measurement& data, Projector& projector,
                 const std::shared_ptr<DataSource>& source, Communicator& ranks, AgreedListener& listener)
        : request_(request),
          data_(data),
          ranks_(ranks),
          listener_(listener),
          places_(request, data, projector, source, FramesStay::All),
          control_(listener) {}

    bool iterate(int iteration, Images& images) {
        listener_.agree();
        if (ranks_.any(!iterateOwn(iteration, images))) {
            return false;
        }
        const auto size = static_cast<std::size_t>(ranks_.size());
        for (std::size_t first = 0; first < images.size(); first += size) {
            shareRound(iteration, first, std::min(first + size, images.size()), images);
        }
        return true;
    }

  private:
    bool iterateOwn(int iteration, Images& images) {
        const FramedCounts& frames = *data_.frames();
        const auto size = static_cast<std::size_t>(ranks_.size());
        for (auto m = static_cast<std::size_t>(ranks_.rank()); m < images.size(); m += size) {
            const auto index = static_cast<std::size_t>(request_.numbers[m] - 1);
            if (images.iteration[m] == iteration) {
                continue;  // made before the run was interrupted
            }
            if (listener_.finishRequested()) {
                return false;
            }
            listener_.shareReady(
                "frames", (iteration - 1 + static_cast<double>(m) / static_cast<double>(images.size())) /
                              request_.algorithm.iterations);
            if (frames.frames[index].kept == 0) {
                images.data(m).assign(data_.lattice().voxels(), 0.0F);
                images.iteration[m] = iteration;
                continue;
            }
            FramePlace place = places_.at(index);
            place.algorithm.iterations = iteration;
            Reconstruction one(place.projector, place.source, data_.lattice(), place.algorithm, place.order,
                               control_);
            if (!images.data(m).empty()) {
                one.startFrom(images.data(m), iteration - 1);
            }
            if (one.run(control_) < iteration) {
                return false;
            }
            images.data(m) = control_.at().image->data;
            images.iteration[m] = iteration;
        }
        return true;
    }

    /// One image of each rank, or of the first ones, to all others.
    void shareRound(int iteration, std::size_t begin, std::size_t end, Images& images) {
        const std::size_t bytes = data_.lattice().voxels() * sizeof(float);
        std::vector<Sent> sent;
        std::vector<Received> received;
        for (std::size_t m = begin; m < end; ++m) {
            const auto rank = static_cast<int>(m - begin);
            std::vector<float>& image = images.data(m);
            image.resize(data_.lattice().voxels());
            if (rank != ranks_.rank()) {
                images.iteration[m] = Images::kTorn;
                received.push_back({rank, image.data(), bytes});
                continue;
            }
            for (int other = 0; other < ranks_.size(); ++other) {
                if (other != rank) {
                    sent.push_back({other, image.data(), bytes});
                }
            }
        }
        ranks_.exchange(sent, received);
        std::fill(images.iteration.begin() + static_cast<std::ptrdiff_t>(begin),
                  images.iteration.begin() + static_cast<std::ptrdiff_t>(end), iteration);
    }

    const FrameRunRequest& request_;
    const Measurement& data_;
    Communicator& ranks_;
    AgreedListener& listener_;
    FramePlaces places_;
    FrameControl control_;
};

/// What frames begin as: where an interrupted run left them, which the first rank knows.
Images beginningOf(const FrameRunRequest& request, const Measurement& data, Communicator& ranks) {
    Images images(request.numbers.size(), data.lattice(), request.units);
    std::vector<std::optional<FramePoint>> begun(images.size());
    for (std::size_t m = 0; m < images.size() && ranks.first() && request.begun; ++m) {
        begun[m] = request.begun(request.numbers[m]);
        images.iteration[m] = begun[m] ? begun[m]->iteration : 0;
    }
    for (std::size_t m = 0; m < images.size(); ++m) {
        images.iteration[m] =
            static_cast<int>(ranks.numbersOfAll(static_cast<std::uint64_t>(images.iteration[m])).front());
        if (images.iteration[m] == 0) {
            images.data(m) =
                startOfFrame(request, *data.frames(), static_cast<std::size_t>(request.numbers[m] - 1));
            continue;
        }
        images.data(m) = begun[m] ? begun[m]->image->data : std::vector<float>(data.lattice().voxels());
        ranks.ofFirst(std::span(images.data(m)));
    }
    return images;
}

/// Says where every frame is; nothing while images are torn.
void tell(const FrameRunRequest& request, const Images& images) {
    std::vector<FrameAt> frames;
    for (std::size_t m = 0; m < images.size() && images.wholeIterations() != Images::kTorn; ++m) {
        if (images.iteration[m] > 0) {  // else it is at its beginning
            frames.push_back({request.numbers[m], {images.iteration[m], images.of[m], {}}});
        }
    }
    request.reached(frames);
}

}  // namespace

std::vector<FramePair> framePairs(const FramedCounts& frames, const std::vector<int>& numbers,
                                  GateNeighbours gates) {
    if (gates != GateNeighbours::None && frames.gates == 0) {
        throw WrongUse("--temporal-gates compares gates, and the data have none; leave it out");
    }
    // Where the last frame of each gate is, and where the gates of a frame begin.
    std::vector<std::optional<std::size_t>> before(static_cast<std::size_t>(std::max(frames.gates, 1)));
    std::vector<FramePair> pairs;
    std::size_t begin = 0;
    for (std::size_t m = 0; m < numbers.size(); ++m) {
        const auto index = static_cast<std::size_t>(numbers[m] - 1);
        std::optional<std::size_t>& last = before[index % before.size()];
        if (last) {
            pairs.push_back({*last, m});
        }
        last = m;
        const auto frameOf = [&](std::size_t n) {
            return static_cast<std::size_t>(numbers[n] - 1) / before.size();
        };
        if (frameOf(begin) != frameOf(m)) {
            begin = m;
        }
        if (gates != GateNeighbours::None && m > begin) {
            pairs.push_back({m - 1, m});
        }
        const bool ends = m + 1 == numbers.size() || frameOf(m + 1) != frameOf(m);
        if (gates == GateNeighbours::Cycle && ends && m > begin + 1) {
            pairs.push_back({begin, m});
        }
    }
    if (pairs.empty() && frames.gates > 0) {
        throw WrongUse(
            "--temporal-prior compares frames, and each gate has one; compare gates by --temporal-gates "
            "cycle "
            "(of phases) or row (of amplitudes)");
    }
    return pairs;
}

int makeJointFrames(const TemporalPrior& prior, const FrameRunRequest& request, const Measurement& data,
                    Projector& projector, const std::shared_ptr<DataSource>& source, Communicator& ranks,
                    JobListener& listener, const std::function<void(int number, const Volume& image)>& made) {
    const FramedCounts& frames = *data.frames();
    const std::vector<double> seconds = secondsOf(frames, request.numbers);
    Images images = beginningOf(request, data, ranks);
    AgreedListener agreed(listener, ranks);
    agreed.notice(fmt::format("{} frames are reconstructed together; their images take {} MB{}",
                              images.size(),
                              images.size() * data.lattice().voxels() * sizeof(float) / 1'000'000,
                              ranks.alone() ? "" : " in every process"));
    const TemporalPenalty penalty(prior.prior->potential(request.algorithm, unitOf(*request.sum, frames)),
                                  prior.beta, seconds, framePairs(frames, request.numbers, prior.gates));
    FrameUpdates updates(request, data, projector, source, ranks, agreed);
    const ThreadPool pool(request.threads);
    try {
        while (images.wholeIterations() < request.algorithm.iterations) {
            if (!updates.iterate(images.wholeIterations() + 1, images)) {
                return 0;
            }
            if (prior.beta > 0) {
                smoothAlongTime(penalty, seconds, pool, images);
            }
            tell(request, images);
        }
    } catch (const Cancelled&) {
        tell(request, images);
        throw;
    } catch (...) {
        request.reached({});  // an image may be half written
        throw;
    }
    for (std::size_t m = 0; m < images.size() && ranks.first(); ++m) {
        made(request.numbers[m], *images.of[m]);
    }
    return static_cast<int>(request.numbers.size());
}

}  // namespace tof
