// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gpu/histo/cuda_histo_projector.h"
#include "gpu/histo/stream_kernels.h"

namespace tof {

namespace {

/// Multiply-adds per clock and multiprocessor that this kernel reaches at least, for cutting launches short.
constexpr double kStreamMacsPerClock = 500;

/// Where a view's lists begin in those of all views.
struct ListBegins {
    std::size_t stages, entries, support, scale, radial, sourceRows;
};

class StreamProjector : public PlainCudaProjector {
  public:
    StreamProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                    const std::vector<KernelFrame>& frames, const std::vector<StreamPlan>& plans)
        : PlainCudaProjector(model, std::move(space), frames), planes_(plans.front().planes) {
        const std::vector<ListBegins> begins = sendLists(plans);
        std::size_t image = 0;
        std::size_t zero = 0;
        std::vector<std::int32_t> tiles;
        for (std::size_t v = 0; v < plans.size(); ++v) {
            views_.push_back(viewOf(v, plans[v], begins[v], frames[v]));
            launches_.push_back(
                {plans[v].windows(model.lattice.size[2]), windowsAtOnce(plans[v]), plans[v].sharedBytes()});
            deal(plans[v], launches_.back(), tiles);
            const auto octet = static_cast<std::size_t>(plans[v].octetBytes());
            image = std::max(image, static_cast<std::size_t>(launches_.back().atOnce) *
                                        static_cast<std::size_t>(plans[v].octets) *
                                        static_cast<std::size_t>(plans[v].lines) * octet);
            zero = std::max(zero, octet);
        }
        int size[3];
        std::copy(model.lattice.size.begin(), model.lattice.size.end(), size);
        for (std::size_t v = 0; v < plans.size(); ++v) {
            device::listSourceRows(cuda().stream(), views_[v], size,
                                   sourceRows_.span().part(begins[v].sourceRows, sourceRows(plans[v])));
        }
        tiles_ = cuda().uploaded(tiles, "the tiles of the stream");
        image_ = cuda().buffer<unsigned char>(image, "the split sources");
        zero_ = cuda().buffer<unsigned char>(zero, "an octet of zeros");
        check(cudaMemsetAsync(zero_.get(), 0, zero_.bytes(), cuda().stream()), "clear an octet");
        computeRadial(plans, begins);
        device::prepareStream(device::streamSharedLimit(cuda().device().properties()));
    }

  protected:
    void project(Direction direction, std::size_t view, ConstView from, MutableView to,
                 Write write) override {
        const device::Gather gather =
            direction == Direction::Back ? device::Gather::ByTarget : device::Gather::BySource;
        const Launches& how = launches_[view];
        device::StreamWork work;
        work.view = views_[view];
        std::copy(model().lattice.size.begin(), model().lattice.size.end(), work.size);
        work.from = onDevice(from);
        work.image = image_.span();
        work.zero = zero_.span();
        work.out = onDevice(to);
        work.add = write == Write::Add;
        work.allWindows = how.windows;
        for (work.windowBegin = 0; work.windowBegin < how.windows; work.windowBegin += work.windows) {
            work.windows = std::min(how.atOnce, how.windows - work.windowBegin);
            work.tileBegin = tiles_.span().part(work.windows == how.atOnce ? how.tiles : how.lastTiles,
                                                static_cast<std::size_t>(blocks()) + 1);
            device::splitForStream(cuda().launch(), work, planes_);
            device::projectStream(cuda().launch(), work, planes_, how.sharedBytes, blocks(), gather);
        }
    }
    [[nodiscard]] std::size_t ownBytes() const override {
        return stages_.bytes() + entries_.bytes() + support_.bytes() + tiles_.bytes() + radial_.bytes() +
               image_.bytes() + zero_.bytes() + sourceRows_.bytes();
    }

  private:
    struct Launches {
        int windows;
        int atOnce;
        std::size_t sharedBytes;
        std::size_t tiles = 0;      ///< where the deal of atOnce windows begins
        std::size_t lastTiles = 0;  ///< and that of what windows are left
    };

    [[nodiscard]] static std::size_t sourceRows(const StreamPlan& plan) {
        return static_cast<std::size_t>(kStreamOctet) * static_cast<std::size_t>(plan.octets) *
               static_cast<std::size_t>(plan.lines + 2 * device::kStreamEdge);
    }

    [[nodiscard]] int blocks() const { return cuda().device().properties().multiProcessorCount; }

    void deal(const StreamPlan& plan, Launches& how, std::vector<std::int32_t>& tiles) const {
        const std::vector<int> steps = plan.tileSteps();
        how.tiles = append(tiles, dealTiles(steps, how.atOnce, blocks()));
        const int last = how.windows % how.atOnce;
        how.lastTiles = last == 0 ? how.tiles : append(tiles, dealTiles(steps, last, blocks()));
    }

    [[nodiscard]] int windowsAtOnce(const StreamPlan& plan) const {
        const double macs = 3.0 * 16 * kStreamAlong * kStreamLines * plan.planes * plan.steps *
                            plan.columns() * plan.groupsPerColumn();
        return std::clamp(static_cast<int>(cuda().launchBudget(kStreamMacsPerClock) / macs), 1,
                          plan.windows(model().lattice.size[2]));
    }

    std::vector<ListBegins> sendLists(const std::vector<StreamPlan>& plans) {
        std::vector<StreamStage> stages;
        std::vector<StreamEntry> entries;
        std::vector<std::uint16_t> support;
        std::vector<float> scale;
        std::vector<ListBegins> begins;
        std::size_t radial = 0;
        std::size_t rows = 0;
        for (std::size_t v = 0; v < plans.size(); ++v) {
            const StreamPlan& plan = plans[v];
            begins.push_back({append(stages, plan.stages), append(entries, plan.entries),
                              append(support, plan.support), append(scale, plan.scale), radial, rows});
            rows += sourceRows(plan);
            radial += static_cast<std::size_t>(tables().rows(v)) * static_cast<std::size_t>(plan.rowStride());
        }
        constexpr const char* kWhat = "the lists of the stream";
        stages_ = cuda().uploaded(stages, kWhat);
        entries_ = cuda().uploaded(entries, kWhat);
        support_ = cuda().uploaded(support, kWhat);
        scale_ = cuda().uploaded(scale, kWhat);
        // Factors of a table are asked for one dz beyond the last.
        int beyond = 0;
        for (const StreamPlan& plan : plans) {
            beyond = std::max(beyond, plan.box);
        }
        radial_ = cuda().buffer<float>(radial + static_cast<std::size_t>(beyond), "the radial factors");
        sourceRows_ = cuda().buffer<std::uint16_t>(rows, "the rows of sources");
        return begins;
    }

    [[nodiscard]] device::StreamView viewOf(std::size_t v, const StreamPlan& plan, const ListBegins& begins,
                                            const KernelFrame& frame) const {
        device::StreamView view;
        view.stages = stages_.span().part(begins.stages, plan.stages.size());
        view.entries = entries_.span().part(begins.entries, plan.entries.size());
        view.support = support_.span().part(begins.support, plan.support.size());
        view.radial = radial_.span().from(begins.radial);
        view.sourceRows = sourceRows_.span().part(begins.sourceRows, sourceRows(plan));
        view.ids = tables().ids(v);
        view.idPitch = tables().idPitch();
        view.sidedIds = model().kernel.sided() ? frame.radialIds : 0;
        view.alongY = plan.alongY;
        view.climb = plan.climb;
        view.form = plan.form;
        view.reach = plan.reach;
        view.margin = plan.margin;
        view.windowStep = plan.windowStep();
        for (int d = 0; d <= kStreamWord; ++d) {
            view.gain[d] = static_cast<float>(plan.gain[static_cast<std::size_t>(d)]);
        }
        view.pitch = plan.pitch;
        view.centre = plan.centre;
        view.box = plan.box;
        view.rowStride = plan.rowStride();
        view.gradient[0] = static_cast<float>(plan.gradient[0]);
        view.gradient[1] = static_cast<float>(plan.gradient[1]);
        view.root = static_cast<float>(plan.root);
        view.bend = static_cast<float>(plan.bend);
        view.firstLine = plan.firstLine;
        view.lines = plan.lines;
        view.octets = plan.octets;
        view.columns = plan.columns();
        view.groupsPerColumn = plan.groupsPerColumn();
        view.tilesPerColumn = plan.tilesPerColumn();
        view.octetBytes = plan.octetBytes();
        view.stageLines = plan.stageLines;
        view.stageBytes = static_cast<int>(plan.stageBytes());
        view.depth = plan.depth;
        for (int i = 0; i < kStreamAlong; ++i) {
            view.rise[i] = plan.rise(i);
            view.highestOfGroup = std::max(view.highestOfGroup, view.rise[i]);
        }
        for (const StreamEntry& entry : plan.entries) {
            view.lowestAcross = std::min<int>(view.lowestAcross, std::min(entry.across[0], entry.across[1]));
            view.highestAcross =
                std::max<int>(view.highestAcross, std::max(entry.across[0], entry.across[1]));
        }
        view.lowest = *std::min_element(view.rise, view.rise + kStreamOctet);
        view.highest = *std::max_element(view.rise, view.rise + kStreamOctet);
        return view;
    }

    /// The table's values nearest the Gaussians' centres, and from them what all values of a column share.
    void computeRadial(const std::vector<StreamPlan>& plans, const std::vector<ListBegins>& begins) {
        HistoTables::Layout layout;
        std::vector<std::int32_t> order(tables().allTaps());
        for (std::size_t v = 0; v < plans.size(); ++v) {
            layout.begin.push_back(begins[v].radial);
            layout.rowStride.push_back(plans[v].rowStride());
            layout.tapStride.push_back(1);
            std::copy(plans[v].placeOf.begin(), plans[v].placeOf.end(),
                      order.begin() + static_cast<std::ptrdiff_t>(tables().tapBegin(v)));
        }
        check(cudaMemsetAsync(radial_.get(), 0, radial_.bytes(), cuda().stream()),
              "clear the radial factors");
        const auto orderBuffer = cuda().uploaded(order, "the order of the taps");
        layout.order = orderBuffer.span();
        tables().computeValues(layout, radial_.span());
        for (std::size_t v = 0; v < plans.size(); ++v) {
            if (plans[v].form != StreamForm::Tilted) {
                continue;
            }
            const auto box = static_cast<std::size_t>(plans[v].box);
            device::scaleRadial(
                cuda().stream(),
                radial_.span().part(begins[v].radial, static_cast<std::size_t>(tables().rows(v)) * box),
                scale_.span().part(begins[v].scale, box));
        }
        cuda().finish();
        scale_ = {};
    }

    int planes_;
    std::vector<device::StreamView> views_;
    std::vector<Launches> launches_;
    DeviceBuffer<StreamStage> stages_;
    DeviceBuffer<StreamEntry> entries_;
    DeviceBuffer<std::uint16_t> support_;
    DeviceBuffer<std::int32_t> tiles_;
    DeviceBuffer<float> scale_;  ///< while setting up
    DeviceBuffer<float> radial_;
    DeviceBuffer<std::uint16_t> sourceRows_;
    DeviceBuffer<unsigned char> image_;
    DeviceBuffer<unsigned char> zero_;
};

/// Whether the card and the build have the kernels.
bool streamable(const CudaSpace& space) {
    constexpr int kHopper = 90;
    return device::streamBuilt() && space.device().capability() == kHopper;
}

/// The plans of all views, or why one of them cannot be streamed.
std::variant<std::vector<StreamPlan>, std::string> plansOf(const DirectModel& model, const CudaSpace& space,
                                                           const std::vector<KernelFrame>& frames) {
    StreamLimits limits;
    limits.planes = device::streamPlanes(model.lattice.size[2]);
    limits.groups = device::streamGroups(limits.planes);
    limits.sharedBytes = device::streamSharedLimit(space.device().properties());
    std::vector<std::variant<StreamPlan, std::string>> made(frames.size());
    space.pool().forRange(frames.size(), 1, [&](std::size_t v, std::size_t) {
        made[v] = makeStreamPlan(model.kernel, model.lattice, frames[v], limits);
    });
    std::vector<StreamPlan> plans;
    for (auto& one : made) {
        if (const auto* why = std::get_if<std::string>(&one)) {
            return *why;
        }
        plans.push_back(std::move(std::get<StreamPlan>(one)));
    }
    return plans;
}

}  // namespace

std::unique_ptr<Projector> makeFasterStream(const DirectModel& model, const std::shared_ptr<CudaSpace>& space,
                                            const std::vector<KernelFrame>& frames, double clocks) {
    if (!streamable(*space)) {
        return nullptr;
    }
    const auto plans = plansOf(model, *space, frames);
    const auto* const usable = std::get_if<std::vector<StreamPlan>>(&plans);
    if (usable == nullptr) {
        return nullptr;
    }
    const int blocks = space->device().properties().multiProcessorCount;
    double sum = 0;
    std::size_t bytes = 0;
    for (std::size_t v = 0; v < usable->size(); ++v) {
        const StreamPlan& plan = (*usable)[v];
        sum += plan.clocks(model.lattice.size[2], blocks);
        bytes += sizeof(float) * static_cast<std::size_t>(frames[v].rows) *
                 static_cast<std::size_t>(plan.rowStride());
    }
    // Tables of kernels averaged over voxels are larger than those of the other strategies.
    if (sum / static_cast<double>(usable->size()) >= clocks || bytes > space->bytesFree() / 4) {
        return nullptr;
    }
    return std::make_unique<StreamProjector>(model, space, frames, *usable);
}

ProjectorOrWhyNot makeStreamProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space) {
    if (!streamable(*space)) {
        return Unsupported{
            "its strategy stream needs a card of compute capability 9.0 and a build with CUDA 12 or newer; "
            "take "
            "strategy column"};
    }
    const std::vector<KernelFrame> frames = kernelFrames(model, *space);
    const auto plans = plansOf(model, *space, frames);
    if (const auto* why = std::get_if<std::string>(&plans)) {
        return Unsupported{
            fmt::format("its strategy stream does not take kernel '{}': {}; take strategy column",
                        model.kernel.name, *why)};
    }
    return std::make_unique<StreamProjector>(model, std::move(space), frames,
                                             std::get<std::vector<StreamPlan>>(plans));
}

}  // namespace tof
