// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "recon/algorithm/data_source.h"
#include "recon/data/histo_data.h"

namespace tof {

/// Histo-images in host memory, used in place by host engines.
class HostHistoSource : public DataSource {
  public:
    explicit HostHistoSource(std::shared_ptr<const HistoData> data);

    [[nodiscard]] std::size_t parts() const override { return data_->views.size(); }
    [[nodiscard]] bool resident() const override { return true; }
    [[nodiscard]] PartData part(std::size_t index) override;
    [[nodiscard]] double totalCounts() const override { return totalCounts_; }
    [[nodiscard]] double totalAdd() const override { return totalAdd_; }

  private:
    std::shared_ptr<const HistoData> data_;
    double totalCounts_ = 0;
    double totalAdd_ = 0;
};

/// Histo-images copied into another space (a device): resident when they fit in `budgetBytes` of it, else
/// streamed from host memory through two buffers.
class SpaceHistoSource : public DataSource {
  public:
    SpaceHistoSource(std::shared_ptr<const HistoData> data, std::shared_ptr<Space> space,
                     std::size_t budgetBytes);
    ~SpaceHistoSource() override;

    [[nodiscard]] std::size_t parts() const override;
    [[nodiscard]] bool resident() const override;
    [[nodiscard]] PartData part(std::size_t index) override;
    void prefetch(std::size_t index) override;
    [[nodiscard]] double totalCounts() const override;
    [[nodiscard]] double totalAdd() const override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tof
