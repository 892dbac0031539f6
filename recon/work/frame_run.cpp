// SPDX-License-Identifier: Apache-2.0
#include "recon/work/frame_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/work/frame_places.h"

namespace tof {

namespace {

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
        throw WrongUse("the data are not cut by time; bin the list with --frames or --gates");
    }
}

int frameCount(const Measurement& data) {
    const std::shared_ptr<const FramedCounts> frames = data.frames();
    return frames != nullptr ? static_cast<int>(frames->frames.size()) : 0;
}

int makeFrames(const FrameRunRequest& request, const Measurement& data, Projector& projector,
               const std::shared_ptr<DataSource>& source, JobListener& listener,
               const std::function<void(int number, const Volume& image)>& made) {
    requireFrames(data);
    const std::shared_ptr<const FramedCounts> frames = data.frames();
    const auto all = static_cast<double>(frames->kept());
    FramePlaces places(request, data, projector, source, FramesStay::Last);
    FrameControl control(listener);
    int done = 0;
    for (const int number : request.numbers) {
        if (listener.finishRequested()) {
            break;
        }
        listener.shareReady("frames",
                            static_cast<double>(done) / static_cast<double>(request.numbers.size()));
        const auto index = static_cast<std::size_t>(number - 1);
        const auto kept = static_cast<double>(frames->frames.at(index).kept);
        if (kept == 0) {
            Volume zero(data.lattice(), 0.0F);
            zero.units = request.units;
            made(number, zero);
            ++done;
            continue;
        }
        const FramePlace place = places.at(index);
        Reconstruction reconstruction(place.projector, place.source, data.lattice(), place.algorithm,
                                      place.order, control);
        reconstruction.setUnits(request.units);
        const std::optional<FramePoint> begun = request.begun ? request.begun(number) : std::nullopt;
        control.begin(begun.value_or(FramePoint()));
        if (begun) {
            reconstruction.startFrom(
                begun->image->data, begun->iteration,
                begun->coefficients != nullptr ? begun->coefficients->data : std::vector<float>());
        } else if (request.start == FrameStart::Sum) {
            reconstruction.startFrom(sharedOut(*request.sum, kept / all), 0);
        }
        try {
            if (reconstruction.run(control) < request.algorithm.iterations && control.finishRequested()) {
                break;  // a frame with fewer iterations is not like the others
            }
        } catch (const Cancelled&) {
            if (request.interrupted && control.at().iteration > 0) {
                request.interrupted(number, control.at());
            }
            throw;
        }
        made(number, *control.at().image);
        ++done;
    }
    return done;
}

}  // namespace tof
