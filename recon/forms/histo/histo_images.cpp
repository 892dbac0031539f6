// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/histo/histo_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <utility>

#include "recon/base/view.h"
#include "recon/binning/cell_recording.h"
#include "recon/forms/form/list_motion.h"
#include "recon/forms/histo/histo_frames.h"

namespace tof {

namespace {

BinningSettings settingsOf(const BinContext& context, std::shared_ptr<const RigidMotion> motion = {}) {
    const BinRequest& request = context.request();
    return {request.azimuths,  request.tilts, context.lattice(), request.trilinear,
            request.endPoints, request.seed,  std::move(motion)};
}

/// The poses that sensitivities are means over; none where nothing moves.
ListPoses posesOf(const BinContext& context, const RigidMotion* motion, double duration_s) {
    return motion == nullptr ? ListPoses()
                             : posesOfList(context, *motion, duration_s, RigidMotion::kAlike_mm);
}

std::optional<Volume> attenuationOfList(const BinContext& context, const std::string& phantom) {
    return context.attenuation(phantom, kAttenuationSpacing_mm);
}

/// Factors of histo-images that are computed while events are still counted.
class FactorsAhead {
  public:
    /// `outline`: the views without counts. Keeps references.
    FactorsAhead(HistoData outline, const Scanner& scanner, const std::optional<Volume>& mu,
                 const std::vector<WeighedPose>& poses, int threads)
        : factors_(std::move(outline)) {
        made_ = std::async(std::launch::async, [this, &scanner, &mu, &poses, threads] {
            const ThreadPool pool(threads, Priority::Normal, [this] {
                if (unwanted_) {
                    throw Cancelled();
                }
            });
            computeFactors(
                factors_, scanner, mu ? &*mu : nullptr, pool, [this](double share) { share_ = share; }, {},
                poses);
        });
    }
    FactorsAhead(const FactorsAhead&) = delete;
    FactorsAhead& operator=(const FactorsAhead&) = delete;
    ~FactorsAhead() { unwanted_ = true; }

    /// Waits for them; `progress` gets the share done and may throw.
    void addTo(HistoData& data, const std::function<void(double)>& progress) {
        constexpr std::chrono::milliseconds kBetweenReports{20};
        while (made_.wait_for(kBetweenReports) != std::future_status::ready) {
            progress(share_);
        }
        made_.get();
        progress(1);
        data.multGrid = factors_.multGrid;
        data.attGrid = factors_.attGrid;
    }

  private:
    HistoData factors_;
    std::atomic<double> share_ = 0;
    std::atomic<bool> unwanted_ = false;
    std::future<void> made_;  ///< last: waits before what it uses goes
};

/// Efficiencies and attenuation of counts.
void addFactors(HistoData& data, const Scanner& scanner, const std::optional<Volume>& mu,
                const BinContext& context, const std::vector<WeighedPose>& poses = {}) {
    Communicator& ranks = context.ranks();
    const FactorShare share{ranks.rank(), ranks.size()};
    computeFactors(data, scanner, mu ? &*mu : nullptr, context.pool(),
                   context.progress().begin("corrections"), share, poses);
    joinFactors(ranks, data);
    if (!context.request().atPoints && context.first()) {
        data.expandFactors(context.pool());
    }
}

/// Efficiencies of frames, each the mean over its own poses; frames with the same poses share one.
std::vector<FramePoses> framePoses(const HistoData& outline, const Scanner& scanner, ListPoses list,
                                   const BinContext& context) {
    std::vector<FramePoses>& frames = list.frames;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto known =
            std::find_if(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const FramePoses& one) { return one.shares == frames[i].shares; });
        if (known->eff != nullptr || frames[i].shares.empty()) {
            frames[i].eff = known->eff;
            continue;
        }
        std::vector<WeighedPose> own;
        for (std::size_t pose = 0; pose < frames[i].shares.size(); ++pose) {
            if (frames[i].shares[pose] > 0) {
                own.push_back({list.steps.poses[pose].pose, frames[i].shares[pose]});
            }
        }
        HistoData views = outline;
        Communicator& ranks = context.ranks();
        computeFactors(views, scanner, nullptr, context.pool(),
                       context.progress().begin(fmt::format("corrections of frame {}", i + 1)),
                       {ranks.rank(), ranks.size()}, own);
        joinFactors(ranks, views);
        frames[i].eff = views.multGrid;
    }
    return std::move(frames);
}

/// What histo-images leave out, and whether they fit this machine.
void checkImages(bool hasFactors, const Scanner& scanner, bool attenuates, const BinContext& context) {
    const BinRequest& request = context.request();
    if (hasFactors) {
        context.note(request.input + ": the correction factors stored with the events are not used");
    }
    // Counts, efficiencies and, if there is something to attenuate, survival of every voxel of every view.
    const double views = (attenuates ? 3.0 : 2.0) * sizeof(float) * request.azimuths * request.tilts *
                         static_cast<double>(context.lattice().voxels());
    const ViewGrid grid(request.azimuths, request.tilts, scanner.acceptance_rad);
    context.requireRoom(views + (request.moves() ? movedTableBytes(scanner, grid) : 0.0));
    if (request.endPoints == EndPoints::Face && !scanner.facesKnown) {
        context.note(
            fmt::format("{}: the sizes of its crystals are not known, so events stay on the lines "
                        "between crystal centres (--deposit centre)",
                        request.input));
    }
}

}  // namespace

HistoData binHistoImages(EventList events, const Scanner& scanner, const BinContext& asked) {
    BinRequest request = asked.request();
    request.ranks = communicatorOfOne();  // a list that is not divided is one process's
    const BinContext context(request, asked.pool(), asked.progress());
    const std::optional<Volume> mu = attenuationOfList(context, events.phantom);
    checkImages(!events.mult.empty() || !events.add.empty(), scanner, mu.has_value(), context);
    const std::shared_ptr<const RigidMotion> motion = motionOfList(context, events.duration_s);
    const BinningSettings settings = settingsOf(context, motion);
    ListPoses list = posesOf(context, motion.get(), events.duration_s);
    const std::vector<WeighedPose> poses = list.steps.poses;
    EventDeposit deposit(scanner, settings, context.pool());
    FramedDeposit framed(context, deposit, events, events.size());
    framed.addAt(0, events, context.progress().begin("deposit"));
    framed.setPoses(framePoses(emptyViews(scanner, settings), scanner, std::move(list), context));
    HistoData data = framed.take(events);
    data.poses = poses;
    events = {};
    addFactors(data, scanner, mu, context, poses);
    return data;
}

HistoData binHistoImages(EventSource& source, const BinContext& context) {
    const EventStream& list = *source.stream();
    const Scanner& scanner = source.scanner().used();
    const std::optional<Volume> mu = attenuationOfList(context, list.scan().phantom);
    checkImages(list.hasFactors(), scanner, mu.has_value(), context);
    const double duration_s = list.scan().duration_s;
    const BinningSettings settings = settingsOf(context, motionOfList(context, duration_s));
    ListPoses framesOf = posesOf(context, settings.motion.get(), duration_s);
    const std::vector<WeighedPose> poses = framesOf.steps.poses;
    const ThreadPool& pool = context.pool();
    // Both take all cores, and one goes on where the other waits; fewer threads do one after the other.
    std::unique_ptr<FactorsAhead> ahead;
    if (context.ranks().alone() && pool.threads() >= ThreadPool().threads()) {
        ahead =
            std::make_unique<FactorsAhead>(emptyViews(scanner, settings), scanner, mu, poses, pool.threads());
    }
    EventDeposit deposit(scanner, settings, pool, context.request().ranks);
    FramedDeposit framed(context, deposit, list.scan(), list.size());
    source.forParts(context.progress().begin("deposit"), [&](std::uint64_t first, const EventList& part,
                                                             const std::function<void(double)>& progress) {
        framed.addAt(first, part, progress);
    });
    framed.setPoses(framePoses(emptyViews(scanner, settings), scanner, std::move(framesOf), context));
    HistoData data = framed.take(list.scan());
    data.poses = poses;
    if (!ahead) {
        addFactors(data, scanner, mu, context, poses);
        return data;
    }
    ahead->addTo(data, context.progress().begin("corrections"));
    if (!context.request().atPoints) {
        data.expandFactors(pool);
    }
    return data;
}

HistoData binHistoImages(EventList events, const Scanner& scanner, const BinRequest& request,
                         const ThreadPool& pool, WorkProgress& progress) {
    return binHistoImages(std::move(events), scanner, BinContext(request, pool, progress));
}

struct PartwiseHistoImages::Parts {
    Parts(const Scanner& of, const BinRequest& request, const ThreadPool& pool, WorkProgress& progress)
        : scanner(of), context(request, pool, progress), deposit(of, settingsOf(context), pool) {}

    const Scanner& scanner;
    BinContext context;
    EventDeposit deposit;
};

PartwiseHistoImages::PartwiseHistoImages(const Scanner& scanner, const BinRequest& request,
                                         const ThreadPool& pool, WorkProgress& progress)
    : parts_(std::make_unique<Parts>(scanner, request, pool, progress)) {}

PartwiseHistoImages::~PartwiseHistoImages() = default;

void PartwiseHistoImages::add(const EventList& part) {
    parts_->deposit.add(part);
}

void PartwiseHistoImages::tell(std::function<void(const DepositedBatch&)> listener) {
    parts_->deposit.tell(std::move(listener));
}

HistoData PartwiseHistoImages::factors(const EventList& scan) const {
    const ThreadPool pool(parts_->context.pool().threads());  // the other one is busy with events
    const BinContext context(parts_->context.request(), pool, parts_->context.progress());
    const std::optional<Volume> mu = attenuationOfList(context, scan.phantom);
    checkImages(false, parts_->scanner, mu.has_value(), context);
    HistoData views = emptyViews(parts_->scanner, settingsOf(context));
    addFactors(views, parts_->scanner, mu, context);
    return views;
}

HistoData PartwiseHistoImages::takeCounts(const EventList& scan) {
    return parts_->deposit.take(scan);
}

HistoData PartwiseHistoImages::finish(const EventList& scan) {
    HistoData data = parts_->deposit.take(scan);
    addFactors(data, parts_->scanner, attenuationOfList(parts_->context, data.phantom), parts_->context);
    return data;
}

}  // namespace tof
