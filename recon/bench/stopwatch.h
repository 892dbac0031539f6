// SPDX-License-Identifier: Apache-2.0
// What measurements of a run have in common.
#pragma once

#include <chrono>
#include <utility>
#include <vector>

#include "recon/seam/run_control.h"

namespace tof {

/// Seconds since a moment.
[[nodiscard]] inline double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Keeps the times of whole iterations and nothing else.
class Stopwatch : public RunControl {
  public:
    void iterateDone(Iterate iterate) override {
        iterate.image.reset();
        iterates.push_back(std::move(iterate));
    }
    std::vector<Iterate> iterates;
};

}  // namespace tof
