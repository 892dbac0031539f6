// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <vector>

#include "gpu/histo/column_float_kernels.h"
#include "gpu/histo/cuda_histo_projector.h"

namespace tof {

namespace {

constexpr double kFloatMacsPerClock = 12;

/// In-plane offset in order of y, x; used to bring the taps of an offset together.
bool inPlaneOrder(const KernelTap& a, const KernelTap& b) {
    return a.y != b.y ? a.y < b.y : a.x != b.x ? a.x < b.x : a.z < b.z;
}

class ColumnFloatProjector : public PlainCudaProjector {
  public:
    ColumnFloatProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                         const std::vector<KernelFrame>& frames)
        : PlainCudaProjector(model, std::move(space), frames) {
        std::copy(model.lattice.size.begin(), model.lattice.size.end(), size_);
        for (const KernelFrame& frame : frames) {
            shape_.hx = std::max(shape_.hx, frame.half[0]);
            shape_.hy = std::max(shape_.hy, frame.half[1]);
            shape_.hz = std::max(shape_.hz, frame.half[2]);
        }
        shape_.px = size_[0] + 2 * shape_.hx;
        shape_.py = size_[1] + 2 * shape_.hy;
        zBlocks_ = (size_[2] + device::kColumnDepth - 1) / device::kColumnDepth;
        shape_.pz = zBlocks_ * device::kColumnDepth + 2 * shape_.hz;
        const std::size_t plane = static_cast<std::size_t>(shape_.px) * static_cast<std::size_t>(shape_.py);
        padded_ = cuda().buffer<float>(plane * static_cast<std::size_t>(shape_.pz), "the padded volume");
        ids_ = cuda().buffer<std::int32_t>(plane * model.views.size(), "the padded maps of kernel ids");
        check(cudaMemsetAsync(padded_.get(), 0, padded_.bytes(), cuda().stream()), "clear the padded volume");
        check(cudaMemsetAsync(ids_.get(), 0, ids_.bytes(), cuda().stream()), "clear the padded maps");
        for (std::size_t v = 0; v < model.views.size(); ++v) {
            device::padIds(cuda().stream(), tables().ids(v), tables().idPitch(), size_, shape_,
                           ids_.span().part(v * plane, plane));
        }
        makeRuns(frames);
    }

  protected:
    void project(Direction direction, std::size_t view, ConstView from, MutableView to,
                 Write write) override {
        device::padVolume(cuda().launch(), onDevice(from), size_, shape_, padded_.span());
        device::ColumnFloatWork work;
        const bool back = direction == Direction::Back;
        work.padded = padded_.span();
        work.ids = ids_.span().from(view * static_cast<std::size_t>(shape_.px) *
                                    static_cast<std::size_t>(shape_.py));
        work.runs = runs_.span().part(runBegin_[view] * 2 + (back ? 0 : runCount_[view]), runCount_[view]);
        work.runCount = static_cast<int>(runCount_[view]);
        work.values = values_.span().from(back ? layout_.begin[view] : forwardLayout_.begin[view]);
        work.rows = tables().rows(view);
        work.shape = shape_;
        std::copy(size_, size_ + 3, work.size);
        work.out = onDevice(to);
        work.write = write;
        const int step =
            slicesPerLaunch(view, kFloatMacsPerClock, device::kColumnDepth) / device::kColumnDepth;
        for (work.zBlockBegin = 0; work.zBlockBegin < zBlocks_; work.zBlockBegin += work.zBlocks) {
            work.zBlocks = std::min(std::max(step, 1), zBlocks_ - work.zBlockBegin);
            device::projectColumnFloat(cuda().launch(), work,
                                       back ? device::Gather::ByTarget : device::Gather::BySource);
        }
    }
    [[nodiscard]] std::size_t ownBytes() const override {
        return padded_.bytes() + ids_.bytes() + runs_.bytes() + values_.bytes();
    }

  private:
    /// Runs for back and forward of every view, and the values in the order in which each reads them.
    void makeRuns(const std::vector<KernelFrame>& frames) {
        std::vector<device::TapRun> runs;
        std::vector<std::int32_t> backOrder(tables().allTaps());
        std::vector<std::int32_t> forwardOrder(tables().allTaps());
        const int plane = shape_.px * shape_.py;
        std::size_t all = 0;
        for (std::size_t v = 0; v < parts(); ++v) {
            const std::vector<KernelTap>& taps = frames[v].taps;
            const int count = tables().tapCount(v);
            std::vector<std::size_t> sorted(taps.size());
            std::iota(sorted.begin(), sorted.end(), std::size_t{0});
            std::sort(sorted.begin(), sorted.end(),
                      [&](std::size_t a, std::size_t b) { return inPlaneOrder(taps[a], taps[b]); });
            std::vector<device::TapRun> back;
            std::vector<device::TapRun> forward;
            const auto tapAt = [&](int place) { return taps[sorted[static_cast<std::size_t>(place)]]; };
            for (int begin = 0; begin < count;) {
                const KernelTap low = tapAt(begin);
                int end = begin + 1;
                while (end < count && tapAt(end).x == low.x && tapAt(end).y == low.y) {
                    ++end;
                }
                const int length = end - begin;
                const int inPlane = low.y * shape_.px + low.x;
                back.push_back({low.z * plane + inPlane, inPlane, begin, length});
                forward.push_back({-(low.z + length - 1) * plane - inPlane, -inPlane, begin, length});
                for (int i = begin; i < end; ++i) {
                    const auto tap = tables().tapBegin(v) + sorted[static_cast<std::size_t>(i)];
                    backOrder[tap] = i;
                    forwardOrder[tap] = end - 1 - (i - begin);
                }
                begin = end;
            }
            runBegin_.push_back(runs.size() / 2);
            runCount_.push_back(back.size());
            runs.insert(runs.end(), back.begin(), back.end());
            runs.insert(runs.end(), forward.begin(), forward.end());
            for (HistoTables::Layout* layout : {&layout_, &forwardLayout_}) {
                layout->rowStride.push_back(1);
                layout->tapStride.push_back(tables().rows(v));
            }
            layout_.begin.push_back(all);
            all += static_cast<std::size_t>(tables().rows(v)) * taps.size();
        }
        for (const std::size_t begin : layout_.begin) {
            forwardLayout_.begin.push_back(begin + all);
        }
        runs_ = cuda().uploaded(runs, "the runs of taps");
        values_ = cuda().buffer<float>(2 * all, "the kernel values");
        for (const auto& [layout, list] :
             {std::pair{&layout_, &backOrder}, std::pair{&forwardLayout_, &forwardOrder}}) {
            const auto order = cuda().uploaded(*list, "the order of the taps");
            layout->order = order.span();
            tables().computeValues(*layout, values_.span());
            layout->order = {};
        }
    }

    int size_[3] = {0, 0, 0};
    device::PaddedShape shape_;
    int zBlocks_ = 0;
    DeviceBuffer<float> padded_;
    DeviceBuffer<std::int32_t> ids_;
    DeviceBuffer<device::TapRun> runs_;
    std::vector<std::size_t> runBegin_;  ///< in runs of one direction
    std::vector<std::size_t> runCount_;
    HistoTables::Layout layout_;
    HistoTables::Layout forwardLayout_;
    DeviceBuffer<float> values_;
};

}  // namespace

std::unique_ptr<Projector> makeColumnFloatProjector(const DirectModel& model,
                                                    std::shared_ptr<CudaSpace> space) {
    const std::vector<KernelFrame> frames = kernelFrames(model, *space);
    return std::make_unique<ColumnFloatProjector>(model, std::move(space), frames);
}

}  // namespace tof
