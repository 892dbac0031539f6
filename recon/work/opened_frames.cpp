// SPDX-License-Identifier: Apache-2.0
#include "recon/work/opened_frames.h"

#include <utility>

#include "recon/kinetics/parametric_images.h"

namespace tof {

OpenedFrames readFrames(const RecognisedFile& file, const VolumeReadOptions& choice, WorkProgress& progress,
                        std::size_t bytes) {
    OpenedFrames opened;
    opened.info = file.readDynamicInfo(choice);
    const std::size_t count = opened.info.frames.size();
    const auto read = [&](std::size_t frame) {
        VolumeReadOptions asked = choice;
        asked.frame = static_cast<int>(frame) + 1;
        return file.readVolumeResult(asked);
    };
    VolumeReadResult one = read(0);
    opened.uptake = one.uptake;
    opened.name = one.name;
    opened.note = one.note;
    opened.statedFactor = one.statedFactor;
    if (sizeof(float) * count * opened.info.lattice.voxels() <= bytes) {
        DynamicReadResult whole = file.readDynamicImage(choice);
        opened.note = std::move(whole.note);
        for (std::vector<float>& values : whole.image.values) {
            auto frame = std::make_shared<Volume>();
            frame->lattice = opened.info.lattice;
            frame->units = opened.info.units;
            frame->data = std::move(values);
            opened.frames.push_back(std::move(frame));
        }
    }
    const auto report = progress.begin("frames");
    opened.mean = std::make_shared<const Volume>(
        meanOfFrames(opened.info, 0, count - 1, [&](std::size_t frame) -> const std::vector<float>& {
            report(static_cast<double>(frame) / static_cast<double>(count));
            if (!opened.frames.empty()) {
                return opened.frames[frame]->data;
            }
            if (frame > 0) {
                one = read(frame);
            }
            return one.volume.data;
        }));
    return opened;
}

}  // namespace tof
