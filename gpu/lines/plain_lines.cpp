// SPDX-License-Identifier: Apache-2.0
// Straight into the image, in double precision: `siddon-atomics` for sinograms.
#include "gpu/lines/device_lines.h"
#include "gpu/lines/line_kernels.h"
#include "gpu/lines/line_strategies.h"

namespace tof {

namespace {

class PlainLines : public LineStrategy {
  public:
    PlainLines(const LineWork& work, PlainBack kernel)
        : space_(work.space), lines_(work, EventOrder::AsTheyCome), back_(kernel) {}

    void forward(std::size_t part, DeviceSpan<const float> image, DeviceSpan<float> p) override {
        device::lineForward(space_.stream(), lines_.part(part), image, p);
    }
    void back(std::size_t part, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        if (write == Write::Overwrite) {
            device::fill(space_.launch(), image, 0.0F);
        }
        back_(space_.stream(), lines_.part(part), p, image);
    }
    [[nodiscard]] std::size_t bytes() const override { return lines_.bytes(); }

  private:
    CudaSpace& space_;
    DeviceLines lines_;
    PlainBack back_;
};

}  // namespace

std::unique_ptr<LineStrategy> makePlainLines(const LineWork& work, PlainBack back) {
    return std::make_unique<PlainLines>(work, back);
}

std::unique_ptr<LineStrategy> makeAtomicLines(const LineWork& work) {
    if (auto bricks = makeBrickLines(work)) {
        return bricks;
    }
    return makePlainLines(work, device::lineBackAtomic);
}

}  // namespace tof
