// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "gpu/histo/histo_tables.h"
#include "gpu/space/cuda_space.h"
#include "recon/seam/engine.h"
#include "recon/systems/histo/histo_projector.h"

namespace tof {

/// Which of the two adjoint maps a kernel computes.
enum class Direction { Forward, Back };

/// Appends to a list that all views share and says where this view's part begins.
template <typename T, typename Range>
std::size_t append(std::vector<T>& all, const Range& part) {
    const std::size_t begin = all.size();
    all.insert(all.end(), part.begin(), part.end());
    return begin;
}

/// What all DIRECT strategies on CUDA share: space, LORmap and mSR.
class CudaProjector : public HistoProjector {
  public:
    /// `frames`: kernelFrames() of the model.
    CudaProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                  const std::vector<KernelFrame>& frames)
        : HistoProjector(model),
          space_(std::move(space)),
          tables_(std::make_shared<HistoTables>(model, frames, *space_)) {}
    /// `tables` of the model, which other projectors of the same space may use, too.
    CudaProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                  std::shared_ptr<HistoTables> tables)
        : HistoProjector(model), space_(std::move(space)), tables_(std::move(tables)) {}

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t memoryBytes() const override { return tables_->bytes() + ownBytes(); }

    void forward(std::size_t part, ConstView x, MutableView p) override {
        project(Direction::Forward, part, x, p, Write::Overwrite);
    }

  protected:
    virtual void project(Direction direction, std::size_t view, ConstView from, MutableView to,
                         Write write) = 0;
    [[nodiscard]] virtual std::size_t ownBytes() const = 0;

    [[nodiscard]] CudaSpace& cuda() const { return *space_; }
    [[nodiscard]] HistoTables& tables() { return *tables_; }
    [[nodiscard]] const HistoTables& tables() const { return *tables_; }
    /// Slices of z of a launch for a view, a multiple of `multiple`, so that it stays short.
    [[nodiscard]] int slicesPerLaunch(std::size_t view, double perClock, int multiple) const {
        const int nz = model().lattice.size[2];
        const double macs = static_cast<double>(tables_->tapCount(view)) * static_cast<double>(imageSize());
        const double launches = std::max(1.0, macs / space_->launchBudget(perClock));
        const int slices = static_cast<int>(nz / launches) / multiple * multiple;
        return std::clamp(slices, std::min(multiple, nz), nz);
    }

  private:
    std::shared_ptr<CudaSpace> space_;
    std::shared_ptr<HistoTables> tables_;
};

/// A strategy whose kernels know nothing of attenuation: it takes a pass of its own.
class PlainCudaProjector : public CudaProjector {
  public:
    PlainCudaProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                       const std::vector<KernelFrame>& frames)
        : CudaProjector(model, std::move(space), frames),
          attenuated_(cuda().allocate(model.attenuated ? imageSize() : 0)) {}
    [[nodiscard]] std::size_t memoryBytes() const override {
        return CudaProjector::memoryBytes() + attenuated_.size() * sizeof(float);
    }
    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) override {
        if (att.empty()) {
            project(Direction::Back, part, p, x, write);
            return;
        }
        const MutableView image = write == Write::Add ? attenuated_.view() : x;
        project(Direction::Back, part, p, image, Write::Overwrite);
        cuda().multiply(att, image, image);
        if (write == Write::Add) {
            cuda().accumulate(image, x);
        }
    }

  private:
    Array attenuated_;
};

/// How `column` cuts a view into blocks; for measurements. 0: the projector's own choice.
struct ColumnTuning {
    int along = 0;
    int across = 0;
    int lines = 2;
};
/// Columns of voxels on tensor cores; the stream where that promises to take less or the kernel is too wide;
/// columns in registers where the card or the kernel allows neither.
[[nodiscard]] std::unique_ptr<Projector> makeColumnProjector(const DirectModel& model,
                                                             std::shared_ptr<CudaSpace> space,
                                                             const ColumnTuning& tuning = {});
/// Wide kernels on tensor cores without tables (stream_plan.h); cards of compute capability 9.0. Unsupported
/// with the reason where the card, the build or the kernel does not allow that.
[[nodiscard]] ProjectorOrWhyNot makeStreamProjector(const DirectModel& model,
                                                    std::shared_ptr<CudaSpace> space);
/// A projector, or null where it is not allowed or is estimated to take longer than `clocks` per projection.
[[nodiscard]] std::unique_ptr<Projector> makeFasterStream(const DirectModel& model,
                                                          const std::shared_ptr<CudaSpace>& space,
                                                          const std::vector<KernelFrame>& frames,
                                                          double clocks);
/// Columns of voxels in registers, single precision throughout; any kernel, any card.
[[nodiscard]] std::unique_ptr<Projector> makeColumnFloatProjector(const DirectModel& model,
                                                                  std::shared_ptr<CudaSpace> space);

}  // namespace tof
