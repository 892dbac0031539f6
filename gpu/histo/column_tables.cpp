// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/column_tables.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "gpu/histo/cuda_histo_projector.h"

namespace tof {

namespace {

constexpr std::size_t kWeightsPerLane = 4;  // a uint2 each
/// How much wider than a kernel that changes its plans are made, along the axes that change: as many more
/// taps, and a drag of a width finds its plans there until it has grown by as much.
constexpr double kWider = 1.06;
/// Plans wider than this multiply too many zeros.
constexpr double kTooWide = 1.15;

constexpr double SupportAxes::*kAxes[] = {&SupportAxes::tof, &SupportAxes::radial, &SupportAxes::axial};

/// Pixels of a plane in x and y, one after the other from `to` on.
void putInXy(const TilePlan& plan, const std::vector<TilePlan::Pixel>& list, device::BlockPixel* to) {
    for (const TilePlan::Pixel& p : list) {
        *to++ =
            plan.alongY ? device::BlockPixel{p.b, p.a, p.slot, 0} : device::BlockPixel{p.a, p.b, p.slot, 0};
    }
}

/// Origins of a view's blocks in x and y.
void putOrigins(const ViewPlan& view, short2* to) {
    for (const auto& [a, l] : view.blocks) {
        *to++ = view.plan.alongY ? short2{l, a} : short2{a, l};
    }
}

/// The runs of one half of a plan as its warps take them; the first, of no chunks, says what comes at first.
void putRuns(const std::vector<PlanRun>& runs, device::ChunkRun* to) {
    unsigned next = 0;  // strips of the first chunk after a run
    for (std::size_t i = runs.size(); i > 0; --i) {
        to[i] = {runs[i - 1], next};
        next = runs[i - 1].chunks > 0 ? runs[i - 1].strips : next;
    }
    to[0] = {{}, next};
}

/// Counts what is placed one after the other.
class Places {
  public:
    /// Where so many begin.
    std::size_t take(std::size_t count) { return std::exchange(all_, all_ + count); }
    [[nodiscard]] std::size_t all() const { return all_; }

  private:
    std::size_t all_ = 0;
};

std::vector<SupportAxes> supportsOfFrames(const std::vector<KernelFrame>& frames) {
    std::vector<SupportAxes> result;
    result.reserve(frames.size());
    std::transform(frames.begin(), frames.end(), std::back_inserter(result),
                   [](const KernelFrame& frame) { return frame.support; });
    return result;
}

bool sameAxes(const SupportAxes& l, const SupportAxes& r) {
    return std::all_of(std::begin(kAxes), std::end(kAxes), [&](auto axis) { return l.*axis == r.*axis; });
}

}  // namespace

PlanLimits planLimitsOf(const CudaSpace& space) {
    const cudaDeviceProp& card = space.device().properties();
    PlanLimits limits;
    limits.sharedBytes = device::columnSharedLimit(card);
    limits.sharedBytesPerProcessor = card.sharedMemPerMultiprocessor;
    limits.processors = card.multiProcessorCount;
    return limits;
}

/// Where a view's lists begin in those of all views.
struct ColumnTables::ViewLists {
    std::size_t tile, targets, targetOf, origins;
    DeviceSpan<const std::uint16_t> sources, weights;
};

ColumnTables::ColumnTables(const DirectModel& model, const std::vector<KernelFrame>& frames,
                           const ModelPlans& plans, std::unique_ptr<HistoTables> histo, CudaSpace& space)
    : model_(model),
      supports_(supportsOfFrames(frames)),
      allTaps_(std::all_of(plans.views.begin(), plans.views.end(),
                           [](const ViewPlan& view) { return view.plan.form == PlanForm::AllTaps; })),
      histo_(std::move(histo)),
      planes_(model.lattice.size[2] <= kFewPlanes ? kFewPlanes : kManyPlanes) {
    for (const ViewPlan& view : plans.views) {
        clocks_ += view.cost / static_cast<double>(plans.views.size());
    }
    sendPlans(plans, space);
    listRows(space);
    placeValues(plans, space);
    device::prepareColumn(device::columnSharedLimit(space.device().properties()));
}

bool ColumnTables::hasIdsOf(const DirectModel& model) const {
    // The host averages kernels over voxels (HistoTables), tap by tap of their own support.
    return model.kernel.sampling == KernelSampling::Centre &&
           model_.kernel.sampling == KernelSampling::Centre && model.lattice == model_.lattice &&
           model.views == model_.views && model.kernel.id_step_mm == model_.kernel.id_step_mm &&
           model.kernel.sided() == model_.kernel.sided();
}

std::vector<SupportAxes> ColumnTables::supportsOf(const KernelSpec& kernel) const {
    std::map<int, SupportAxes> known;  // those of kernels taken at centres depend on the number of ids alone
    std::vector<SupportAxes> result;
    result.reserve(views_.size());
    for (std::size_t v = 0; v < views_.size(); ++v) {
        const int ids = histo_->radialIds(v);
        const auto [at, isNew] = known.try_emplace(ids);
        if (isNew) {
            at->second = kernelSupport(kernel, model_.lattice, model_.views[v].axes(), ids);
        }
        result.push_back(at->second);
    }
    return result;
}

bool ColumnTables::serves(const std::vector<SupportAxes>& supports) const {
    if (!allTaps_) {
        return std::equal(supports.begin(), supports.end(), supports_.begin(), sameAxes);
    }
    return std::equal(supports.begin(), supports.end(), supports_.begin(),
                      [](const SupportAxes& its, const SupportAxes& mine) {
                          return std::all_of(std::begin(kAxes), std::end(kAxes), [&](auto axis) {
                              return its.*axis <= mine.*axis && mine.*axis <= kTooWide * (its.*axis);
                          });
                      });
}

std::vector<SupportAxes> ColumnTables::widened(std::vector<SupportAxes> supports) const {
    for (std::size_t v = 0; v < supports.size(); ++v) {
        for (const auto axis : kAxes) {
            supports[v].*axis *= supports[v].*axis == supports_[v].*axis ? 1.0 : kWider;
        }
    }
    return supports;
}

void ColumnTables::setKernel(const KernelSpec& kernel, const std::vector<SupportAxes>& supports) {
    const bool clipped = !std::equal(supports.begin(), supports.end(), supports_.begin(), sameAxes);
    histo_->setKernel(kernel, clipped ? supports : std::vector<SupportAxes>());
}

void ColumnTables::computeValues(DeviceSpan<std::uint32_t> values) {
    histo_->computeValues(layout_, values);
}

std::size_t ColumnTables::bytes() const {
    return histo_->bytes() + order_.bytes() + pixels_.bytes() + shorts_.bytes() + weights_.bytes() +
           origins_.bytes() + rowShorts_.bytes() + rowLookups_.bytes();
}

void ColumnTables::sendPlans(const ModelPlans& plans, CudaSpace& space) {
    Places pixelPlaces;
    Places shortPlaces;
    Places weightPlaces;
    Places originPlaces;
    std::vector<std::array<std::size_t, 2>> sharedAt;
    for (const PlanLists& shared : plans.lists) {
        sharedAt.push_back(
            {shortPlaces.take(shared.sources.size()), weightPlaces.take(shared.weights.size())});
    }
    std::vector<ViewLists> lists;
    for (const ViewPlan& view : plans.views) {
        const TilePlan& plan = view.plan;
        const std::size_t tile = pixelPlaces.take(plan.tile.size());
        const std::size_t targets = pixelPlaces.take(plan.targets.size());
        lists.push_back({tile,
                         targets,
                         shortPlaces.take(plan.targetOf.size()),
                         originPlaces.take(view.blocks.size()),
                         {},
                         {}});
    }
    std::vector<device::BlockPixel> pixels(pixelPlaces.all());
    std::vector<std::uint16_t> shorts(shortPlaces.all());
    std::vector<std::uint16_t> weights(weightPlaces.all());
    std::vector<short2> origins(originPlaces.all());
    space.pool().forRange(lists.size() + sharedAt.size(), 1, [&](std::size_t task, std::size_t) {
        if (task < lists.size()) {
            const ViewPlan& view = plans.views[task];
            const ViewLists& at = lists[task];
            putInXy(view.plan, view.plan.tile, pixels.data() + at.tile);
            putInXy(view.plan, view.plan.targets, pixels.data() + at.targets);
            std::copy(view.plan.targetOf.begin(), view.plan.targetOf.end(), shorts.data() + at.targetOf);
            putOrigins(view, origins.data() + at.origins);
            return;
        }
        const PlanLists& shared = plans.lists[task - lists.size()];
        const auto [sourcesAt, weightsAt] = sharedAt[task - lists.size()];
        std::transform(shared.sources.begin(), shared.sources.end(), shorts.data() + sourcesAt,
                       [&](std::uint16_t slot) {
                           return static_cast<std::uint16_t>(device::placeOfSlot(slot, planes_));
                       });
        std::copy(shared.weights.begin(), shared.weights.end(), weights.data() + weightsAt);
    });
    constexpr const char* kWhat = "the plans of the column strategy";
    pixels_ = space.uploaded(pixels, kWhat);
    shorts_ = space.uploaded(shorts, kWhat);
    weights_ = space.uploaded(weights, kWhat);
    origins_ = space.uploaded(origins, kWhat);
    for (std::size_t v = 0; v < lists.size(); ++v) {
        const std::size_t shared = plans.views[v].lists;
        lists[v].sources = shorts_.span().part(sharedAt[shared][0], plans.lists[shared].sources.size());
        lists[v].weights = weights_.span().part(sharedAt[shared][1], plans.lists[shared].weights.size());
        views_.push_back(viewOf(v, plans.views[v], lists[v]));
    }
}

device::ColumnView ColumnTables::viewOf(std::size_t v, const ViewPlan& chosen, const ViewLists& lists) const {
    const TilePlan& plan = chosen.plan;
    device::ColumnView view;
    view.ids = histo_->ids(v);
    view.idPitch = histo_->idPitch();
    view.rows = histo_->rows(v);
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
        view.runCount[half] = static_cast<int>(plan.runs[half].size());
        putRuns(plan.runs[half], view.runs[half]);
        view.mostRows[half] = chosen.mostRows[half];
    }
    view.reach = plan.reach;
    return view;
}

/// Has the device list which rows of the table every block needs.
void ColumnTables::listRows(CudaSpace& space) {
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
                                        rowShorts_.span().part(begin, count), view.mostRows[gather], pixels});
                used = begin + count;
            }
        }
    };
    forEach([](const device::ColumnView&, std::size_t, const device::BlockRows&) {});
    rowShorts_ = space.buffer<std::uint16_t>(used, "the lists of table rows");
    std::vector<device::RowLookup> lookups;
    forEach([&](device::ColumnView& view, std::size_t gather, const device::BlockRows& rows) {
        view.blockRows[gather] = rows;
        lookups.push_back(
            device::rowLookup(view, gather == 0 ? device::Gather::ByTarget : device::Gather::BySource));
    });
    rowLookups_ = space.uploaded(lookups, "what the lists of table rows are made from");
    device::listBlockRows(space.stream(), lookups, rowLookups_.span(),
                          {model_.lattice.size[0], model_.lattice.size[1]});
}

/// Where the values of every tap go.
void ColumnTables::placeValues(const ModelPlans& plans, CudaSpace& space) {
    std::vector<std::int32_t> order(histo_->allTaps());
    for (std::size_t v = 0; v < plans.views.size(); ++v) {
        const ViewPlan& view = plans.views[v];
        std::copy(view.positions.begin(), view.positions.end(),
                  order.begin() + static_cast<std::ptrdiff_t>(histo_->tapBegin(v)));
        layout_.begin.push_back(valueCount_ + kPlanZeros);
        layout_.rowStride.push_back(view.plan.rowStride);
        layout_.tapStride.push_back(1);
        valueCount_ +=
            static_cast<std::size_t>(histo_->rows(v)) * static_cast<std::size_t>(view.plan.rowStride);
    }
    order_ = space.uploaded(order, "the order of the taps");
    layout_.order = order_.span();
}

}  // namespace tof
