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

void requireFrames(const Measurement& data) {
    if (frameCount(data) == 0) {
        throw WrongUse("the data are not cut by time; bin the list with --frames or --gates");
    }
}

int frameCount(const Measurement& data) {
    const std::shared_ptr<const FramedCounts> frames = data.frames();
    return frames != nullptr ? static_cast<int>(frames->frames.size()) : 0;
}

std::vector<float> startOfFrame(const FrameRunRequest& request, const FramedCounts& frames,
                                std::size_t index) {
    std::vector<float> image;
    if (request.start == FrameStart::Sum) {
        const double share =
            static_cast<double>(frames.frames.at(index).kept) / static_cast<double>(frames.kept());
        for (const float value : request.sum->data) {
            image.push_back(static_cast<float>(share * static_cast<double>(value)));
        }
    }
    return image;
}

int makeFrames(const FrameRunRequest& request, const Measurement& data, Projector& projector,
               const std::shared_ptr<DataSource>& source, JobListener& listener,
               const std::function<void(int number, const Volume& image)>& made) {
    requireFrames(data);
    const std::shared_ptr<const FramedCounts> frames = data.frames();
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
        if (frames->frames.at(index).kept == 0) {
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
        } else if (const std::vector<float> start = startOfFrame(request, *frames, index); !start.empty()) {
            reconstruction.startFrom(start, 0);
        }
        try {
            if (reconstruction.run(control) < request.algorithm.iterations && control.finishRequested()) {
                break;  // a frame with fewer iterations is not like the others
            }
        } catch (const Cancelled&) {
            if (request.reached && control.at().iteration > 0) {
                request.reached({{number, control.at()}});
            }
            throw;
        }
        made(number, *control.at().image);
        ++done;
    }
    return done;
}

}  // namespace tof
