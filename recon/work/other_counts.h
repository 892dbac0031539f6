// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "recon/base/parallel.h"
#include "recon/seam/data_source.h"
#include "recon/seam/space.h"

namespace tof {

/// Data with counts of their own; factors and sensitivities are another source's.
class OtherCounts : public DataSource {
  public:
    /// `size`: how many counts there are, in parts of one size. Keeps a reference to the space.
    OtherCounts(std::shared_ptr<DataSource> source, Space& space, std::size_t size, int threads);

    /// These are the counts from now on, which must stay as they are, and `share` of the other source's add
    /// is expected of them.
    void use(std::span<const float> counts, float share = 1);

    [[nodiscard]] std::size_t parts() const override { return source_->parts(); }
    [[nodiscard]] bool resident() const override { return source_->resident(); }
    [[nodiscard]] PartData part(std::size_t index) override;
    [[nodiscard]] bool streamed(std::size_t index) const override { return source_->streamed(index); }
    void prefetch(std::size_t index) override { source_->prefetch(index); }
    [[nodiscard]] SensitivityWeights sensitivityWeights(std::size_t index) override {
        return source_->sensitivityWeights(index);
    }
    [[nodiscard]] ConstView knownSensitivity(std::span<const std::size_t> parts) override {
        return source_->knownSensitivity(parts);
    }
    void sensitivityFound(std::span<const std::size_t> parts, ConstView sensitivity) override {
        source_->sensitivityFound(parts, sensitivity);
    }
    [[nodiscard]] double totalCounts() const override { return total_; }
    [[nodiscard]] double totalAdd() const override { return share_ * source_->totalAdd(); }

  private:
    /// Makes the share of a part's add.
    void shareOut(const PartData& part, MutableView add);

    std::shared_ptr<DataSource> source_;
    Space& space_;
    ThreadPool pool_;
    std::size_t partSize_;
    Array placed_;  ///< nothing in host memory, where counts are used in place
    ConstView counts_;
    Array add_;  ///< a share of add: all of it where parts stay, else that of the part at hand
    double total_ = 0;
    float share_ = 1;
};

}  // namespace tof
