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

    /// These are the counts from now on, which must stay as they are. Expected beside the image is `share` of
    /// the other source's add, and `more` times `of`, as long as the counts, which stay too.
    void use(std::span<const float> counts, float share = 1, std::span<const float> of = {}, float more = 0);

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
    [[nodiscard]] double totalAdd() const override { return share_ * source_->totalAdd() + more_ * totalOf_; }

  private:
    /// Makes the share of a part's add.
    void shareOut(std::size_t index, const PartData& part, MutableView add);
    /// The sum of values, to the same bits for any number of threads.
    [[nodiscard]] double sumOf(std::span<const float> values) const;
    /// Whether add is the other source's as it is.
    [[nodiscard]] bool sameAdd() const { return (share_ == 1 && more_ == 0) || source_->totalAdd() == 0; }

    std::shared_ptr<DataSource> source_;
    Space& space_;
    ThreadPool pool_;
    std::size_t partSize_;
    Array placed_;  ///< nothing in host memory, where counts are used in place
    ConstView counts_;
    Array add_;  ///< a share of add: all of it where parts stay, else that of the part at hand
    double total_ = 0;
    float share_ = 1;
    Array placedOf_;  ///< as placed_
    ConstView of_;
    double totalOf_ = 0;
    float more_ = 0;
};

}  // namespace tof
