// SPDX-License-Identifier: Apache-2.0
#include "recon/data/time_frame.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <numbers>

#include "recon/physics/nuclide.h"

namespace tof {

std::string framesFault(const std::vector<TimeFrame>& frames) {
    constexpr double kRounded_s = 1e-6;
    constexpr double kLongest_s = 1e8;  // three years
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const TimeFrame& frame = frames[i];
        if (!(std::abs(frame.start_s) < kLongest_s && frame.duration_s > 0 &&
              frame.duration_s < kLongest_s)) {
            return fmt::format(
                "frame {} starts at {:g} s and takes {:g} s, which must be below {:g} s, and above 0", i + 1,
                frame.start_s, frame.duration_s, kLongest_s);
        }
        if (i > 0 && frame.start_s < frames[i - 1].end_s() - kRounded_s) {
            return fmt::format("frame {} starts at {:g} s, before frame {} ends at {:g} s", i + 1,
                               frame.start_s, i, frames[i - 1].end_s());
        }
    }
    return frames.empty() ? "there are no frames" : "";
}

double decayFactor(const TimeFrame& frame, double halfLife_s, double reference_s) {
    return std::exp(std::numbers::ln2 / halfLife_s * (frame.start_s - reference_s)) *
           startOverMean(frame.duration_s, halfLife_s);
}

}  // namespace tof
