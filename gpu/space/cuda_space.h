// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <any>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/space/cuda_device.h"
#include "gpu/space/cuda_owned.h"
#include "gpu/space/element_kernels.h"
#include "gpu/space/staged_copy.h"
#include "recon/base/parallel.h"
#include "recon/seam/shared_device.h"
#include "recon/seam/space.h"

namespace tof {

/// What a view of a CudaSpace shows.
[[nodiscard]] inline DeviceSpan<const float> onDevice(ConstView view) {
    return {view.data, view.size};
}
[[nodiscard]] inline DeviceSpan<float> onDevice(MutableView view) {
    return {view.data, view.size};
}

/// The memory of one CUDA device, with a stream for work and one for copies beside it.
///
/// Repeated sequences are recorded as CUDA graphs: the first time a key comes its steps run one by one, the
/// first of them timed stage by stage with events, and are recorded while the device is busy with the last;
/// from the second time on the graphs are replayed. What is measured in total is shared out over the stages
/// in the proportions of the steps that were timed. Of those that are given anew the first two passes are
/// timed so, and the second counts. Two groups are on their way at a time.
class CudaSpace : public Space, public SharesDevice {
  public:
    /// `memoryLimitBytes` 0: what the device has.
    CudaSpace(std::shared_ptr<CudaDevice> device, std::size_t memoryLimitBytes, int threads);
    ~CudaSpace() override;
    CudaSpace(const CudaSpace&) = delete;
    CudaSpace& operator=(const CudaSpace&) = delete;

    [[nodiscard]] const CudaDevice& device() const { return *device_; }
    [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
    [[nodiscard]] device::Launch launch() const { return {stream_.get(), overlap_}; }
    /// Host threads for preparing tables.
    [[nodiscard]] const ThreadPool& pool() const { return pool_; }
    /// Multiply-adds that one launch may hold so that it ends within about 10 ms, at `perClock` multiply-adds
    /// per clock and multiprocessor.
    [[nodiscard]] double launchBudget(double perClock) const;
    /// Memory for other things than floats, counted against the limit like allocate().
    template <typename T>
    [[nodiscard]] DeviceBuffer<T> buffer(std::size_t count, const char* what) {
        return DeviceBuffer<T>(ledger_, count, what);
    }
    /// A list sent to the device on stream(); it may go when this returns. No buffer for an empty list.
    template <typename T>
    [[nodiscard]] DeviceBuffer<T> uploaded(const std::vector<T>& list, const char* what) {
        DeviceBuffer<T> to = list.empty() ? DeviceBuffer<T>() : buffer<T>(list.size(), what);
        if (!list.empty()) {
            sendTo(to, std::span(list));
        }
        return to;
    }
    /// Sends a list to memory of the device that holds as much, on stream(), a large one by all threads; it
    /// may go when this returns.
    template <typename T>
    void sendTo(DeviceBuffer<T>& to, std::span<const T> list) {
        sendBytes(stream(), std::as_bytes(list), to.get());
    }

    /// What makers of projectors leave here for the next projector, by their name; empty at first. It lives
    /// as long as the space and must not own it.
    [[nodiscard]] std::any& kept(const std::string& maker) { return kept_[maker]; }

    [[nodiscard]] std::string name() const override { return "cuda"; }
    [[nodiscard]] std::string peerName() const override;
    [[nodiscard]] std::string peerKey() const override;
    [[nodiscard]] std::unique_ptr<SpacePeers> joinPeers(const std::string& key, int rank, int size) override;
    [[nodiscard]] Array allocate(std::size_t floats) override;
    [[nodiscard]] std::size_t bytesFree() const override;
    void upload(std::span<const float> from, MutableView to) override;
    void beginAside() override;
    void uploadAside(std::span<const float> from, MutableView to) override;
    void joinAside() override;
    void download(ConstView from, std::span<float> to) override;
    [[nodiscard]] std::unique_ptr<Snapshot> snapshot(ConstView from) override;
    void finish() override;
    void waitForDefaultStream() const override;
    void fill(MutableView x, float value) override;
    void fillSeen(ConstView s, float floor, float value, MutableView x) override;
    void copy(ConstView from, MutableView to) override;
    void multiply(ConstView a, ConstView b, MutableView out) override;
    void addScaled(ConstView a, float factor, MutableView out) override;
    void addAt(std::span<const std::uint64_t> places, float value, MutableView x) override;
    [[nodiscard]] double sum(ConstView x) override;
    [[nodiscard]] float maximum(ConstView x) override;
    void discrepancy(const PartData& data, Discrepancy kind, MutableView p) override;
    [[nodiscard]] double expect(const PartData& data, MutableView p) override;
    /// The floor as it comes out of a mean over these data: to the last digit of a float.
    void discrepancyAbove(const PartData& data, Discrepancy kind, float floor, MutableView p) override;
    /// discrepancy() but for its floor, which the kernel that projects p back sees to by what this returns,
    /// before the space is asked for another.
    [[nodiscard]] device::FloorParts openDiscrepancy(const PartData& data, Discrepancy kind, MutableView p);
    /// The rest of it, where the floor comes from `shares` of it (device::joinFloor()).
    void closeDiscrepancy(const PartData& data, Discrepancy kind, const device::FloorParts& shares,
                          MutableView p);
    void update(const VoxelUpdate& how, const UpdateTerms& terms, MutableView x) override;
    void penalise(const Penalty& penalty, PenaltyPart part, const PenaltyTerms& terms,
                  MutableView out) override;
    void gather(const Neighbourhood& neighbours, ConstView chosen, ChosenBy by, ConstView x,
                MutableView out) override;
    [[nodiscard]] double logLikelihood(const PartData& data, MutableView p) override;
    void sequence(const SequenceKey& key, std::size_t steps, const std::function<void(std::size_t)>& step,
                  const std::function<void(std::size_t)>& between) override;
    void stage(Stage stage) override;
    void stageEnd() override;
    [[nodiscard]] std::vector<double> takeStageSeconds() override;

  private:
    struct Recorded;
    /// What the last timed pass of a sequence that is given anew took, by stage.
    struct Timed {
        int passes = 0;
        std::vector<double> seconds = std::vector<double>(kStages, 0.0);
    };
    struct PinnedPool;
    class PinnedSnapshot;
    class Peers;
    class Unmarked;
    struct Mark {
        std::optional<Stage> stage;  ///< that begins here; none: an end
        cudaEvent_t event;
    };

    [[nodiscard]] cudaEvent_t nextEvent();
    /// The second half of discrepancy().
    void ratioOfExpected(const PartData& data, Discrepancy kind, MutableView e);
    void mark(std::optional<Stage> stage);
    /// p from forward projection to e, whose sum is left in area_.
    void sumExpected(const PartData& data, MutableView p);
    /// What a reduction left, on the host.
    [[nodiscard]] double reduced(const char* what);
    void sendBytes(cudaStream_t stream, std::span<const std::byte> from, void* to);
    void runDirectly(std::size_t steps, const std::function<void(std::size_t)>& step,
                     const std::function<void(std::size_t)>& between, Recorded* recorded);
    void runAnew(const SequenceKey& key, std::size_t steps, const std::function<void(std::size_t)>& step,
                 const std::function<void(std::size_t)>& between);
    void giveInTurns(std::size_t groups, const std::function<void(std::size_t)>& give,
                     const std::function<void(std::size_t)>& between, const std::vector<double>& share);
    static void regroup(Recorded& recorded, std::size_t group);
    void shareOut(Recorded& recorded, const std::vector<double>& before, double untimedSeconds);
    void record(Recorded& recorded, const std::function<void(std::size_t)>& step);
    void replay(Recorded& recorded, const std::function<void(std::size_t)>& between);
    void resolveMarks(std::vector<double>& seconds);

    std::shared_ptr<CudaDevice> device_;
    std::shared_ptr<MemoryLedger> ledger_;
    ThreadPool pool_;
    bool overlap_;
    OwnedStream stream_;
    OwnedStream copyStream_;
    DeviceBuffer<double> reduction_;
    DeviceBuffer<unsigned> ticket_;
    device::ReductionArea area_;
    PinnedBuffer<double> scalar_;
    std::shared_ptr<PinnedPool> snapshots_;
    StagedCopy staged_;
    OwnedEvent aside_;
    OwnedEvent before_;

    std::map<std::pair<std::string, std::uint64_t>, std::unique_ptr<Recorded>> recorded_;
    std::map<std::pair<std::string, std::uint64_t>, Timed> timed_;
    bool unmarked_ = false;  ///< stages are not timed now
    std::vector<OwnedEvent> events_;
    std::size_t eventsUsed_ = 0;
    std::vector<Mark> marks_;
    std::optional<Stage> current_;
    std::vector<double> seconds_;
    std::map<std::string, std::any> kept_;
};

}  // namespace tof
