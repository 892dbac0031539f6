// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <any>
#include <future>
#include <limits>
#include <span>
#include <vector>

#include "gpu/histo/column_kernels.h"
#include "gpu/histo/column_tables.h"
#include "gpu/histo/cuda_histo_projector.h"
#include "gpu/histo/plan_chooser.h"
#include "recon/kernel/voxel_average.h"

namespace tof {

namespace {

constexpr const char* kKeptTables = "column";  // how a space calls them

class ColumnProjector : public CudaProjector {
  public:
    /// `tables` serve the kernel of the model, which they hold until another projector is made of them.
    ColumnProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                    std::shared_ptr<ColumnTables> tables)
        : CudaProjector(model, std::move(space), {tables, &tables->histo()}),
          tables_(std::move(tables)),
          views_(tables_->views()),
          values_(cuda().buffer<std::uint32_t>(tables_->valueCount(), "the kernel values")) {
        check(cudaMemsetAsync(values_.get(), 0, values_.bytes(), cuda().stream()), "clear the kernel values");
        tables_->computeValues(values_.span());
        const auto filter = static_cast<float>(axialGain(model.kernel, model.lattice, 1));
        for (std::size_t v = 0; v < views_.size(); ++v) {
            views_[v].values = values_.span().from(tables_->valueBegin(v));
            views_[v].filter = filter;
        }
    }

    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) override {
        backAbove({}, part, att, p, x, write);
    }

    void backDiscrepancy(std::size_t part, const PartData& data, Discrepancy kind, ConstView seen,
                         MutableView scratch, MutableView out, Write write) override {
        const MutableView p = scratch.part(0, dataSize(part));
        cuda().stage(Stage::Forward);
        forward(part, seen, p);
        cuda().stage(Stage::Discrepancy);
        const device::ColumnFloor floor{cuda().openDiscrepancy(data, kind, p), onDevice(data.y),
                                        onDevice(data.mult), offsetOf(kind)};
        cuda().stage(Stage::Back);
        backAbove(floor, part, data.att, p, out, write);
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
        return values_.bytes() + tables_->bytes() - tables().bytes();
    }

  private:
    void backAbove(const device::ColumnFloor& floor, std::size_t part, ConstView att, ConstView p,
                   MutableView x, Write write) const {
        device::ColumnWork work = workOf(part, p, x);
        work.floor = floor;
        work.mult = onDevice(att);
        run(work, device::Gather::ByTarget,
            write == Write::Add ? device::ColumnOutput::Add : device::ColumnOutput::Overwrite);
    }
    [[nodiscard]] device::ColumnWork workOf(std::size_t view, ConstView from, MutableView to) const {
        device::ColumnWork work;
        work.view = views_[view];
        std::copy(model().lattice.size.begin(), model().lattice.size.end(), work.size);
        work.from = onDevice(from);
        work.out = onDevice(to);
        work.allWindows = device::columnWindows(tables_->planes(), work.view.reach, work.size[2]);
        return work;
    }

    void run(device::ColumnWork work, device::Gather gather, device::ColumnOutput output) const {
        constexpr double kMacsPerClock = 500;  // what the tensor cores do, zero weights counted
        const double macs =
            3.0 * 512 * tables_->planes() * work.view.chunks * work.view.groups * work.view.blocks;
        const int most = static_cast<int>(
            std::clamp(cuda().launchBudget(kMacsPerClock) / macs, 1.0, static_cast<double>(work.allWindows)));
        for (work.windowBegin = 0; work.windowBegin < work.allWindows; work.windowBegin += work.windows) {
            work.windows = std::min(most, work.allWindows - work.windowBegin);
            device::projectColumn(cuda().launch(), work, tables_->planes(), gather, output);
        }
    }

    std::shared_ptr<ColumnTables> tables_;
    std::vector<device::ColumnView> views_;
    DeviceBuffer<std::uint32_t> values_;
};

/// Where a projection takes less than this, a stream is slower and its plans are not worth making.
constexpr double kShort = 150e3;

/// Tables for frames whose plans the card can run; null when it can run none.
std::shared_ptr<ColumnTables> tablesOf(const DirectModel& model, const std::vector<KernelFrame>& frames,
                                       PlanForms forms, const ColumnTuning& tuning, CudaSpace& space) {
    const PlanShape forced{tuning.along, tuning.across, tuning.lines};
    // Ids and taps are sent while plans are made.
    auto sent =
        std::async(std::launch::async, [&] { return std::make_unique<HistoTables>(model, frames, space); });
    const ModelPlans plans = choosePlans(
        model, frames, planLimitsOf(space), space.pool(),
        tuning.along > 0 ? std::span(&forced, 1) : std::span<const PlanShape>(kPlanShapes), forms);
    auto histo = sent.get();
    return plans.usable() ? std::make_shared<ColumnTables>(model, frames, plans, std::move(histo), space)
                          : nullptr;
}

/// The tables that the last projector in this space has left, or wider ones in their place, when they serve a
/// model; null when there are none or they promise no short projections.
std::shared_ptr<ColumnTables> tablesKept(const DirectModel& model, CudaSpace& space) {
    std::any& kept = space.kept(kKeptTables);
    auto* const last = std::any_cast<std::shared_ptr<ColumnTables>>(&kept);
    if (last == nullptr || !(*last)->hasIdsOf(model)) {
        return nullptr;
    }
    model.kernel.validate();
    std::shared_ptr<ColumnTables> tables = *last;
    const std::vector<SupportAxes> supports = tables->supportsOf(model.kernel);
    if (!tables->serves(supports)) {
        const std::vector<SupportAxes> wide = tables->widened(supports);
        tables.reset();
        kept.reset();
        tables = tablesOf(model, kernelFramesWithin(model, wide, space), PlanForms::AllTaps, {}, space);
        if (tables == nullptr || tables->clocks() >= kShort) {
            return nullptr;
        }
        kept = tables;
    }
    tables->setKernel(model.kernel, supports);
    return tables;
}

}  // namespace

std::unique_ptr<Projector> makeColumnProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                                               const ColumnTuning& tuning) {
    if (space->device().capability() >= 80) {
        const bool free = tuning.along == 0;  // to choose plans
        if (auto tables = free ? tablesKept(model, *space) : nullptr) {
            return std::make_unique<ColumnProjector>(model, std::move(space), std::move(tables));
        }
        space->kept(kKeptTables).reset();
        const std::vector<KernelFrame> frames = kernelFrames(model, *space);
        // Tables as wide as this hardly ever fit, and to find that out takes longer than the stream's plans.
        constexpr std::size_t kManyTaps = 2400;
        const bool wide = std::all_of(frames.begin(), frames.end(),
                                      [](const KernelFrame& frame) { return frame.taps.size() > kManyTaps; });
        if (wide && free) {
            if (auto stream =
                    makeFasterStream(model, space, frames, std::numeric_limits<double>::infinity())) {
                return stream;
            }
        }
        auto tables = tablesOf(model, frames, PlanForms::Fewest, tuning, *space);
        const double clocks = tables != nullptr ? tables->clocks() : std::numeric_limits<double>::infinity();
        if (tables == nullptr || (free && clocks >= kShort)) {
            if (auto stream = makeFasterStream(model, space, frames, clocks)) {
                return stream;
            }
        }
        if (tables != nullptr) {
            if (free && clocks < kShort) {
                space->kept(kKeptTables) = tables;
            }
            return std::make_unique<ColumnProjector>(model, std::move(space), std::move(tables));
        }
    }
    return makeColumnFloatProjector(model, std::move(space));
}

}  // namespace tof
