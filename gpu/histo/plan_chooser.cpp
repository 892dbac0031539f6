// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/plan_chooser.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "gpu/histo/column_kernels.h"

namespace tof {

namespace {

constexpr int kMaxRows = 12000;  // of a value table: the lists of rows are made in 48 KiB of shared memory
constexpr std::array<int, 2> kLines{2, 4};

/// Marks ids seen; cheap to clear.
class IdCounter {
  public:
    explicit IdCounter(int rows) : seen_(static_cast<std::size_t>(rows), 0) {}
    void start() {
        ++turn_;
        count_ = 0;
    }
    void see(int id) {
        int& last = seen_[static_cast<std::size_t>(id)];
        count_ += last != turn_ ? 1 : 0;
        last = turn_;
    }
    [[nodiscard]] int count() const { return count_; }

  private:
    std::vector<int> seen_;
    int turn_ = 0;
    int count_ = 0;
};

}  // namespace

PlanChooser::PlanChooser(const DirectModel& model, const KernelFrame& frame, const PlanLimits& limits)
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
    form_ = frame.axes.u.z == 0.0 && reach <= 1 ? PlanForm::Filtered : PlanForm::AllTaps;
    table_ = planTable(planTaps, form_);
    for (const int lines : kLines) {
        planners_.push_back(std::make_unique<TilePlanner>(planTaps, table_, line_, form_, lines));
    }
}

ViewPlan PlanChooser::best(std::span<const PlanShape> shapes) {
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

TilePlanner& PlanChooser::plannerFor(int lines) const {
    const auto which = std::find(kLines.begin(), kLines.end(), lines) - kLines.begin();
    return *planners_[static_cast<std::size_t>(which)];
}

ViewPlan PlanChooser::make(PlanShape shape) {
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
    result.mostRows = {1, 1};
    result.cost = costOf(result);
    return result;
}

void PlanChooser::countRows(ViewPlan& view) const {
    IdCounter counter(frame_.rows);
    const auto most = [&](const std::vector<TilePlan::Pixel>& pixels) {
        int largest = 1;
        for (const auto& [a0, l0] : view.blocks) {
            counter.start();
            for (const TilePlan::Pixel& p : pixels) {
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
    view.mostRows = {most(view.plan.targets), most(view.plan.tile)};
}

double PlanChooser::sectorsOf(const std::vector<TilePlan::Pixel>& pixels) const {
    constexpr double kFloats = 8;
    double sectors = 0;
    const TilePlan::Pixel* last = nullptr;
    for (const TilePlan::Pixel& p : pixels) {
        const bool follows = last != nullptr && (line_.alongY ? p.a == last->a && p.b == last->b + 1
                                                              : p.b == last->b && p.a == last->a + 1);
        sectors += (follows ? 0 : (kFloats - 1) / kFloats) + 1 / kFloats;
        last = &p;
    }
    return sectors;
}

double PlanChooser::costOf(const ViewPlan& view) const {
    device::ColumnView v;
    v.slots = static_cast<int>(view.plan.tile.size());
    v.groups = view.plan.shape.groups();
    v.rowStride = view.plan.rowStride;
    v.rows = frame_.rows;
    v.mostRows[0] = view.mostRows[0];
    v.mostRows[1] = view.mostRows[1];
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
    const int together = std::clamp(
        static_cast<int>(std::min<std::size_t>(limits_.sharedBytesPerProcessor / (shared + kSystemBytes),
                                               static_cast<std::size_t>(kThreadsAtOnce / (64 * v.groups)))),
        1, 8);
    const double blocks =
        static_cast<double>(view.blocks.size()) * device::columnWindows(planes, view.plan.reach, nz);
    const double waves = std::ceil(blocks / (limits_.processors * together));
    const double group = kPerChunk * view.plan.chunks + kPerProduct * view.plan.products;
    const double sectors = planes * (sectorsOf(view.plan.tile) + sectorsOf(view.plan.targets));
    return waves * (kFixed + kPerSlot * v.slots + kPerSector * sectors + together * v.groups * group);
}

}  // namespace tof
