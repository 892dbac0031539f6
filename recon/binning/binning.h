// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "recon/base/parallel.h"
#include "recon/binning/face_spread.h"
#include "recon/data/events.h"
#include "recon/data/histo_data.h"
#include "recon/motion/rigid_motion.h"
#include "recon/ranks/communicator_of_one.h"
#include "recon/scanner/scanner.h"

namespace tof {

struct BinningSettings {
    int azimuths = 40;
    int tilts = 3;
    Lattice lattice;
    bool trilinear = false;  ///< spread each event over the eight nearest voxels instead of the nearest one
    EndPoints endPoints = EndPoints::Face;
    std::uint64_t seed = 1;  ///< seed of the places on the crystals' faces
    /// Events are moved back by the pose of their time; null: nothing moved. A pair must lie within the
    /// acceptance where it was measured, and where it is moved to.
    std::shared_ptr<const RigidMotion> motion{};
};

/// What depositing into histo-images gives, but the counts: views, lattice, how end points are placed.
[[nodiscard]] HistoData emptyViews(const Scanner& scanner, const BinningSettings& settings);

/// Deposits events into histo-images (docs/model.md section 1). Events outside the lattice or the acceptance
/// are counted and dropped. A pair is accepted by the line between its crystals' reference points, as
/// scanners accept it; what view it belongs to, the line between its end points says. Counts do not depend on
/// the number of threads. `progress` gets the share done, may throw Cancelled. Throws BadInput when an event
/// names a crystal the scanner does not have.
[[nodiscard]] HistoData depositEvents(const EventList& events, const Scanner& scanner,
                                      const BinningSettings& settings, const ThreadPool& pool,
                                      const std::function<void(double)>& progress);

/// How many events depositEvents() keeps, without the memory of its counts. Throws as it does.
[[nodiscard]] std::uint64_t eventsOnLattice(const EventList& events, const Scanner& scanner,
                                            const BinningSettings& settings, const ThreadPool& pool);

/// Where the events of a batch went.
struct DepositedBatch {
    std::span<const std::uint32_t> starts;  ///< by view, and the end: where its events begin in `voxels`
    std::span<const std::uint32_t> voxels;  ///< the nearest of each event
    std::uint64_t outside = 0;
    std::uint64_t rejected = 0;
};

/// Deposits events that come in parts, so that they need never be in memory together: counts are those of
/// one list of all parts.
///
/// With several ranks each brings its parts of the list, finds their places, and has its share of the views,
/// for which it gets the others' events: all add() as often, and counts are those of the list in which the
/// ranks' parts of each time stand in the order of ranks.
class EventDeposit {
  public:
    static constexpr std::size_t kBatch = std::size_t{1} << 20U;  ///< events that are sorted at a time

    /// Throws WrongUse without a lattice.
    EventDeposit(const Scanner& scanner, const BinningSettings& settings, const ThreadPool& pool,
                 std::shared_ptr<Communicator> ranks = communicatorOfOne());
    EventDeposit(const EventDeposit&) = delete;
    EventDeposit& operator=(const EventDeposit&) = delete;
    ~EventDeposit();
    /// Events that follow those of all parts before. Throws BadInput as depositEvents().
    void add(const EventList& part, const std::function<void(double)>& progress = {});
    /// Adds events that begin at event `first` of the list; ranks bring at most kBatch each, or none.
    void addAt(std::uint64_t first, const EventList& part, const std::function<void(double)>& progress = {});
    /// Tells of every batch that is added from now on, in one order whatever the threads; ranks tell of their
    /// own events.
    void tell(std::function<void(const DepositedBatch&)> listener);
    /// The data; `scan` says phantom, decays, duration and singles. Ranks but the first get no counts.
    [[nodiscard]] HistoData take(const EventList& scan);

  private:
    class Depositor;
    std::unique_ptr<Depositor> depositor_;
    std::string scannerJson_;
};

/// Fills data.mult and data.att (docs/model.md section 3). att: the share of pairs from a voxel that survive
/// when they fly in the view's cell (mu in 1/mm; null or zero: all, and att is empty). mult: the probability
/// that a pair flies in that cell, its share of the sphere, and is recorded when it survives: geometric
/// efficiency (gaps, axial extent, crystal interaction) of `scanner`. data.deposit says how the events were
/// sorted. Does not depend on the number of threads.
/// The voxels of simulated data, mm: with 4 mm what survives on the last 5 mm of a body is 3 to 6 % off.
inline constexpr double kAttenuationSpacing_mm = 2;

/// Which of the tables of factors are computed: those of one rank of several.
struct FactorShare {
    int rank = 0;
    int size = 1;
};
/// Leaves the factors at the points of data.multGrid and data.attGrid (null in air). With a share all others
/// are 0. `poses`: those of a motion that events were moved back from, whose weights add up to 1; mult is the
/// mean over them, and `attenuation` that of the reference pose. None: nothing moved.
void computeFactors(HistoData& data, const Scanner& scanner, const Volume* attenuation,
                    const ThreadPool& pool, const std::function<void(double)>& progress,
                    const FactorShare& share = {}, const std::vector<WeighedPose>& poses = {});
/// Called by all ranks, each with the share of the factors that it has computed: the first has all of them
/// then.
void joinFactors(Communicator& ranks, HistoData& data);

void computeMult(HistoData& data, const Scanner& scanner, const Volume* attenuation, const ThreadPool& pool,
                 const std::function<void(double)>& progress);

}  // namespace tof
