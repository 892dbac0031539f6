// SPDX-License-Identifier: Apache-2.0
// A dynamic image for somebody who looks at it frame by frame.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/work_progress.h"
#include "recon/data/dynamic_image.h"
#include "recon/io/format_table.h"

namespace tof {

/// Bytes up to which an image is kept with all of its frames.
inline constexpr std::size_t kFramesInMemory = std::size_t{1} << 30U;

struct OpenedFrames {
    DynamicInfo info;
    /// All of them; empty where they are more than may be kept: readVolume() with their number reads one.
    std::vector<std::shared_ptr<const Volume>> frames;
    std::shared_ptr<const Volume> mean;  ///< the mean over all frames (meanOfFrames())
    std::optional<Uptake> uptake;        ///< note, uptake and name are as VolumeReadResult has them
    std::string name;
    std::string note;
    double statedFactor = 1;  ///< as VolumeReadResult has it
};

/// Reads an image that holdsFrames(): whole up to so many `bytes`, else one frame after the other. Throws
/// BadInput, and Cancelled from `progress`.
[[nodiscard]] OpenedFrames readFrames(const RecognisedFile& file, const VolumeReadOptions& choice,
                                      WorkProgress& progress, std::size_t bytes = kFramesInMemory);

}  // namespace tof
