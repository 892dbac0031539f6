// SPDX-License-Identifier: Apache-2.0
// Times that a card takes, for benchmarks.
#pragma once

#include <functional>
#include <numeric>

#include "gpu/space/cuda_check.h"
#include "gpu/space/cuda_owned.h"
#include "recon/seam/run_control.h"

namespace tof {

/// Milliseconds that the device takes for work given to a stream.
[[nodiscard]] inline double deviceMilliseconds(cudaStream_t stream, const std::function<void()>& work) {
    const OwnedEvent begin = makeEvent(EventUse::Timed);
    const OwnedEvent end = makeEvent(EventUse::Timed);
    check(cudaEventRecord(begin.get(), stream), "bench");
    work();
    check(cudaEventRecord(end.get(), stream), "bench");
    check(cudaEventSynchronize(end.get()), "bench");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin.get(), end.get()), "bench");
    return static_cast<double>(ms);
}

/// Seconds of an iteration without what brings its image to the host.
[[nodiscard]] inline double deviceSeconds(const Iterate& iterate) {
    return std::accumulate(iterate.stageSeconds.begin(), iterate.stageSeconds.end(), 0.0) -
           iterate.stageSeconds[static_cast<std::size_t>(Stage::Download)];
}

}  // namespace tof
