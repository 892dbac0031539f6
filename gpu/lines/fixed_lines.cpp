// SPDX-License-Identifier: Apache-2.0
// `siddon` and `joseph`: sums in 64-bit fixed point. Paths in double precision for any model, or for
// sinograms those of events.
#include "gpu/lines/device_lines.h"
#include "gpu/lines/event_kernels.h"
#include "gpu/lines/line_kernels.h"
#include "gpu/lines/line_strategies.h"

namespace tof {

namespace {

enum class Paths { Double, OfEvents };

class FixedLines : public LineStrategy {
  public:
    FixedLines(const LineWork& work, Paths paths)
        : space_(work.space),
          size_(work.model.lattice.size),
          paths_(paths),
          lines_(work, EventOrder::AsTheyCome),
          sums_(space_.buffer<device::FixedSum>(work.model.lattice.voxels(), "fixed-point sums")),
          scale_(space_.buffer<device::FixedScale>(1, "unit of a fixed point")) {
        check(cudaMemsetAsync(sums_.get(), 0, sums_.bytes(), space_.stream()), "clear sums");
    }

    void forward(std::size_t index, DeviceSpan<const float> image, DeviceSpan<float> p) override {
        const device::LinePart part = lines_.part(index);
        if (paths_ == Paths::OfEvents) {
            device::binForward(space_.stream(), part, lines_.eventTable(), image, p);
        } else {
            device::lineForward(space_.stream(), part, image, p);
        }
    }

    void back(std::size_t index, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        device::LinePart part = lines_.part(index);
        // z fastest in the sums: lanes of a warp are sinograms on one transverse path.
        part.op.grid.stride[0] = size_[2];
        part.op.grid.stride[1] = size_[2] * size_[0];
        part.op.grid.stride[2] = 1;
        const cudaStream_t stream = space_.stream();
        device::lineScale(stream, part, p, scale_.span());
        if (paths_ == Paths::OfEvents) {
            device::binBackFixed(stream, part, lines_.eventTable(), p, scale_.span(), sums_.span());
        } else {
            device::lineBackFixed(stream, part, p, scale_.span(), sums_.span());
        }
        device::lineFinishFixed(stream, part, size_, scale_.span(), sums_.span(), write, image);
    }

    [[nodiscard]] std::size_t bytes() const override { return lines_.bytes() + sums_.bytes(); }

  private:
    CudaSpace& space_;
    std::array<int, 3> size_;
    Paths paths_;
    DeviceLines lines_;
    DeviceBuffer<device::FixedSum> sums_;
    DeviceBuffer<device::FixedScale> scale_;
};

}  // namespace

std::unique_ptr<LineStrategy> makeBinLines(const LineWork& work) {
    if (work.lines.michelogram() == nullptr || !shortPaths(work)) {
        return nullptr;
    }
    return std::make_unique<FixedLines>(work, Paths::OfEvents);
}

std::unique_ptr<LineStrategy> makeFixedLines(const LineWork& work) {
    for (const auto make : {makeStackLines, makeTileLines, makeStreamedLines, makeBinLines}) {
        if (auto strategy = make(work)) {
            return strategy;
        }
    }
    return std::make_unique<FixedLines>(work, Paths::Double);
}

}  // namespace tof
