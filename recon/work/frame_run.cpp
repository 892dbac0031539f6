// SPDX-License-Identifier: Apache-2.0
#include "recon/work/frame_run.h"

#include <algorithm>
#include <span>
#include <utility>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/other_counts.h"

namespace tof {

namespace {

const FramedCounts* framesOf(const Measurement& data) {
    const std::shared_ptr<const HistoData> histo = histoData(&data);
    return histo != nullptr ? histo->frames.get() : nullptr;
}

/// The data of one frame after the other, which keep what their sensitivities are.
class FrameData : public OtherCounts {
  public:
    FrameData(std::shared_ptr<DataSource> source, Space& space, std::size_t size, int threads)
        : OtherCounts(std::move(source), space, size, threads), space_(space) {}

    [[nodiscard]] ConstView knownSensitivity(std::span<const std::size_t> parts) override {
        const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
            return std::equal(kept.parts.begin(), kept.parts.end(), parts.begin(), parts.end());
        });
        return known != kept_.end() ? ConstView(known->image.view()) : OtherCounts::knownSensitivity(parts);
    }
    /// Where memory is short they are found again.
    void sensitivityFound(std::span<const std::size_t> parts, ConstView sensitivity) override {
        OtherCounts::sensitivityFound(parts, sensitivity);
        constexpr std::size_t kHeadRoom = 8;
        if (space_.bytesFree() > kHeadRoom * sensitivity.size * sizeof(float)) {
            kept_.push_back({{parts.begin(), parts.end()}, space_.allocate(sensitivity.size)});
            space_.copy(sensitivity, kept_.back().image.view());
        }
    }

  private:
    struct Kept {
        std::vector<std::size_t> parts;
        Array image;
    };

    Space& space_;
    std::vector<Kept> kept_;
};

/// Keeps the last iterate of a frame; passes on what may pause or end the run.
class FrameControl : public RunControl {
  public:
    explicit FrameControl(JobListener& listener) : listener_(listener) {}

    void checkpoint() override { listener_.checkpoint(); }
    [[nodiscard]] bool finishRequested() override { return listener_.finishRequested(); }
    void notice(const std::string& sentence) override {
        if (!told_) {  // frames are alike: once will do
            listener_.notice(sentence);
        }
        told_ = true;
    }
    void iterateDone(Iterate iterate) override { image_ = std::move(iterate.image); }
    [[nodiscard]] const std::shared_ptr<const Volume>& image() const { return image_; }

  private:
    JobListener& listener_;
    std::shared_ptr<const Volume> image_;
    bool told_ = false;
};

/// The image of all frames with the counts of one.
std::vector<float> sharedOut(const Volume& sum, double share) {
    std::vector<float> image(sum.data.size());
    for (std::size_t i = 0; i < image.size(); ++i) {
        image[i] = static_cast<float>(share * static_cast<double>(sum.data[i]));
    }
    return image;
}

}  // namespace

void requireFrames(const Measurement& data) {
    if (frameCount(data) == 0) {
        throw WrongUse("the data are not cut by time; bin the list --to histo with --frames");
    }
}

int frameCount(const Measurement& data) {
    const FramedCounts* const frames = framesOf(data);
    return frames != nullptr ? static_cast<int>(frames->frames.size()) : 0;
}

int makeFrames(const FrameRunRequest& request, const Measurement& data, Projector& projector,
               const std::shared_ptr<DataSource>& source, JobListener& listener,
               const std::function<void(int number, const Volume& image)>& made) {
    requireFrames(data);
    const HistoData& histo = *histoData(&data);
    const auto all = static_cast<double>(histo.kept);
    std::vector<float> counts(histo.views.size() * histo.voxels());
    FrameData frameData(source, projector.space(), counts.size(), request.threads);
    FrameControl control(listener);
    int done = 0;
    for (const int number : request.numbers) {
        if (listener.finishRequested()) {
            break;
        }
        listener.shareReady("frames",
                            static_cast<double>(done) / static_cast<double>(request.numbers.size()));
        const FrameCounts& frame = histo.frames->frames.at(static_cast<std::size_t>(number - 1));
        if (frame.kept == 0) {
            Volume zero(data.lattice(), 0.0F);
            zero.units = request.units;
            made(number, zero);
            ++done;
            continue;
        }
        frame.expandInto(counts, histo.voxels());
        const double share = static_cast<double>(frame.kept) / all;
        frameData.use(counts, static_cast<float>(share));
        Reconstruction reconstruction(projector, frameData, data.lattice(), request.algorithm, request.order,
                                      control);
        reconstruction.setUnits(request.units);
        if (request.start == FrameStart::Sum) {
            reconstruction.startFrom(sharedOut(*request.sum, share), 0);
        }
        if (reconstruction.run(control) < request.algorithm.iterations && control.finishRequested()) {
            break;  // a frame with fewer iterations is not like the others
        }
        made(number, *control.image());
        ++done;
    }
    return done;
}

}  // namespace tof
