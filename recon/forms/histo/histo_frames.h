// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "recon/binning/binning.h"
#include "recon/data/events.h"
#include "recon/data/histo_data.h"
#include "recon/forms/form/bin_context.h"
#include "recon/forms/form/list_cut.h"

namespace tof {

/// Deposits the events of a list, and where frames are asked for those of its frames alone, of which it keeps
/// who is who's. Parts come in the order of time. Of ranks that divide a list all call everything as often.
class FramedDeposit {
  public:
    /// `deposit`: of the context's ranks. `scan`: what the list says of itself; `events`, how many it has.
    /// Keeps references. Throws WrongUse.
    FramedDeposit(const BinContext& context, EventDeposit& deposit, const EventList& scan,
                  std::uint64_t events);
    FramedDeposit(const FramedDeposit&) = delete;
    FramedDeposit& operator=(const FramedDeposit&) = delete;
    ~FramedDeposit() { deposit_.tell({}); }

    /// Events from `first` on of the list; ranks bring theirs in the order of ranks. Throws BadInput.
    void addAt(std::uint64_t first, const EventList& part, const std::function<void(double)>& progress);
    /// The poses of every frame, where something moved.
    void setPoses(std::vector<FramePoses> poses) {
        if (list_) {
            list_->setPoses(std::move(poses));
        }
    }
    /// The data, with their frames; says what the frames leave out. The first rank has them.
    [[nodiscard]] HistoData take(const EventList& scan);

  private:
    void addPiece(std::uint64_t first, const EventList& part, const FrameCutter::Piece& piece,
                  const std::function<void(double)>& progress);
    void keep(const DepositedBatch& batch);
    void collect();

    EventDeposit& deposit_;
    Communicator& ranks_;
    std::optional<ListCut> list_;
    std::size_t views_ = 0;
    std::size_t at_ = 0;                  ///< the frame of what is deposited
    std::vector<std::uint32_t> batches_;  ///< deposited of this rank's part: frame, outside, rejected, starts
    std::vector<std::uint32_t> voxels_;   ///< where their events lie
};

}  // namespace tof
