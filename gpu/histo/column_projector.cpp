// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "gpu/histo/column_kernels.h"
#include "gpu/histo/cuda_histo_projector.h"
#include "gpu/histo/plan_chooser.h"
#include "recon/kernel/voxel_average.h"

namespace tof {

namespace {

constexpr std::size_t kWeightsPerLane = 4;  // a uint2 each

/// Pixels of a plan in x and y.
std::vector<device::BlockPixel> inXy(const TilePlan& plan, const std::vector<TilePlan::Pixel>& list) {
    std::vector<device::BlockPixel> result;
    result.reserve(list.size());
    for (const TilePlan::Pixel& p : list) {
        result.push_back(plan.alongY ? device::BlockPixel{p.b, p.a, p.slot, 0}
                                     : device::BlockPixel{p.a, p.b, p.slot, 0});
    }
    return result;
}

/// Origins of a view's blocks in x and y.
std::vector<short2> originsOf(const ViewPlan& view) {
    std::vector<short2> result;
    result.reserve(view.blocks.size());
    for (const auto& [a, l] : view.blocks) {
        result.push_back(view.plan.alongY ? short2{l, a} : short2{a, l});
    }
    return result;
}

class ColumnProjector : public CudaProjector {
  public:
    ColumnProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                    const std::vector<KernelFrame>& frames, const ColumnTuning& tuning)
        : CudaProjector(model, std::move(space), frames) {
        planes_ = model.lattice.size[2] <= kFewPlanes ? kFewPlanes : kManyPlanes;
        const ModelPlans plans = makePlans(frames, tuning);
        usable_ = plans.usable();
        for (const ViewPlan& plan : plans.views) {
            clocks_ += plan.cost / static_cast<double>(plans.views.size());
        }
        if (usable_) {
            sendPlans(plans);
            computeValues(plans.views);
        }
    }

    /// False when this card or this kernel does not allow it; nothing else may be called then.
    [[nodiscard]] bool usable() const { return usable_; }
    /// That a projection takes, roughly; the mean of all views.
    [[nodiscard]] double clocks() const { return clocks_; }

    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) override {
        device::ColumnWork work = workOf(part, p, x);
        work.mult = onDevice(att);
        run(work, device::Gather::ByTarget,
            write == Write::Add ? device::ColumnOutput::Add : device::ColumnOutput::Overwrite);
    }

    void backDiscrepancy(std::size_t part, const PartData& data, Discrepancy kind, ConstView seen,
                         MutableView scratch, MutableView out, Write write) override {
        const MutableView e = scratch.part(0, dataSize(part));
        cuda().stage(Stage::Forward);
        device::ColumnWork work = workOf(part, seen, e);
        work.mult = onDevice(data.mult);
        work.add = onDevice(data.add);
        work.area = cuda().reductionArea();
        work.area.partial = partial_.get();
        run(work, device::Gather::BySource, device::ColumnOutput::Expected);
        cuda().stage(Stage::Discrepancy);
        cuda().ratioOfExpected(data, kind, e);
        cuda().stage(Stage::Back);
        backAttenuated(part, data.att, e, out, write);
        cuda().stageEnd();
    }

  protected:
    void project(Direction direction, std::size_t view, ConstView from, MutableView to,
                 Write write) override {
        run(workOf(view, from, to),
            direction == Direction::Back ? device::Gather::ByTarget : device::Gather::BySource,
            write == Write::Add ? device::ColumnOutput::Add : device::ColumnOutput::Overwrite);
    }
    [[nodiscard]] std::size_t ownBytes() const override {
        return values_.bytes() + pixels_.bytes() + shorts_.bytes() + weights_.bytes() + origins_.bytes() +
               partial_.bytes() + rowShorts_.bytes() + rowLookups_.bytes();
    }

  private:
    [[nodiscard]] device::ColumnWork workOf(std::size_t view, ConstView from, MutableView to) const {
        device::ColumnWork work;
        work.view = views_[view];
        std::copy(model().lattice.size.begin(), model().lattice.size.end(), work.size);
        work.from = onDevice(from);
        work.out = onDevice(to);
        work.allWindows = device::columnWindows(planes_, work.view.reach, work.size[2]);
        return work;
    }

    void run(device::ColumnWork work, device::Gather gather, device::ColumnOutput output) const {
        constexpr double kMacsPerClock = 500;  // of the tensor cores, zero weights counted
        const double macs = 3.0 * 512 * planes_ * work.view.chunks * work.view.groups * work.view.blocks;
        const int most = std::max(1, static_cast<int>(cuda().launchBudget(kMacsPerClock) / macs));
        for (work.windowBegin = 0; work.windowBegin < work.allWindows; work.windowBegin += work.windows) {
            work.windows = std::min(most, work.allWindows - work.windowBegin);
            device::projectColumn(cuda().launch(), work, planes_, gather, output);
        }
    }

    [[nodiscard]] ModelPlans makePlans(const std::vector<KernelFrame>& frames,
                                       const ColumnTuning& tuning) const {
        const cudaDeviceProp& card = cuda().device().properties();
        PlanLimits limits;
        limits.sharedBytes = device::columnSharedLimit(card);
        limits.sharedBytesPerProcessor = card.sharedMemPerMultiprocessor;
        limits.processors = card.multiProcessorCount;
        const PlanShape forced{tuning.along, tuning.across, tuning.lines};
        return choosePlans(
            model(), frames, limits, cuda().pool(),
            tuning.along > 0 ? std::span(&forced, 1) : std::span<const PlanShape>(kPlanShapes));
    }

    /// Where a view's lists begin in those of all views.
    struct ViewLists {
        std::size_t tile, targets, targetOf, origins;
        DeviceSpan<const std::uint16_t> sources, weights;
    };

    void sendPlans(const ModelPlans& plans) {
        std::vector<device::BlockPixel> pixels;
        std::vector<std::uint16_t> shorts;
        std::vector<std::uint16_t> weights;
        std::vector<short2> origins;
        std::vector<std::array<std::size_t, 2>> sharedAt;
        for (const PlanLists& shared : plans.lists) {
            sharedAt.push_back({append(shorts, shared.sources), append(weights, shared.weights)});
        }
        std::vector<ViewLists> lists;
        std::size_t partials = 1;
        for (const ViewPlan& view : plans.views) {
            const TilePlan& plan = view.plan;
            lists.push_back({append(pixels, inXy(plan, plan.tile)),
                             append(pixels, inXy(plan, plan.targets)),
                             append(shorts, plan.targetOf),
                             append(origins, originsOf(view)),
                             {},
                             {}});
            const auto windows =
                static_cast<std::size_t>(device::columnWindows(planes_, plan.reach, model().lattice.size[2]));
            partials = std::max(partials, view.blocks.size() * windows);
        }
        constexpr const char* kWhat = "the plans of the column strategy";
        pixels_ = cuda().uploaded(pixels, kWhat);
        shorts_ = cuda().uploaded(shorts, kWhat);
        weights_ = cuda().uploaded(weights, kWhat);
        origins_ = cuda().uploaded(origins, kWhat);
        partial_ = cuda().buffer<double>(partials, "the partial sums of the column strategy");
        for (std::size_t v = 0; v < lists.size(); ++v) {
            const std::size_t shared = plans.views[v].lists;
            lists[v].sources = shorts_.span().part(sharedAt[shared][0], plans.lists[shared].sources.size());
            lists[v].weights = weights_.span().part(sharedAt[shared][1], plans.lists[shared].weights.size());
            views_.push_back(viewOf(v, plans.views[v], lists[v]));
        }
        listRows();
        device::prepareColumn(device::columnSharedLimit(cuda().device().properties()));
    }

    /// A view as the kernel is given it, but for its rows and values.
    [[nodiscard]] device::ColumnView viewOf(std::size_t v, const ViewPlan& chosen,
                                            const ViewLists& lists) const {
        const TilePlan& plan = chosen.plan;
        device::ColumnView view;
        view.ids = tables().ids(v);
        view.idPitch = tables().idPitch();
        view.rows = tables().rows(v);
        view.taps = plan.taps;
        view.rowStride = plan.rowStride;
        view.tile = pixels_.span().part(lists.tile, plan.tile.size());
        view.slots = static_cast<int>(plan.tile.size());
        view.targets = pixels_.span().part(lists.targets, plan.targets.size());
        view.targetOf = shorts_.span().part(lists.targetOf, plan.targetOf.size());
        view.groups = plan.shape.groups();
        view.sources = lists.sources;
        view.weights = {reinterpret_cast<const uint2*>(lists.weights.get()),
                        lists.weights.size() / kWeightsPerLane};
        view.chunks = plan.chunks;
        view.origins = origins_.span().part(lists.origins, chosen.blocks.size());
        view.blocks = static_cast<int>(chosen.blocks.size());
        for (std::size_t half = 0; half < 2; ++half) {
            view.firstChunk[half] = plan.firstChunk[half];
            view.segmentCount[half] = static_cast<int>(plan.segments[half].size());
            for (std::size_t s = 0; s < plan.segments[half].size(); ++s) {
                view.segments[half][s] = static_cast<std::uint16_t>(
                    plan.segments[half][s].chunks * 4 + static_cast<int>(plan.segments[half][s].after));
            }
            view.mostRows[half] = chosen.mostRows[half];
        }
        view.filter = static_cast<float>(axialGain(model().kernel, model().lattice, 1));
        view.reach = plan.reach;
        return view;
    }

    /// Has the device list which rows of the table every block needs.
    void listRows() {
        constexpr std::size_t kAlign = 8;  // elements: lists are copied by 4 bytes
        std::size_t used = 0;
        const auto forEach = [&](const auto& visit) {
            used = 0;
            for (device::ColumnView& view : views_) {
                for (const std::size_t gather : {std::size_t{0}, std::size_t{1}}) {
                    const int pixels = gather == 0 ? kPlanGroup * view.groups : view.slots;
                    const auto blocks = static_cast<std::size_t>(view.blocks);
                    const std::size_t needed = blocks * static_cast<std::size_t>(view.mostRows[gather]);
                    const std::size_t begin = (used + needed + kAlign - 1) / kAlign * kAlign;
                    const std::size_t count = blocks * static_cast<std::size_t>(pixels);
                    visit(view, gather,
                          device::BlockRows{rowShorts_.span().part(used, needed),
                                            rowShorts_.span().part(begin, count), view.mostRows[gather],
                                            pixels});
                    used = begin + count;
                }
            }
        };
        forEach([](const device::ColumnView&, std::size_t, const device::BlockRows&) {});
        rowShorts_ = cuda().buffer<std::uint16_t>(used, "the lists of table rows");
        std::vector<device::RowLookup> lookups;
        forEach([&](device::ColumnView& view, std::size_t gather, const device::BlockRows& rows) {
            view.blockRows[gather] = rows;
            lookups.push_back(
                device::rowLookup(view, gather == 0 ? device::Gather::ByTarget : device::Gather::BySource));
        });
        rowLookups_ = cuda().uploaded(lookups, "what the lists of table rows are made from");
        device::listBlockRows(cuda().stream(), lookups, rowLookups_.span(),
                              {model().lattice.size[0], model().lattice.size[1]});
    }

    void computeValues(const std::vector<ViewPlan>& plans) {
        std::vector<std::int32_t> order(tables().allTaps());
        HistoTables::Layout layout;
        std::size_t all = 0;
        for (std::size_t v = 0; v < plans.size(); ++v) {
            const int stride = plans[v].plan.rowStride;
            std::copy(plans[v].positions.begin(), plans[v].positions.end(),
                      order.begin() + static_cast<std::ptrdiff_t>(tables().tapBegin(v)));
            layout.begin.push_back(all + kPlanZeros);
            layout.rowStride.push_back(stride);
            layout.tapStride.push_back(1);
            all += static_cast<std::size_t>(tables().rows(v)) * static_cast<std::size_t>(stride);
        }
        values_ = cuda().buffer<std::uint32_t>(all, "the kernel values");
        check(cudaMemsetAsync(values_.get(), 0, values_.bytes(), cuda().stream()), "clear the kernel values");
        const auto orderBuffer = cuda().uploaded(order, "the order of the taps");
        layout.order = orderBuffer.span();
        tables().computeValues(layout, values_.span());
        for (std::size_t v = 0; v < plans.size(); ++v) {
            views_[v].values = values_.span().from(layout.begin[v] - kPlanZeros);
        }
    }

    int planes_ = kManyPlanes;
    bool usable_ = false;
    double clocks_ = 0;
    std::vector<device::ColumnView> views_;
    DeviceBuffer<std::uint32_t> values_;
    DeviceBuffer<device::BlockPixel> pixels_;
    DeviceBuffer<std::uint16_t> shorts_;
    DeviceBuffer<std::uint16_t> weights_;
    DeviceBuffer<short2> origins_;
    DeviceBuffer<double> partial_;
    DeviceBuffer<std::uint16_t> rowShorts_;
    DeviceBuffer<device::RowLookup> rowLookups_;
};

}  // namespace

std::unique_ptr<Projector> makeColumnProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                                               const ColumnTuning& tuning) {
    if (space->device().capability() >= 80) {
        const std::vector<KernelFrame> frames = kernelFrames(model, *space);
        // Tables as wide as this hardly ever fit, and to find that out takes longer than the stream's plans.
        constexpr std::size_t kManyTaps = 2400;
        const bool wide = std::all_of(frames.begin(), frames.end(),
                                      [](const KernelFrame& frame) { return frame.taps.size() > kManyTaps; });
        if (wide && tuning.along == 0) {
            if (auto stream =
                    makeFasterStream(model, space, frames, std::numeric_limits<double>::infinity())) {
                return stream;
            }
        }
        auto projector = std::make_unique<ColumnProjector>(model, space, frames, tuning);
        // Where a projection takes less than this, a stream is slower and its plans are not worth making.
        constexpr double kShort = 150e3;
        if (projector->usable() && (tuning.along > 0 || projector->clocks() < kShort)) {
            return projector;
        }
        const double clocks =
            projector->usable() ? projector->clocks() : std::numeric_limits<double>::infinity();
        if (auto stream = makeFasterStream(model, space, frames, clocks)) {
            return stream;
        }
        if (projector->usable()) {
            return projector;
        }
    }
    return makeColumnFloatProjector(model, std::move(space));
}

}  // namespace tof
