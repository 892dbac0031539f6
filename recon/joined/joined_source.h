// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "recon/data/framed_counts.h"
#include "recon/joined/joined_projector.h"
#include "recon/seam/data_source.h"

namespace tof {

/// Data of one of several measurements.
struct SourcePiece {
    std::shared_ptr<DataSource> source;
    std::shared_ptr<const Warp> warp;
    std::shared_ptr<const FramedCounts> frames;  ///< null: the counts are the source's
    std::size_t frame = 0;                       ///< whose counts they are
};

/// Who says how many counts there are: this source, or that of another process that has the same data.
enum class TotalsAre { Here, Elsewhere };

/// The data of a JoinedProjector, which has what attenuates in its images.
class JoinedSource : public DataSource {
  public:
    JoinedSource(std::vector<SourcePiece> pieces, const Engine& engine, std::shared_ptr<Space> space,
                 int threads, TotalsAre totals);

    [[nodiscard]] std::size_t parts() const override { return places_.size(); }
    [[nodiscard]] bool resident() const override;
    [[nodiscard]] bool listMode() const override { return pieces_.front().source->listMode(); }
    [[nodiscard]] PartData part(std::size_t index) override;
    [[nodiscard]] SensitivityWeights sensitivityWeights(std::size_t index) override;
    /// It is known of list-mode alone: the sum of the members', each transposed.
    [[nodiscard]] ConstView knownSensitivity(std::span<const std::size_t> parts) override;
    /// Totals are 0 where another process says them, but for list-mode, of which each says the whole.
    [[nodiscard]] double totalCounts() const override;
    [[nodiscard]] double totalAdd() const override;

  private:
    [[nodiscard]] bool saysTotals() const { return totals_ == TotalsAre::Here || listMode(); }
    [[nodiscard]] double allAdd() const;
    struct Place {
        std::size_t piece = 0;
        std::size_t part = 0;
        std::size_t first = 0;  ///< its first value among those of its source, where counts are replaced
    };
    /// Replaces counts of all frames by those of one, and add by its share.
    void takeFrame(const SourcePiece& piece, const Place& place, PartData& part);

    WarpsInSpace warps_;
    std::vector<SourcePiece> pieces_;
    TotalsAre totals_;
    std::vector<Place> places_;
    std::vector<float> counts_;
    Array y_;
    Array add_;
    Array randoms_;
    Array sensitivity_;
};

}  // namespace tof
