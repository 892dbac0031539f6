// SPDX-License-Identifier: Apache-2.0
#include "recon/data/framed_counts.h"

#include <algorithm>

#include "recon/base/error.h"
#include "recon/physics/nuclide.h"

namespace tof {

void FrameCounts::expandInto(std::span<float> counts, std::size_t voxelsPerView) const {
    if (firsts.empty() || counts.size() != (firsts.size() - 1) * voxelsPerView ||
        voxels.size() != firsts.back()) {
        throw InternalError("a frame does not fit its views");
    }
    std::fill(counts.begin(), counts.end(), 0.0F);
    for (std::size_t view = 0; view + 1 < firsts.size(); ++view) {
        float* const out = counts.data() + view * voxelsPerView;
        for (std::uint64_t i = firsts[view]; i < firsts[view + 1]; ++i) {
            out[voxels[i]] += 1.0F;
        }
    }
}

double FramedCounts::halfLife_s() const {
    return nuclide.empty() ? 0.0 : petNuclide(nuclide).halfLife_s;
}

double FramedCounts::decayFactorOf(std::size_t frame) const {
    return nuclide.empty() ? 1.0 : decayFactor(frames.at(frame).time, halfLife_s());
}

double FramedCounts::concentrationPerEmission(std::size_t frame, double voxel_mm3) const {
    constexpr double kMm3PerMl = 1000;
    const double perMlAndS = kMm3PerMl / voxel_mm3 / frames.at(frame).time.duration_s;
    return nuclide.empty() ? perMlAndS : perMlAndS / petNuclide(nuclide).branching * decayFactorOf(frame);
}

}  // namespace tof
