// SPDX-License-Identifier: Apache-2.0
// Small data that are cut by time.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "recon/data/framed_counts.h"
#include "recon/simulate/poisson.h"
#include "tests/support/small_data.h"

namespace tof::test {

/// Counts as a frame keeps them.
inline FrameCounts frameOf(const TimeFrame& time, const std::vector<float>& counts, std::size_t voxels) {
    FrameCounts frame;
    frame.time = time;
    frame.firsts.push_back(0);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        frame.voxels.insert(frame.voxels.end(), static_cast<std::size_t>(counts[i]),
                            static_cast<std::uint32_t>(i % voxels));
        if ((i + 1) % voxels == 0) {
            frame.firsts.push_back(frame.voxels.size());
        }
    }
    frame.kept = frame.voxels.size();
    return frame;
}

/// Data whose counts come in frames, `scales` times as many as `data` have in each; add is their sum's.
inline std::shared_ptr<HistoData> framedData(
    const std::vector<TimeFrame>& times, const std::vector<double>& scales, const std::string& nuclide,
    std::shared_ptr<HistoData> data = smallData(KernelSpec::preset("invariant"))) {
    const std::vector<float> expected = data->counts;
    auto framed = std::make_shared<FramedCounts>();
    framed->nuclide = nuclide;
    std::fill(data->counts.begin(), data->counts.end(), 0.0F);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::vector<float> counts = poissonCounts(expected, scales[i], 7 + i, ThreadPool(1));
        framed->frames.push_back(frameOf(times[i], counts, data->voxels()));
        data->kept += framed->frames.back().kept;
        std::transform(counts.begin(), counts.end(), data->counts.begin(), data->counts.begin(),
                       std::plus<>());
    }
    const double all = std::accumulate(scales.begin(), scales.end(), 0.0);
    for (float& add : data->add) {
        add *= static_cast<float>(all);
    }
    data->frames = framed;
    data->hash = "framed";
    return data;
}

}  // namespace tof::test
