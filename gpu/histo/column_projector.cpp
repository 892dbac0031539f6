// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "gpu/histo/column_kernels.h"
#include "gpu/histo/cuda_histo_projector.h"
#include "gpu/histo/tile_plan.h"

namespace tof {

namespace {

constexpr int kFewPlanes = 16;
constexpr int kManyPlanes = 48;
constexpr int kMaxRows = 12000;  // of a value table: the lists of rows are made in 48 KiB of shared memory

constexpr std::array<int, 2> kLines{2, 4};
constexpr std::array<PlanShape, 12> kShapes{PlanShape{2, 3, 2}, PlanShape{3, 2, 2}, PlanShape{1, 6, 2},
                                            PlanShape{2, 2, 2}, PlanShape{1, 3, 2}, PlanShape{1, 2, 2},
                                            PlanShape{1, 1, 2}, PlanShape{2, 3, 4}, PlanShape{3, 2, 4},
                                            PlanShape{6, 1, 4}, PlanShape{2, 2, 4}, PlanShape{2, 1, 4}};

/// A view's plan with what the choice of its shape rests on.
struct ViewPlan {
    ColumnPlan plan;
    std::vector<std::array<std::int16_t, 2>> blocks;
    std::array<int, 2> tableRows{};  ///< distinct ids of a block at most: by target, by source
    double cost = std::numeric_limits<double>::infinity();
};

/// The device's limits that the choice depends on.
struct Limits {
    std::size_t sharedBytes = 0;
    std::size_t sharedBytesPerProcessor = 0;
    int processors = 1;
};

/// Marks ids seen; cheap to clear.
class IdCounter {
  public:
    explicit IdCounter(int rows) : seen_(static_cast<std::size_t>(rows), 0) {}
    void start() {
        ++round_;
        count_ = 0;
    }
    void see(int id) {
        int& last = seen_[static_cast<std::size_t>(id)];
        count_ += last != round_ ? 1 : 0;
        last = round_;
    }
    [[nodiscard]] int count() const { return count_; }

  private:
    std::vector<int> seen_;
    int round_ = 0;
    int count_ = 0;
};

class PlanMaker {
  public:
    PlanMaker(const DirectModel& model, const KernelFrame& frame, const Limits& limits)
        : model_(model),
          frame_(frame),
          limits_(limits),
          line_(planLine(frame.axes.u.x, frame.axes.u.y, model.lattice.spacing_mm[0],
                         model.lattice.spacing_mm[1])) {
        std::vector<PlanTap> planTaps;
        planTaps.reserve(frame.taps.size());
        int reach = 0;
        for (const KernelTap& tap : frame.taps) {
            reach = std::max(reach, std::abs(static_cast<int>(tap.z)));
            planTaps.push_back(line_.alongY ? PlanTap{tap.y, tap.x, tap.z} : PlanTap{tap.x, tap.y, tap.z});
        }
        filtered_ = frame.axes.u.z == 0.0 && reach <= 1;
        table_ = planTable(planTaps, filtered_);
        for (const int lines : kLines) {
            planners_.push_back(std::make_unique<ColumnPlanner>(planTaps, table_, line_, filtered_, lines));
        }
    }

    [[nodiscard]] const std::vector<int>& places() const { return table_.place; }

    /// The cheapest plan among `shapes` that the card can run; an infinite cost when there is none.
    [[nodiscard]] ViewPlan best(std::span<const PlanShape> shapes) {
        std::vector<ViewPlan> candidates;
        for (const PlanShape shape : shapes) {
            ViewPlan candidate = make(shape);
            if (std::isfinite(candidate.cost)) {
                candidates.push_back(std::move(candidate));
            }
        }
        std::sort(candidates.begin(), candidates.end(),
                  [](const ViewPlan& l, const ViewPlan& r) { return l.cost < r.cost; });
        ViewPlan result;
        for (ViewPlan& candidate : candidates) {
            // How many ids a block needs takes long to find, so only the cheapest are asked; that may cost
            // them a place.
            if (!(candidate.cost < result.cost)) {
                break;
            }
            countRows(candidate);
            candidate.cost = costOf(candidate);
            if (candidate.cost < result.cost) {
                result = std::move(candidate);
            }
        }
        if (std::isfinite(result.cost)) {
            result.plan.weights = plannerFor(result.plan.shape.lines).weights();
        }
        return result;
    }

  private:
    [[nodiscard]] int sizeA() const { return model_.lattice.size[line_.alongY ? 1 : 0]; }
    [[nodiscard]] int sizeB() const { return model_.lattice.size[line_.alongY ? 0 : 1]; }

    [[nodiscard]] ColumnPlanner& plannerFor(int lines) const {
        const auto which = std::find(kLines.begin(), kLines.end(), lines) - kLines.begin();
        return *planners_[static_cast<std::size_t>(which)];
    }

    /// Without the numbers of ids, so the cost is a lower bound; infinite when it cannot be used.
    [[nodiscard]] ViewPlan make(PlanShape shape) {
        ViewPlan result;
        auto plan = plannerFor(shape.lines).plan(shape.along, shape.across);
        if (!plan) {
            return result;
        }
        result.plan = std::move(*plan);
        const auto& segments = result.plan.segments;
        if (shape.groups() * 2 > device::kColumnWarps || frame_.rows > kMaxRows ||
            std::max(segments[0].size(), segments[1].size()) >
                static_cast<std::size_t>(device::kColumnSegments)) {
            return result;
        }
        result.blocks = planBlocks(result.plan, sizeA(), sizeB());
        result.tableRows = {1, 1};
        result.cost = costOf(result);
        return result;
    }

    void countRows(ViewPlan& view) const {
        IdCounter counter(frame_.rows);
        const auto most = [&](const std::vector<ColumnPlan::Pixel>& pixels) {
            int largest = 1;
            for (const auto& [a0, l0] : view.blocks) {
                counter.start();
                for (const ColumnPlan::Pixel& p : pixels) {
                    const int a = a0 + p.a;
                    const int b = l0 + p.b;
                    if (a >= 0 && b >= 0 && a < sizeA() && b < sizeB()) {
                        counter.see(frame_.ids[static_cast<std::size_t>(line_.alongY ? a * sizeB() + b
                                                                                     : b * sizeA() + a)]);
                    }
                }
                largest = std::max(largest, counter.count());
            }
            return largest;
        };
        view.tableRows = {most(view.plan.targets), most(view.plan.tile)};
    }

    /// Sectors of memory that one plane of some pixels touches, in the mean over where they begin.
    [[nodiscard]] double sectorsOf(const std::vector<ColumnPlan::Pixel>& pixels) const {
        constexpr double kFloats = 8;
        double sectors = 0;
        const ColumnPlan::Pixel* last = nullptr;
        for (const ColumnPlan::Pixel& p : pixels) {
            const bool follows = last != nullptr && (line_.alongY ? p.a == last->a && p.b == last->b + 1
                                                                  : p.b == last->b && p.a == last->a + 1);
            sectors += (follows ? 0 : (kFloats - 1) / kFloats) + 1 / kFloats;
            last = &p;
        }
        return sectors;
    }

    /// Clocks that a projection takes, roughly: whole waves of blocks, each with a fixed part, the filling of
    /// its tile and the multiplications of its groups. Only compares shapes.
    [[nodiscard]] double costOf(const ViewPlan& view) const {
        device::ColumnView v;
        v.slots = static_cast<int>(view.plan.tile.size());
        v.groups = view.plan.shape.groups();
        v.rowStride = view.plan.rowStride;
        v.rows = frame_.rows;
        v.tableRows[0] = view.tableRows[0];
        v.tableRows[1] = view.tableRows[1];
        const int nz = model_.lattice.size[2];
        const int planes = nz <= kFewPlanes ? kFewPlanes : kManyPlanes;
        const std::size_t shared = std::max(device::columnSharedBytes(v, planes, device::Gather::ByTarget),
                                            device::columnSharedBytes(v, planes, device::Gather::BySource));
        if (shared > limits_.sharedBytes || planes <= 2 * view.plan.reach) {
            return std::numeric_limits<double>::infinity();
        }
        constexpr double kFixed = 6000;
        constexpr double kPerSlot = 5;
        constexpr double kPerSector = 0.6;  // of 32 bytes, read or written
        constexpr double kPerChunk = 30;
        constexpr double kPerProduct = 12;
        constexpr std::size_t kSystemBytes = 1024;  // of every resident block
        constexpr int kThreadsAtOnce = 384;         // by registers
        const int together = std::clamp(static_cast<int>(std::min<std::size_t>(
                                            limits_.sharedBytesPerProcessor / (shared + kSystemBytes),
                                            static_cast<std::size_t>(kThreadsAtOnce / (64 * v.groups)))),
                                        1, 8);
        const double blocks =
            static_cast<double>(view.blocks.size()) * device::columnWindows(planes, view.plan.reach, nz);
        const double waves = std::ceil(blocks / (limits_.processors * together));
        const double group = kPerChunk * view.plan.chunks + kPerProduct * view.plan.products;
        const double sectors = planes * (sectorsOf(view.plan.tile) + sectorsOf(view.plan.targets));
        return waves * (kFixed + kPerSlot * v.slots + kPerSector * sectors + together * v.groups * group);
    }

    const DirectModel& model_;
    const KernelFrame& frame_;
    Limits limits_;
    PlanLine line_;
    bool filtered_ = false;
    PlanTable table_;
    std::vector<std::unique_ptr<ColumnPlanner>> planners_;  ///< as kLines
};

/// Appends to a list that all views share and says where this view's part begins.
template <typename T, typename Range>
std::size_t append(std::vector<T>& all, const Range& part) {
    const std::size_t begin = all.size();
    all.insert(all.end(), part.begin(), part.end());
    return begin;
}

class ColumnProjector : public CudaProjector {
  public:
    ColumnProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                    const std::vector<KernelFrame>& frames, const ColumnTuning& tuning)
        : CudaProjector(model, std::move(space), frames) {
        planes_ = model.lattice.size[2] <= kFewPlanes ? kFewPlanes : kManyPlanes;
        std::vector<std::int32_t> order(tables().allTaps());
        const std::vector<ViewPlan> plans = makePlans(frames, order, tuning);
        usable_ =
            std::all_of(plans.begin(), plans.end(), [](const ViewPlan& p) { return std::isfinite(p.cost); });
        if (usable_) {
            sendPlans(plans);
            computeValues(plans, order);
        }
    }

    /// False when this card or this kernel does not allow it; nothing else may be called then.
    [[nodiscard]] bool usable() const { return usable_; }

    void backDiscrepancy(std::size_t part, const PartData& data, Discrepancy kind, ConstView x,
                         MutableView scratch, MutableView out, Write write) override {
        const MutableView e = scratch.part(0, dataSize(part));
        cuda().stage(Stage::Forward);
        device::ColumnWork work = workOf(part, x, e);
        work.mult = data.mult.data;
        work.add = data.add.data;
        work.area = cuda().reductionArea();
        work.area.partial = partial_.get();
        run(work, device::Gather::BySource, device::ColumnOutput::Expected);
        cuda().stage(Stage::Discrepancy);
        cuda().ratioOfExpected(data, kind, e);
        cuda().stage(Stage::Back);
        back(part, e, out, write);
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
               partial_.bytes() + rowShorts_.bytes();
    }

  private:
    [[nodiscard]] device::ColumnWork workOf(std::size_t view, ConstView from, MutableView to) const {
        device::ColumnWork work;
        work.view = views_[view];
        std::copy(model().lattice.size.begin(), model().lattice.size.end(), work.size);
        work.from = from.data;
        work.out = to.data;
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

    std::vector<ViewPlan> makePlans(const std::vector<KernelFrame>& frames, std::vector<std::int32_t>& order,
                                    const ColumnTuning& tuning) {
        const cudaDeviceProp& card = cuda().device().properties();
        Limits limits;
        limits.sharedBytes = device::columnSharedLimit(card);
        limits.sharedBytesPerProcessor = card.sharedMemPerMultiprocessor;
        limits.processors = card.multiProcessorCount;
        std::vector<ViewPlan> plans(parts());
        std::atomic<bool> possible{true};
        cuda().pool().forRange(parts(), 1, [&](std::size_t v, std::size_t) {
            if (!possible) {
                return;
            }
            PlanMaker maker(model(), frames[v], limits);
            std::copy(maker.places().begin(), maker.places().end(),
                      order.begin() + static_cast<std::ptrdiff_t>(tables().tapBegin(v)));
            const PlanShape forced{tuning.along, tuning.across, tuning.lines};
            plans[v] = maker.best(tuning.along > 0 ? std::span(&forced, 1) : std::span(kShapes));
            if (!std::isfinite(plans[v].cost)) {
                possible = false;
            }
        });
        return plans;
    }

    void sendPlans(const std::vector<ViewPlan>& plans) {
        std::vector<device::BlockPixel> pixels;
        std::vector<std::uint16_t> shorts;
        std::vector<std::uint16_t> weights;
        std::vector<short2> origins;
        struct Begin {
            std::size_t tile, targets, place, sources, weights, origins;
        };
        std::vector<Begin> begins;
        std::size_t partials = 1;
        for (const ViewPlan& view : plans) {
            const ColumnPlan& plan = view.plan;
            const auto inXy = [&](const std::vector<ColumnPlan::Pixel>& list) {
                std::vector<device::BlockPixel> result;
                result.reserve(list.size());
                for (const ColumnPlan::Pixel& p : list) {
                    result.push_back(plan.alongY ? device::BlockPixel{p.b, p.a, p.slot, 0}
                                                 : device::BlockPixel{p.a, p.b, p.slot, 0});
                }
                return result;
            };
            std::vector<short2> blocks;
            blocks.reserve(view.blocks.size());
            for (const auto& [a, l] : view.blocks) {
                blocks.push_back(plan.alongY ? short2{l, a} : short2{a, l});
            }
            begins.push_back({append(pixels, inXy(plan.tile)), append(pixels, inXy(plan.targets)),
                              append(shorts, plan.place), append(shorts, plan.sources),
                              append(weights, plan.weights), append(origins, blocks)});
            const auto windows =
                static_cast<std::size_t>(device::columnWindows(planes_, plan.reach, model().lattice.size[2]));
            partials = std::max(partials, blocks.size() * windows);
        }
        const cudaStream_t stream = cuda().stream();
        pixels_ = cuda().buffer<device::BlockPixel>(pixels.size(), "the plans of the column strategy");
        pixels_.uploadFrom(pixels, stream);
        shorts_ = cuda().buffer<std::uint16_t>(shorts.size(), "the plans of the column strategy");
        shorts_.uploadFrom(shorts, stream);
        weights_ = cuda().buffer<std::uint16_t>(weights.size(), "the plans of the column strategy");
        weights_.uploadFrom(weights, stream);
        origins_ = cuda().buffer<short2>(origins.size(), "the plans of the column strategy");
        origins_.uploadFrom(origins, stream);
        partial_ = cuda().buffer<double>(partials, "the partial sums of the column strategy");
        const double step = model().lattice.spacing_mm[2] / model().kernel.sigmaAxial_mm();
        for (std::size_t v = 0; v < plans.size(); ++v) {
            const ColumnPlan& plan = plans[v].plan;
            device::ColumnView view;
            view.ids = tables().ids(v).get();
            view.idPitch = tables().idPitch();
            view.rows = tables().rows(v);
            view.taps = plan.taps;
            view.rowStride = plan.rowStride;
            view.tile = pixels_.get() + begins[v].tile;
            view.slots = static_cast<int>(plan.tile.size());
            view.targets = pixels_.get() + begins[v].targets;
            view.place = shorts_.get() + begins[v].place;
            view.groups = plan.shape.groups();
            view.sources = shorts_.get() + begins[v].sources;
            view.weights = reinterpret_cast<const uint2*>(weights_.get() + begins[v].weights);
            view.chunks = plan.chunks;
            view.origins = origins_.get() + begins[v].origins;
            view.blocks = static_cast<int>(plans[v].blocks.size());
            for (std::size_t half = 0; half < 2; ++half) {
                view.firstChunk[half] = plan.firstChunk[half];
                view.segmentCount[half] = static_cast<int>(plan.segments[half].size());
                for (std::size_t s = 0; s < plan.segments[half].size(); ++s) {
                    view.segments[half][s] = static_cast<std::uint16_t>(
                        plan.segments[half][s].chunks * 4 + static_cast<int>(plan.segments[half][s].after));
                }
                view.tableRows[half] = plans[v].tableRows[half];
            }
            view.filter = static_cast<float>(std::exp(-0.5 * step * step));
            view.reach = plan.reach;
            views_.push_back(view);
        }
        listRows();
        device::prepareColumn(device::columnSharedLimit(cuda().device().properties()));
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
                    const auto lists = static_cast<std::size_t>(view.blocks) *
                                       static_cast<std::size_t>(view.tableRows[gather]);
                    const std::size_t ofPixel = (used + lists + kAlign - 1) / kAlign * kAlign;
                    visit(view, gather, pixels, ofPixel);
                    used = ofPixel + static_cast<std::size_t>(view.blocks) * static_cast<std::size_t>(pixels);
                }
            }
        };
        forEach([](const device::ColumnView&, std::size_t, int, std::size_t) {});
        rowShorts_ = cuda().buffer<std::uint16_t>(used, "the lists of table rows");
        int size[3];
        std::copy(model().lattice.size.begin(), model().lattice.size.end(), size);
        forEach([&](device::ColumnView& view, std::size_t gather, int pixels, std::size_t place) {
            std::uint16_t* const list = rowShorts_.get() + used;
            std::uint16_t* const ofPixel = rowShorts_.get() + place;
            view.rowsOf[gather] = {list, ofPixel, view.tableRows[gather], pixels};
            device::listColumnRows(cuda().stream(), view, size,
                                   gather == 0 ? device::Gather::ByTarget : device::Gather::BySource, list,
                                   ofPixel);
        });
    }

    void computeValues(const std::vector<ViewPlan>& plans, const std::vector<std::int32_t>& order) {
        HistoTables::Layout layout;
        std::size_t all = 0;
        for (std::size_t v = 0; v < plans.size(); ++v) {
            const int stride = plans[v].plan.rowStride;
            layout.begin.push_back(all + kPlanZeros);
            layout.rowStride.push_back(stride);
            layout.tapStride.push_back(1);
            all += static_cast<std::size_t>(tables().rows(v)) * static_cast<std::size_t>(stride);
        }
        values_ = cuda().buffer<std::uint32_t>(all, "the kernel values");
        check(cudaMemsetAsync(values_.get(), 0, values_.bytes(), cuda().stream()), "clear the kernel values");
        auto orderBuffer = cuda().buffer<std::int32_t>(order.size(), "the order of the taps");
        orderBuffer.uploadFrom(order, cuda().stream());
        layout.order = orderBuffer.span();
        tables().computeValues(layout, values_.span());
        for (std::size_t v = 0; v < plans.size(); ++v) {
            views_[v].values = values_.get() + layout.begin[v] - kPlanZeros;
        }
    }

    int planes_ = kManyPlanes;
    bool usable_ = false;
    std::vector<device::ColumnView> views_;
    DeviceBuffer<std::uint32_t> values_;
    DeviceBuffer<device::BlockPixel> pixels_;
    DeviceBuffer<std::uint16_t> shorts_;
    DeviceBuffer<std::uint16_t> weights_;
    DeviceBuffer<short2> origins_;
    DeviceBuffer<double> partial_;
    DeviceBuffer<std::uint16_t> rowShorts_;
};

}  // namespace

std::unique_ptr<Projector> makeColumnProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                                               const ColumnTuning& tuning) {
    if (space->device().capability() >= 80) {
        const std::vector<KernelFrame> frames = kernelFrames(model, *space);
        auto projector = std::make_unique<ColumnProjector>(model, space, frames, tuning);
        if (projector->usable()) {
            return projector;
        }
    }
    return makeColumnFloatProjector(model, std::move(space));
}

}  // namespace tof
