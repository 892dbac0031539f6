// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "gpu/published/published_projectors.h"
#include "gpu/published/texture_kernels.h"
#include "gpu/published/textures.h"

namespace tof {

namespace {

/// Multiply-adds per clock and multiprocessor that these kernels reach at least, for cutting launches short.
constexpr double kTextureMacsPerClock = 2;

class TextureProjector : public PlainCudaProjector {
  public:
    TextureProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                     const std::vector<KernelFrame>& frames, TextureKernel kernel)
        : PlainCudaProjector(model, std::move(space), frames),
          kernel_(kernel),
          volume_(model.lattice.size[0], model.lattice.size[1], model.lattice.size[2]) {
        std::size_t all = 0;
        for (std::size_t v = 0; v < model.views.size(); ++v) {
            layout_.begin.push_back(all);
            layout_.rowStride.push_back(tables().tapCount(v));
            layout_.tapStride.push_back(1);
            all += static_cast<std::size_t>(tables().rows(v)) * tables().taps(v).size();
            ids_.push_back(makeIdTexture(tables().ids(v), model.lattice.size[0], model.lattice.size[1],
                                         tables().idPitch()));
        }
        values_ = cuda().buffer<float>(all, "the kernel values");
        tables().computeValues(layout_, values_.span());
    }

  protected:
    void project(Direction direction, std::size_t view, ConstView from, MutableView to,
                 Write write) override {
        const Lattice& grid = model().lattice;
        volume_.fill(onDevice(from), cuda().stream());
        device::TextureWork work;
        work.image = volume_.get();
        work.ids = ids_[view].get();
        work.mSR = tables().taps(view);
        work.mSRval = values_.span().from(layout_.begin[view]);
        work.taps = tables().tapCount(view);
        for (std::size_t k = 0; k < 3; ++k) {
            work.size[k] = grid.size[k];
        }
        work.out = onDevice(to);
        work.write = write;
        const device::Gather gather =
            direction == Direction::Back ? device::Gather::ByTarget : device::Gather::BySource;
        const int step = slicesPerLaunch(view, kTextureMacsPerClock, 16);
        for (work.zBegin = 0; work.zBegin < grid.size[2]; work.zBegin = work.zEnd) {
            work.zEnd = std::min(grid.size[2], work.zBegin + step);
            if (kernel_ == TextureKernel::Tlp) {
                device::projectTlp(cuda().stream(), work, gather);
            } else {
                device::projectIlp(cuda().stream(), work, gather);
            }
        }
    }
    [[nodiscard]] std::size_t ownBytes() const override { return values_.bytes() + volume_.bytes(); }

  private:
    TextureKernel kernel_;
    VolumeTexture volume_;
    std::vector<OwnedTexture> ids_;
    HistoTables::Layout layout_;
    DeviceBuffer<float> values_;
};

}  // namespace

std::unique_ptr<Projector> makeTextureProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                                                TextureKernel kernel) {
    const std::vector<KernelFrame> frames = kernelFrames(model, *space);
    return std::make_unique<TextureProjector>(model, std::move(space), frames, kernel);
}

}  // namespace tof
