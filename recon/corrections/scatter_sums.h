// SPDX-License-Identifier: Apache-2.0
// The sum over scatter points and pairs of detectors, and who may compute it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/corrections/single_scatter.h"

namespace tof {

/// A line between two coarse detectors.
struct ScatterPair {
    std::uint32_t one = 0;
    std::uint32_t two = 0;
    double distance = 0;  ///< mm
    double direct = 0;    ///< product of both slab responses for the line itself
};

/// All that the sum is made of, in host memory.
struct ScatterProblem {
    ScatterTables tables;  ///< with pointers to host memory
    std::size_t detectors = 0;
    std::vector<double> strengths;  ///< strengths of the scatter points
    std::vector<ScatterRay> rays;   ///< [point][detector]
    std::vector<float> activity;    ///< [point][detector][sample], emissions per mm3 times the step
    std::vector<ScatterPair> pairs;
    double first_mm = 0;      ///< first place along lines, from their middles
    std::int32_t places = 0;  ///< along every line, tables.step_mm apart
};

struct ScatterSums {
    std::vector<float> values;  ///< [pair][place]
};

/// Fills the sums, which come empty. `progress` gets the share done and may throw Cancelled.
using ScatterSummer =
    std::function<void(const ScatterProblem&, ScatterSums&, const std::function<void(double)>& progress)>;

/// An engine that adds up faster than the host does, up to the rounding of sums (Engine::offers).
class SumsScatter {
  public:
    virtual ~SumsScatter() = default;
    [[nodiscard]] virtual ScatterSummer scatterSums(int device) const = 0;
};

/// By the pool's threads, the same for any number of them.
void addUpScatter(const ScatterProblem& problem, ScatterSums& sums, const ThreadPool& pool,
                  const std::function<void(double)>& progress);

}  // namespace tof
