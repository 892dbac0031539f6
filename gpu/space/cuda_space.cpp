// SPDX-License-Identifier: Apache-2.0
#include "gpu/space/cuda_space.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "gpu/nccl/nccl_peers.h"
#include "gpu/space/penalty_kernels.h"
#include "recon/base/error.h"

namespace tof {

namespace {

/// Work between two looks at the run's control: two groups may be queued, so half of the 50 ms of the
/// contract.
constexpr double kGroupSeconds = 0.025;
/// So many steps of a sequence's first pass are timed stage by stage: events keep kernels from overlapping.
constexpr std::size_t kTimedSteps = 12;
/// So many passes of sequences that are given anew are timed: in the first one ranks wait for each other to
/// be connected.
constexpr int kTimedPasses = 2;
constexpr std::size_t kCopyGrain = std::size_t{1} << 18U;
/// So much memory stays for the next projector: its tables and the images of a run, not its data.
constexpr std::size_t kKeepBytes = std::size_t{384} << 20U;
constexpr std::size_t kKeepShare = 8;  ///< part of the limit at most

void requireEqual(const char* what, std::initializer_list<std::size_t> sizes) {
    if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) != sizes.end()) {
        throw InternalError("{}: views of different sizes", what);
    }
}

/// Numbers over their sum; zeros where that is 0.
std::vector<double> proportionsOf(std::vector<double> values) {
    const double total = std::accumulate(values.begin(), values.end(), 0.0);
    for (double& value : values) {
        value = total > 0 ? value / total : 0;
    }
    return values;
}

}  // namespace

/// The graphs of one repeated sequence.
struct CudaSpace::Recorded {
    struct Group {
        std::size_t end = 0;  ///< steps done after it
        OwnedGraphExec graph;
    };
    std::size_t steps = 0;
    std::vector<std::size_t> ends;  ///< where the groups end, from the first pass
    std::vector<double> stageShare =
        std::vector<double>(kStages, 0.0);  ///< each stage's share of the first pass; sums to 1
    std::vector<Group> groups;              ///< empty before they are recorded
};

/// While it lives, and if it is wanted, stages are not marked.
class CudaSpace::Unmarked {
  public:
    Unmarked(CudaSpace& space, bool wanted) : space_(space), before_(space.unmarked_) {
        if (wanted) {
            space.unmarked_ = true;
        }
    }
    ~Unmarked() { space_.unmarked_ = before_; }
    Unmarked(const Unmarked&) = delete;
    Unmarked& operator=(const Unmarked&) = delete;

  private:
    CudaSpace& space_;
    bool before_;
};

/// Page-locked buffers for copies to the host, with device copies where snapshots need them; reused when
/// nobody holds them.
struct CudaSpace::PinnedPool {
    struct Slot {
        DeviceBuffer<float> copy;  ///< copy of a snapshot, made at its first use
        PinnedBuffer<float> host;
        OwnedEvent copied;
        OwnedEvent ready;
        bool taken = false;
    };
    std::mutex mutex;
    std::vector<std::shared_ptr<Slot>> slots;
    std::mutex copying;
    std::optional<ThreadPool> copiers;  ///< made when first needed; one image at a time

    /// One thread copies an image of 80 MB in the time of an iteration.
    void copyOut(const Slot& slot, std::vector<float>& image) {
        constexpr int kCopiers = 4;
        const std::lock_guard lock(copying);
        if (!copiers) {
            copiers.emplace(kCopiers);
        }
        copiers->forRange(image.size(), kCopyGrain, [&](std::size_t b, std::size_t e) {
            std::memcpy(image.data() + b, slot.host.get() + b, (e - b) * sizeof(float));
        });
    }

    std::shared_ptr<Slot> take(std::size_t size) {
        const std::lock_guard lock(mutex);
        for (const auto& slot : slots) {
            if (!slot->taken && slot->host.size() >= size) {
                slot->taken = true;
                return slot;
            }
        }
        auto slot = std::make_shared<Slot>();
        slot->host = PinnedBuffer<float>(size);
        slot->copied = makeEvent(EventUse::Order);
        slot->ready = makeEvent(EventUse::Order);
        slot->taken = true;
        slots.push_back(slot);
        return slot;
    }
    void giveBack(Slot& slot) {
        const std::lock_guard lock(mutex);
        slot.taken = false;
    }
};

class CudaSpace::PinnedSnapshot : public Snapshot {
  public:
    PinnedSnapshot(std::shared_ptr<CudaDevice> device, std::shared_ptr<PinnedPool> pool,
                   std::shared_ptr<PinnedPool::Slot> slot, std::size_t size)
        : device_(std::move(device)), pool_(std::move(pool)), slot_(std::move(slot)), size_(size) {}
    ~PinnedSnapshot() override {
        // The copy may still be on its way into the buffer.
        static_cast<void>(cudaEventSynchronize(slot_->ready.get()));
        static_cast<void>(cudaGetLastError());
        pool_->giveBack(*slot_);
    }
    PinnedSnapshot(const PinnedSnapshot&) = delete;
    PinnedSnapshot& operator=(const PinnedSnapshot&) = delete;

    bool ready() override { return cudaEventQuery(slot_->ready.get()) != cudaErrorNotReady; }
    void takeInto(std::vector<float>& image) override {
        device_->use();
        check(cudaEventSynchronize(slot_->ready.get()), "copy an image for display", {size_});
        if (image.size() == size_ && size_ > kLarge) {
            pool_->copyOut(*slot_, image);
        } else {
            image.assign(slot_->host.get(), slot_->host.get() + size_);
        }
    }

  private:
    static constexpr std::size_t kLarge = std::size_t{1} << 22U;  ///< values: 16 MiB

    std::shared_ptr<CudaDevice> device_;
    std::shared_ptr<PinnedPool> pool_;
    std::shared_ptr<PinnedPool::Slot> slot_;
    std::size_t size_;
};

class CudaSpace::Peers : public SpacePeers {
  public:
    Peers(CudaSpace& space, std::unique_ptr<NcclPeers> peers, int rank, int size)
        : space_(space), peers_(std::move(peers)), rank_(rank), ranks_(static_cast<std::size_t>(size)) {
        shares_ = space.buffer<float2>(ranks_, "what ranks expect");
    }

    void sum(MutableView x) override { peers_->sum(x); }
    void exchange(std::span<const Sent> sent, std::span<const Received> received) override {
        peers_->exchange(sent, received);
    }
    /// What all expect goes from rank to rank beside the halo, and is looked at afterwards: it hardly ever
    /// matters (device::openDiscrepancy()).
    void discrepancy(const PartData& data, Discrepancy kind, double whole, MutableView p,
                     const Halo& halo) override {
        const device::FloorParts left =
            p.size > 0 ? space_.openDiscrepancy(data, kind, p) : device::FloorParts{};
        device::joinFloor(space_.launch(), left, whole, shares_.get() + rank_);
        std::vector<Sent> sent = halo.sent;
        std::vector<Received> received = halo.received;
        for (int other = 0; other < static_cast<int>(ranks_); ++other) {
            if (other != rank_) {
                sent.push_back({other, shareOf(rank_)});
                received.push_back({other, shareOf(other)});
            }
        }
        peers_->exchange(sent, received);
        const bool alone = halo.p.size == 0;
        space_.closeDiscrepancy(alone ? data : halo.data, kind,
                                {shares_.get(), static_cast<unsigned>(ranks_)}, alone ? p : halo.p);
    }

  private:
    [[nodiscard]] MutableView shareOf(int rank) const {
        return {reinterpret_cast<float*>(shares_.get() + rank), sizeof(float2) / sizeof(float)};
    }

    CudaSpace& space_;
    std::unique_ptr<NcclPeers> peers_;
    int rank_;
    std::size_t ranks_;
    DeviceBuffer<float2> shares_;  ///< by rank, as device::joinFloor() leaves them
};

CudaSpace::CudaSpace(std::shared_ptr<CudaDevice> device, std::size_t memoryLimitBytes, int threads)
    : device_(std::move(device)),
      ledger_(std::make_shared<MemoryLedger>()),
      pool_(threads),
      staged_(device_, pool_),
      seconds_(kStages, 0.0) {
    device_->attach();
    try {
        ledger_->device = device_;
        const std::size_t all = device_->properties().totalGlobalMem;
        ledger_->limit = memoryLimitBytes > 0 ? std::min(memoryLimitBytes, all) : all;
        ledger_->keep = std::min(kKeepBytes, ledger_->limit / kKeepShare);
        overlap_ = device_->capability() >= 90;
        stream_ = makeStream();
        copyStream_ = makeStream();
        ledger_->streams = {stream_.get(), copyStream_.get()};
        reduction_ = buffer<double>(device::kReductionBlocks + 1, "the area of reductions");
        ticket_ = buffer<unsigned>(1, "the counter of reductions");
        check(cudaMemsetAsync(ticket_.get(), 0, sizeof(unsigned), stream()),
              "clear the counter of reductions");
        area_ = {reduction_.get() + 1, reduction_.get(), ticket_.get()};
        scalar_ = PinnedBuffer<double>(1);
        snapshots_ = std::make_shared<PinnedPool>();
        aside_ = makeEvent(EventUse::Order);
        before_ = makeEvent(EventUse::Order);
    } catch (...) {
        device_->detach();
        throw;
    }
}

CudaSpace::~CudaSpace() {
    static_cast<void>(cudaSetDevice(device_->index()));
    static_cast<void>(cudaStreamSynchronize(stream_.get()));
    static_cast<void>(cudaStreamSynchronize(copyStream_.get()));
    static_cast<void>(cudaGetLastError());
    device_->noticeFailure();
    device_->detach();
}

std::string CudaSpace::peerName() const {
    return ncclName(device_->properties());
}

std::string CudaSpace::peerKey() const {
    return ncclKey();
}

std::unique_ptr<SpacePeers> CudaSpace::joinPeers(const std::string& key, int rank, int size) {
    device_->use();
    return std::make_unique<Peers>(*this, joinNccl(key, rank, size, stream()), rank, size);
}

double CudaSpace::launchBudget(double perClock) const {
    constexpr double kSeconds = 0.01;
    const double clocks = 1e3 * device_->clockKHz() * kSeconds;
    return std::max(1e6, clocks * device_->properties().multiProcessorCount * perClock);
}

Array CudaSpace::allocate(std::size_t floats) {
    void* const memory = ledger_->allocate(floats * sizeof(float), "an array");
    return {static_cast<float*>(memory), floats,
            [ledger = ledger_, bytes = floats * sizeof(float)](float* p) { ledger->release(p, bytes); }};
}

std::size_t CudaSpace::bytesFree() const {
    device_->use();
    return ledger_->bytesFree();
}

void CudaSpace::sendBytes(cudaStream_t stream, std::span<const std::byte> from, void* to) {
    if (from.size() <= kCopyGrain * sizeof(float)) {  // the driver's own staging is as good
        check(cudaMemcpyAsync(to, from.data(), from.size(), cudaMemcpyHostToDevice, stream),
              "copy to the device", {from.size()});
        return;
    }
    staged_.copy(stream, from, to);
}

void CudaSpace::upload(std::span<const float> from, MutableView to) {
    requireEqual("upload", {from.size(), to.size});
    device_->use();
    sendBytes(stream(), std::as_bytes(from), to.data);
}

void CudaSpace::beginAside() {
    check(cudaEventRecord(before_.get(), stream()), "mark the work so far");
}

void CudaSpace::uploadAside(std::span<const float> from, MutableView to) {
    requireEqual("uploadAside", {from.size(), to.size});
    device_->use();
    check(cudaStreamWaitEvent(copyStream_.get(), before_.get(), 0), "order a copy behind the work so far");
    sendBytes(copyStream_.get(), std::as_bytes(from), to.data);
}

void CudaSpace::joinAside() {
    check(cudaEventRecord(aside_.get(), copyStream_.get()), "mark the copies so far");
    check(cudaStreamWaitEvent(stream(), aside_.get(), 0), "order work behind a copy");
}

void CudaSpace::download(ConstView from, std::span<float> to) {
    requireEqual("download", {from.size, to.size()});
    device_->use();
    if (from.size <= 1024) {
        check(cudaMemcpyAsync(to.data(), from.data, to.size_bytes(), cudaMemcpyDeviceToHost, stream()),
              "copy from the device", {to.size_bytes()});
        finish();
        return;
    }
    const auto slot = snapshots_->take(from.size);
    try {
        check(cudaMemcpyAsync(slot->host.get(), from.data, to.size_bytes(), cudaMemcpyDeviceToHost, stream()),
              "copy from the device", {to.size_bytes()});
        finish();
    } catch (...) {
        snapshots_->giveBack(*slot);
        throw;
    }
    // An image's memory is any memory; that the device could write it itself would take longer to arrange.
    pool_.forRange(to.size(), kCopyGrain, [&](std::size_t b, std::size_t e) {
        std::memcpy(to.data() + b, slot->host.get() + b, (e - b) * sizeof(float));
    });
    snapshots_->giveBack(*slot);
}

std::unique_ptr<Snapshot> CudaSpace::snapshot(ConstView from) {
    device_->use();
    auto slot = snapshots_->take(from.size);
    auto result = std::make_unique<PinnedSnapshot>(device_, snapshots_, slot, from.size);
    const std::size_t bytes = from.size * sizeof(float);
    if (slot->copy.size() < from.size) {
        slot->copy = buffer<float>(from.size, "the copy of an image for display");
    }
    // A copy within the device is quick and lets the image change at once; the slow copy out goes beside.
    check(cudaMemcpyAsync(slot->copy.get(), from.data, bytes, cudaMemcpyDeviceToDevice, stream()),
          "set an image aside for display", {bytes});
    check(cudaEventRecord(slot->copied.get(), stream()), "mark an image set aside");
    check(cudaStreamWaitEvent(copyStream_.get(), slot->copied.get(), 0), "order a copy out");
    check(
        cudaMemcpyAsync(slot->host.get(), slot->copy.get(), bytes, cudaMemcpyDeviceToHost, copyStream_.get()),
        "copy an image for display", {bytes});
    check(cudaEventRecord(slot->ready.get(), copyStream_.get()), "mark a copy out");
    return result;
}

void CudaSpace::finish() {
    device_->use();
    const cudaError_t status = cudaStreamSynchronize(stream());
    if (status != cudaSuccess) {
        device_->noticeFailure();
    }
    check(status, "finish the work given so far");
}

void CudaSpace::waitForDefaultStream() const {
    device_->use();
    check(cudaStreamSynchronize(cudaStreamLegacy), "wait for the default stream");
}

void CudaSpace::fill(MutableView x, float value) {
    device::fill(launch(), onDevice(x), value);
}

void CudaSpace::fillSeen(ConstView s, float floor, float value, MutableView x) {
    requireEqual("fillSeen", {s.size, x.size});
    device::fillSeen(launch(), onDevice(s), floor, value, onDevice(x));
}

void CudaSpace::copy(ConstView from, MutableView to) {
    requireEqual("copy", {from.size, to.size});
    check(cudaMemcpyAsync(to.data, from.data, from.size * sizeof(float), cudaMemcpyDeviceToDevice, stream()),
          "copy within the device", {from.size * sizeof(float)});
}

void CudaSpace::multiply(ConstView a, ConstView b, MutableView out) {
    requireEqual("multiply", {a.size, b.size, out.size});
    device::multiply(launch(), onDevice(a), onDevice(b), onDevice(out));
}

void CudaSpace::addAt(std::span<const std::uint64_t> places, float value, MutableView x) {
    if (places.empty()) {
        return;
    }
    DeviceBuffer<std::uint64_t> there = buffer<std::uint64_t>(places.size(), "places of counts");
    there.uploadFrom(places, stream());
    device::addAt(launch(), there.span(), value, onDevice(x));
    finish();  // the places go
}

void CudaSpace::addScaled(ConstView a, float factor, MutableView out) {
    requireEqual("addScaled", {a.size, out.size});
    device::addScaled(launch(), onDevice(a), factor, onDevice(out));
}

double CudaSpace::reduced(const char* what) {
    check(cudaMemcpyAsync(scalar_.get(), area_.total, sizeof(double), cudaMemcpyDeviceToHost, stream()),
          what);
    finish();
    return *scalar_.get();
}

double CudaSpace::sum(ConstView x) {
    if (x.size == 0) {
        return 0;
    }
    device::sum(launch(), onDevice(x), area_);
    return reduced("copy a sum from the device");
}

float CudaSpace::maximum(ConstView x) {
    if (x.size == 0) {
        return 0;
    }
    device::maximum(launch(), onDevice(x), area_);
    return static_cast<float>(reduced("copy a maximum from the device"));
}

void CudaSpace::sumExpected(const PartData& data, MutableView p) {
    requireEqual("discrepancy (add)", {data.add.empty() ? p.size : data.add.size, p.size});
    device::expected(launch(), onDevice(data.mult), onDevice(data.add), onDevice(p), area_);
}

void CudaSpace::discrepancy(const PartData& data, Discrepancy kind, MutableView p) {
    sumExpected(data, p);
    ratioOfExpected(data, kind, p);
}

double CudaSpace::expect(const PartData& data, MutableView p) {
    sumExpected(data, p);
    return reduced("copy a sum from the device");
}

void CudaSpace::discrepancyAbove(const PartData& data, Discrepancy kind, float floor, MutableView p) {
    // The kernel takes its floor from a total, here that of which these data are the mean piece.
    const double total =
        static_cast<double>(floor) / static_cast<double>(kExpectedFloor) * static_cast<double>(p.size);
    check(cudaMemcpyAsync(area_.total, &total, sizeof(double), cudaMemcpyHostToDevice, stream()),
          "send a sum to the device");
    ratioOfExpected(data, kind, p);
}

void CudaSpace::ratioOfExpected(const PartData& data, Discrepancy kind, MutableView e) {
    requireEqual("discrepancy", {data.y.size, e.size});
    requireEqual("discrepancy (mult)", {data.mult.empty() ? e.size : data.mult.size, e.size});
    device::ratio(launch(), onDevice(data.y), onDevice(data.mult), offsetOf(kind), onDevice(e), area_);
}

device::FloorParts CudaSpace::openDiscrepancy(const PartData& data, Discrepancy kind, MutableView p) {
    requireEqual("discrepancy", {data.y.size, p.size});
    requireEqual("discrepancy (mult)", {data.mult.empty() ? p.size : data.mult.size, p.size});
    requireEqual("discrepancy (add)", {data.add.empty() ? p.size : data.add.size, p.size});
    device::FloorParts left{reinterpret_cast<float2*>(area_.partial), 0};
    device::openDiscrepancy(launch(), {onDevice(data.y), onDevice(data.mult), onDevice(data.add)},
                            offsetOf(kind), onDevice(p), left);
    return left;
}

void CudaSpace::closeDiscrepancy(const PartData& data, Discrepancy kind, const device::FloorParts& shares,
                                 MutableView p) {
    if (p.size == 0) {
        return;
    }
    requireEqual("discrepancy", {data.y.size, p.size});
    requireEqual("discrepancy (mult)", {data.mult.empty() ? p.size : data.mult.size, p.size});
    device::closeDiscrepancy(launch(), {onDevice(data.y), onDevice(data.mult), {}}, offsetOf(kind),
                             onDevice(p), shares);
}

void CudaSpace::update(const VoxelUpdate& how, const UpdateTerms& terms, MutableView x) {
    requireEqual("update", {terms.correction.size, terms.sensitivity.size, x.size});
    device::DeviceTerms on{onDevice(terms.correction),
                           onDevice(terms.sensitivity),
                           terms.settled,
                           onDevice(terms.lambda),
                           {},
                           {}};
    if (!terms.next.att.empty()) {
        requireEqual("update (next)", {terms.next.att.size, terms.next.image.size, x.size});
        on.att = onDevice(terms.next.att);
        on.attenuated = onDevice(terms.next.image);
    }
    device::update(launch(), how, on, onDevice(x));
}

void CudaSpace::penalise(const Penalty& penalty, PenaltyPart part, const PenaltyTerms& terms,
                         MutableView out) {
    requirePenalisable(penalty, part, terms, out);
    device::penalise(launch(), penalty, part,
                     {onDevice(terms.x), onDevice(terms.kappa), onDevice(terms.vector),
                      onDevice(terms.chosen), terms.factor, terms.write == Write::Add},
                     onDevice(out));
}

void CudaSpace::gather(const Neighbourhood& neighbours, ConstView chosen, ChosenBy by, ConstView x,
                       MutableView out) {
    requireGatherable(neighbours, chosen, x, out);
    device::gather(launch(), neighbours, onDevice(chosen), by, onDevice(x), onDevice(out));
}

double CudaSpace::logLikelihood(const PartData& data, MutableView p) {
    requireEqual("logLikelihood", {data.y.size, p.size});
    if (p.size == 0) {
        return 0;
    }
    sumExpected(data, p);
    device::logLikelihood(launch(), onDevice(data.y), onDevice(p), area_);
    return reduced("copy a log-likelihood from the device");
}

void CudaSpace::sequence(const SequenceKey& key, std::size_t steps,
                         const std::function<void(std::size_t)>& step,
                         const std::function<void(std::size_t)>& between) {
    device_->use();
    if (key.repeat == Repeat::GivenAnew && steps > 0) {
        runAnew(key, steps, step, between);
        return;
    }
    if (key.name.empty() || steps == 0) {
        runDirectly(steps, step, between, nullptr);
        return;
    }
    auto& entry = recorded_[{key.name, key.generation}];
    if (entry == nullptr || entry->steps != steps) {
        entry = std::make_unique<Recorded>();
        entry->steps = steps;
        runDirectly(steps, step, between, entry.get());
        return;
    }
    if (entry->groups.empty()) {
        runDirectly(steps, step, between, entry.get());  // the first pass was left early
        return;
    }
    replay(*entry, between);
}

void CudaSpace::runDirectly(std::size_t steps, const std::function<void(std::size_t)>& step,
                            const std::function<void(std::size_t)>& between, Recorded* recorded) {
    const OwnedEvent start = makeEvent(EventUse::Timed);
    const OwnedEvent end = makeEvent(EventUse::Timed);
    const std::size_t timed = recorded != nullptr ? std::min(steps, kTimedSteps) : steps;
    const std::vector<double> before = recorded != nullptr ? takeStageSeconds() : std::vector<double>();
    std::size_t group = 1;
    double untimedSeconds = 0;
    for (std::size_t begin = 0; begin < steps;) {
        const bool stages = begin < timed;
        const std::size_t stop = std::min(stages ? timed : steps, begin + group);
        if (!stages) {
            stageEnd();  // that of the last step that is timed, if it has left that open
        }
        check(cudaEventRecord(start.get(), stream()), "mark the start of a group");
        {
            const Unmarked unmarked(*this, !stages);
            for (std::size_t i = begin; i < stop; ++i) {
                step(i);
            }
        }
        check(cudaEventRecord(end.get(), stream()), "mark the end of a group");
        if (recorded != nullptr && stop == steps) {
            regroup(*recorded, group);
            record(*recorded, step);  // while the device is busy with the steps
        }
        finish();
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, start.get(), end.get()), "time a group");
        const double seconds = 1e-3 * static_cast<double>(milliseconds);
        const double perStep = std::max(seconds / static_cast<double>(stop - begin), 1e-7);
        group = std::clamp<std::size_t>(static_cast<std::size_t>(kGroupSeconds / perStep), 1, 1024);
        untimedSeconds += stages ? 0 : seconds;
        begin = stop;
        if (recorded != nullptr && stop == steps) {
            shareOut(*recorded, before, untimedSeconds);
        }
        between(stop);
    }
}

/// Cuts the steps of a sequence into groups of so many.
void CudaSpace::regroup(Recorded& recorded, std::size_t group) {
    recorded.ends.clear();
    for (std::size_t stop = std::min(group, recorded.steps);; stop = std::min(stop + group, recorded.steps)) {
        recorded.ends.push_back(stop);
        if (stop == recorded.steps) {
            break;
        }
    }
}

/// After a first pass: keeps the proportions of the stages of the steps whose stages were timed, and shares
/// the others' time out by them. `before`: seconds of stages from before it.
void CudaSpace::shareOut(Recorded& recorded, const std::vector<double>& before, double untimedSeconds) {
    const std::vector<double> timed = takeStageSeconds();
    recorded.stageShare = proportionsOf(timed);
    for (std::size_t i = 0; i < kStages; ++i) {
        seconds_[i] += before[i] + timed[i] + untimedSeconds * recorded.stageShare[i];
    }
}

void CudaSpace::record(Recorded& recorded, const std::function<void(std::size_t)>& step) {
    std::vector<Recorded::Group> groups;
    std::size_t begin = 0;
    for (const std::size_t stop : recorded.ends) {
        check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal), "begin recording a graph");
        cudaGraph_t graph = nullptr;
        try {
            const Unmarked unmarked(*this, true);
            for (std::size_t i = begin; i < stop; ++i) {
                step(i);
            }
        } catch (...) {
            static_cast<void>(cudaStreamEndCapture(stream(), &graph));
            const OwnedGraph discarded(graph);
            throw;
        }
        check(cudaStreamEndCapture(stream(), &graph), "end recording a graph", {stop - begin});
        const OwnedGraph owned(graph);
        cudaGraphExec_t executable = nullptr;
        check(cudaGraphInstantiate(&executable, graph, 0), "make a graph ready", {stop - begin});
        groups.push_back({stop, OwnedGraphExec(executable)});
        check(cudaGraphUpload(executable, stream()), "send a graph to the device", {stop - begin});
        begin = stop;
    }
    recorded.groups = std::move(groups);
}

void CudaSpace::replay(Recorded& recorded, const std::function<void(std::size_t)>& between) {
    giveInTurns(
        recorded.groups.size(),
        [&](std::size_t g) {
            check(cudaGraphLaunch(recorded.groups[g].graph.get(), stream()), "launch a graph");
        },
        [&](std::size_t g) { between(recorded.groups[g].end); }, recorded.stageShare);
}

void CudaSpace::runAnew(const SequenceKey& key, std::size_t steps,
                        const std::function<void(std::size_t)>& step,
                        const std::function<void(std::size_t)>& between) {
    Timed& timed = timed_[{key.name, key.generation}];
    const bool stages = key.name.empty() || timed.passes < kTimedPasses;
    stageEnd();
    const auto give = [&](std::size_t i) {
        const Unmarked unmarked(*this, !stages);
        step(i);
    };
    const auto after = [&](std::size_t i) { between(i + 1); };
    if (!stages) {
        giveInTurns(steps, give, after, proportionsOf(timed.seconds));
        return;
    }
    finish();
    resolveMarks(seconds_);
    const std::vector<double> before = seconds_;
    giveInTurns(steps, give, after, {});
    stageEnd();
    finish();
    resolveMarks(seconds_);
    ++timed.passes;
    for (std::size_t i = 0; i < kStages; ++i) {
        timed.seconds[i] = seconds_[i] - before[i];
    }
}

/// Gives groups of work, two of which are on their way at a time, and calls between(g) when g has been given
/// and those before are done. What they take is shared out over the stages by `share`, if there is any.
void CudaSpace::giveInTurns(std::size_t groups, const std::function<void(std::size_t)>& give,
                            const std::function<void(std::size_t)>& between,
                            const std::vector<double>& share) {
    const OwnedEvent start = makeEvent(EventUse::Timed);
    std::vector<OwnedEvent> ends;
    const auto wait = [&](std::size_t group) {
        const cudaError_t status = cudaEventSynchronize(ends[group].get());
        if (status != cudaSuccess) {
            device_->noticeFailure();
        }
        check(status, "wait for a group of work");
    };
    const auto account = [&](std::size_t given) {
        float milliseconds = 0;
        wait(given - 1);
        check(cudaEventElapsedTime(&milliseconds, start.get(), ends[given - 1].get()), "time a group");
        for (std::size_t i = 0; i < share.size(); ++i) {
            seconds_[i] += 1e-3 * static_cast<double>(milliseconds) * share[i];
        }
    };
    check(cudaEventRecord(start.get(), stream()), "mark the start of a group");
    for (std::size_t g = 0; g < groups; ++g) {
        give(g);
        ends.push_back(makeEvent(EventUse::Timed));
        check(cudaEventRecord(ends.back().get(), stream()), "mark the end of a group");
        if (g > 0) {
            wait(g - 1);
        }
        try {
            between(g);
        } catch (...) {
            account(g + 1);
            throw;
        }
    }
    account(groups);
}

cudaEvent_t CudaSpace::nextEvent() {
    if (eventsUsed_ == events_.size()) {
        events_.push_back(makeEvent(EventUse::Timed));
    }
    return events_[eventsUsed_++].get();
}

void CudaSpace::mark(std::optional<Stage> stage) {
    if (unmarked_ || (!stage && !current_)) {
        return;
    }
    current_ = stage;
    const cudaEvent_t event = nextEvent();
    check(cudaEventRecord(event, stream()), "mark a stage");
    marks_.push_back({stage, event});
}

void CudaSpace::stage(Stage stage) {
    mark(stage);
}
void CudaSpace::stageEnd() {
    mark(std::nullopt);
}

void CudaSpace::resolveMarks(std::vector<double>& seconds) {
    for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
        if (marks_[i].stage) {
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, marks_[i].event, marks_[i + 1].event), "time a stage");
            seconds[static_cast<std::size_t>(*marks_[i].stage)] += 1e-3 * static_cast<double>(milliseconds);
        }
    }
    marks_.clear();
    eventsUsed_ = 0;
}

std::vector<double> CudaSpace::takeStageSeconds() {
    stageEnd();
    finish();
    resolveMarks(seconds_);
    return std::exchange(seconds_, std::vector<double>(kStages, 0.0));
}

}  // namespace tof
