// SPDX-License-Identifier: Apache-2.0
// Scatter that list-mode data of a known object are expected to hold, by time of flight.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/corrections/ring_lines.h"
#include "recon/corrections/scatter_sums.h"
#include "recon/data/histo_data.h"
#include "recon/motion/pose_steps.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Pairs that tell multiple scatter of a cylinder of 350 mm within 2 % of it, in 3 s of a core.
inline constexpr std::uint64_t kScatteredPairs = std::uint64_t{1} << 23U;

struct ScatterSettings {
    double detectorStep_mm = 40;  ///< between the detectors of a row that lines are sampled on
    double rowStep_mm = 45;       ///< between their rows: 65 took 1 % off the scatter of 160 mm in `labr3`
    double pointStep_mm = 24;     ///< between scatter points
    double raySteps_mm = 12;      ///< step of activity along rays, and of places along lines
    /// Photon pairs that are followed at most for what is scattered more than once (MultipleScatter); 0: it
    /// is left out.
    std::uint64_t pairs = 0;
    /// Who adds up, as cudaScatter(); nothing: the pool's threads.
    ScatterSummer sum{};
};

/// Single scatter simulation with time of flight: every point of the attenuating object scatters once what
/// the activity sends it, into every pair of detectors; times 1 + MultipleScatter where pairs are followed.
/// What does not depend on the activity is prepared once, for any number of them.
class ScatterEstimate {
  public:
    /// Keeps references to `scanner` and `pool`. `attenuation` is in 1/mm at 511 keV; it may be larger or
    /// smaller than `activity`, the lattice of what is to be estimated from. Throws WrongUse where the
    /// scanner has no `detection`.
    ScatterEstimate(const Scanner& scanner, const Volume& attenuation, const Lattice& activity,
                    const ScatterSettings& settings, const ThreadPool& pool);
    ScatterEstimate(ScatterEstimate&&) noexcept;
    ScatterEstimate& operator=(ScatterEstimate&&) = delete;
    ~ScatterEstimate();

    /// In apparent emissions per mm3: what an activity on the line would have to be to give as many counts in
    /// a scanner that sees it as mult says. `activity` holds emissions per voxel. `progress` gets the share
    /// done and may throw Cancelled. The same for any number of threads; one thread asks at a time.
    [[nodiscard]] LineFunction of(const Volume& activity, const std::function<void(double)>& progress);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// ScatterEstimate of one activity.
[[nodiscard]] LineFunction singleScatter(const Scanner& scanner, const Volume& activity,
                                         const Volume& attenuation, const ScatterSettings& settings,
                                         const ThreadPool& pool, const std::function<void(double)>& progress);

/// Expected scatter of every view and voxel, in the order of data.counts: mult times the volume times
/// `scatter` on the line through the voxel in the view's direction.
[[nodiscard]] std::vector<float> scatterOfViews(const LineFunction& scatter, const HistoData& data,
                                                const ThreadPool& pool);

/// Adds that to `add`. Data without mult have 1, or what their grid of it says. `at`: what carries the data's
/// points to where they were, for a share of the time.
void addScatterOfViews(const LineFunction& scatter, const HistoData& data, const ThreadPool& pool,
                       std::vector<float>& add, const WeighedPose& at = {});

/// The scatter of lines while what is measured lay in one pose.
struct PosedScatter {
    WeighedPose at;
    LineFunction lines;
};

/// The sum over poses, of data that were moved back.
[[nodiscard]] std::vector<float> scatterOfViews(const std::vector<PosedScatter>& scatter,
                                                const HistoData& data, const ThreadPool& pool);

/// Voxels of the same size over all that a lattice reaches when a pose moves it.
[[nodiscard]] Lattice movedLattice(const Lattice& of, const Pose& pose);
/// The volume as a pose moves it, on those voxels: linear between its voxels' centres.
[[nodiscard]] Volume movedVolume(const Volume& volume, const Pose& pose);

}  // namespace tof
