// SPDX-License-Identifier: Apache-2.0
// How the lines of two panels are projected on a card: a class per way, each in a file of its own.
#pragma once

#include <functional>
#include <memory>

#include "gpu/space/cuda_space.h"
#include "gpu/space/cuda_strategy.h"
#include "recon/systems/panel/panel_model.h"

namespace tof {

/// Both maps of a model's parts. Work is queued on the stream of the space that it was made for, which
/// outlives it.
class PanelStrategy {
  public:
    PanelStrategy() = default;
    virtual ~PanelStrategy() = default;
    PanelStrategy(const PanelStrategy&) = delete;
    PanelStrategy& operator=(const PanelStrategy&) = delete;

    /// Lines whose `measured` is 0 may be left at 0; empty: all are projected. Places of p that no line has
    /// are not written.
    virtual void forward(std::size_t part, DeviceSpan<const float> image, DeviceSpan<const float> measured,
                         DeviceSpan<float> p) = 0;
    virtual void back(std::size_t part, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) = 0;
    /// Whether forward() makes use of `measured`.
    [[nodiscard]] virtual bool leavesOutUnmeasured() const = 0;
    /// Device memory in use.
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    /// Multiply-adds that one map of a part issues.
    [[nodiscard]] virtual double multiplyAdds(std::size_t part) const = 0;
};

/// As correlations between phases of the image: the same bits every time.
[[nodiscard]] std::unique_ptr<PanelStrategy> makePhaseLines(const PanelModel& model, CudaSpace& space);

/// A row: what a strategy's name stands for.
struct PanelStrategyRow : CudaStrategy {
    std::function<std::unique_ptr<PanelStrategy>(const PanelModel&, CudaSpace&)> make{};
};

}  // namespace tof
