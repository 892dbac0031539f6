// SPDX-License-Identifier: Apache-2.0
// `siddon-atomics` for lists: events in single precision, sums in squares of 2 x 2 columns.
#include <algorithm>

#include "gpu/lines/device_lines.h"
#include "gpu/lines/event_kernels.h"
#include "gpu/lines/line_strategies.h"

namespace tof {

namespace {

class BrickLines : public LineStrategy {
  public:
    explicit BrickLines(const LineWork& work) : space_(work.space), lines_(work, EventOrder::Nearby) {
        const auto& size = work.model.lattice.size;
        bricks_ = space_.buffer<float4>(device::brickCount(size), "squares of the image");
        check(cudaMemsetAsync(bricks_.get(), 0, bricks_.bytes(), space_.stream()), "clear sums");
        image_ = {bricks_.span(), {size[0], size[1], size[2]}};
    }

    void forward(std::size_t part, DeviceSpan<const float> image, DeviceSpan<float> p) override {
        device::eventForward(space_.stream(), lines_.part(part), lines_.eventTable(), image, p);
    }
    void back(std::size_t part, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        if (write == Write::Overwrite) {
            device::fill(space_.launch(), image, 0.0F);
        }
        device::eventBackAtomic(space_.stream(), lines_.part(part), lines_.eventTable(), p, image_);
        device::eventFinishAtomic(space_.stream(), image_, image);
    }
    [[nodiscard]] std::size_t bytes() const override { return lines_.bytes() + bricks_.bytes(); }

  private:
    CudaSpace& space_;
    DeviceLines lines_;
    DeviceBuffer<float4> bricks_;
    device::BrickImage image_;
};

}  // namespace

std::unique_ptr<LineStrategy> makeBrickLines(const LineWork& work) {
    const auto& size = work.model.lattice.size;
    const bool small = *std::max_element(size.begin(), size.end()) <= device::kMostSide;
    if (work.lines.events() == nullptr || !small || !shortPaths(work)) {
        return nullptr;
    }
    return std::make_unique<BrickLines>(work);
}

}  // namespace tof
