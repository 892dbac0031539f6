// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "recon/data/histo_data.h"
#include "recon/data/line_data.h"
#include "recon/seam/data_source.h"

namespace tof {

/// Counts and corrections of any system, cut into parts of equal size where `firsts` does not say otherwise.
/// `owner` keeps the memory alive.
struct PartedData {
    std::span<const float> counts;
    std::span<const float> mult;  ///< may be empty
    std::span<const float> add;   ///< may be empty
    std::size_t parts = 0;
    std::size_t partSize = 0;
    std::shared_ptr<const void> owner;
    std::span<const float> att = {};  ///< may be empty; else an image of partSize voxels for every part
    /// First value of each part where parts are not alike; none is larger than partSize.
    std::vector<std::size_t> firsts = {};

    [[nodiscard]] std::size_t firstOf(std::size_t part) const {
        return firsts.empty() ? part * partSize : firsts[part];
    }
    [[nodiscard]] std::size_t sizeOf(std::size_t part) const {
        return firsts.empty()             ? partSize
               : part + 1 < firsts.size() ? firsts[part + 1] - firsts[part]
                                          : counts.size() - firsts[part];
    }
};

/// Views as parts.
[[nodiscard]] PartedData partsOf(std::shared_ptr<const HistoData> data);
/// Groups of azimuths as parts.
[[nodiscard]] PartedData partsOf(std::shared_ptr<const SinogramData> data);

/// Data in host memory, used in place by host engines.
class HostHistoSource : public DataSource {
  public:
    /// `threads` add up the counts; 0 takes every core.
    explicit HostHistoSource(PartedData data, int threads = 0);
    explicit HostHistoSource(std::shared_ptr<const HistoData> data)
        : HostHistoSource(partsOf(std::move(data))) {}

    [[nodiscard]] std::size_t parts() const override { return data_.parts; }
    [[nodiscard]] bool resident() const override { return true; }
    [[nodiscard]] PartData part(std::size_t index) override;
    [[nodiscard]] bool addCounts(std::span<const std::uint64_t> places, float value) override;
    [[nodiscard]] double totalCounts() const override { return totalCounts_; }
    [[nodiscard]] double totalAdd() const override { return totalAdd_; }

  private:
    PartedData data_;
    double totalCounts_ = 0;
    double totalAdd_ = 0;
};

/// Data copied into another space (a device): as many parts as fit in `budgetBytes` of it stay there, spread
/// over all; the others are streamed from host memory through two buffers.
class SpaceHistoSource : public DataSource {
  public:
    SpaceHistoSource(PartedData data, std::shared_ptr<Space> space, std::size_t budgetBytes, int threads = 0);
    SpaceHistoSource(std::shared_ptr<const HistoData> data, std::shared_ptr<Space> space,
                     std::size_t budgetBytes)
        : SpaceHistoSource(partsOf(std::move(data)), std::move(space), budgetBytes) {}
    ~SpaceHistoSource() override;

    [[nodiscard]] std::size_t parts() const override;
    [[nodiscard]] bool resident() const override;
    [[nodiscard]] PartData part(std::size_t index) override;
    [[nodiscard]] bool streamed(std::size_t index) const override;
    void prefetch(std::size_t index) override;
    [[nodiscard]] bool addCounts(std::span<const std::uint64_t> places, float value) override;
    [[nodiscard]] double totalCounts() const override;
    [[nodiscard]] double totalAdd() const override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The source that suits a space: the arrays themselves where it is host memory, else a copy of them in
/// `budgetBytes` of it, or a stream.
[[nodiscard]] std::unique_ptr<DataSource> placedSource(const PartedData& data,
                                                       const std::shared_ptr<Space>& space,
                                                       std::size_t budgetBytes, int threads = 0);

}  // namespace tof
