// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "recon/base/parallel.h"
#include "recon/seam/engine.h"
#include "recon/seam/space.h"

namespace tof {

/// The host's memory, with a pool of threads. Work is done when the call returns. Arrays are 64-byte aligned.
class HostSpace : public Space {
  public:
    /// `memoryLimitBytes` 0: no limit but the machine's.
    explicit HostSpace(int threads = 0, Priority priority = Priority::Normal,
                       std::size_t memoryLimitBytes = 0);
    ~HostSpace() override;

    [[nodiscard]] const ThreadPool& pool() const { return pool_; }

    [[nodiscard]] std::string name() const override { return "host"; }
    [[nodiscard]] bool hostMemory() const override { return true; }
    Heed exchangeHeed(Heed heed) override;
    [[nodiscard]] Array allocate(std::size_t floats) override;
    [[nodiscard]] std::size_t bytesFree() const override;
    void upload(std::span<const float> from, MutableView to) override;
    void download(ConstView from, std::span<float> to) override;
    [[nodiscard]] std::unique_ptr<Snapshot> snapshot(ConstView from) override;
    void finish() override {}
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
    void discrepancyAbove(const PartData& data, Discrepancy kind, float floor, MutableView p) override;
    void update(const VoxelUpdate& how, const UpdateTerms& terms, MutableView x) override;
    void penalise(const Penalty& penalty, PenaltyPart part, const PenaltyTerms& terms,
                  MutableView out) override;
    void gather(const Neighbourhood& neighbours, ConstView chosen, ChosenBy by, ConstView x,
                MutableView out) override;
    [[nodiscard]] std::unique_ptr<ImageFilter> inverseFilter(const Blur& blur) override;
    [[nodiscard]] double logLikelihood(const PartData& data, MutableView p) override;
    void sequence(const SequenceKey& key, std::size_t steps, const std::function<void(std::size_t)>& step,
                  const std::function<void(std::size_t)>& between) override;
    void stage(Stage stage) override;
    void stageEnd() override;
    [[nodiscard]] std::vector<double> takeStageSeconds() override;

  private:
    using Clock = std::chrono::steady_clock;
    struct Ledger;

    /// Called by loops before every chunk, by any thread. How long the question takes counts for no stage.
    void heed();

    Heed heed_;
    std::thread::id heeder_;  ///< none asks but this one
    Clock::time_point heeded_;
    ThreadPool pool_;
    std::shared_ptr<Ledger> ledger_;
    std::optional<Stage> current_;
    Clock::time_point since_;
    std::vector<double> seconds_;
};

}  // namespace tof
