// SPDX-License-Identifier: Apache-2.0
// Simulating a scan: list-mode by Monte Carlo, or sinograms of rings by forward projection.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/binning/analytic.h"
#include "recon/data/events.h"
#include "recon/data/line_data.h"
#include "recon/ranks/communicator.h"
#include "recon/ranks/communicator_of_one.h"
#include "recon/simulate/monte_carlo.h"

namespace tof {

struct SimulateRequest {
    std::string scanner;  ///< built-in name or JSON file; of rings sinograms are made
    std::string phantom;  ///< built-in name, JSON file, or EMISSION,ATTENUATION volume files
    SimulationSettings settings;
    Lattice lattice;                  ///< the phantom's image, for rings
    bool attenuate = false;           ///< whether the phantom attenuates, for rings
    std::optional<double> blur_mm{};  ///< SinogramSimulation::blur_mm, for rings
    bool noiseFree = false;           ///< no counting, for rings
    bool delayeds = false;            ///< keep the coincidences of the delayed window
    bool singles = false;             ///< count the crystals' singles
    std::string motion;               ///< poses by which the phantom moves (motion_file.h), or empty
    /// Time resolution by rate in place of what the scanner says: {singles per second, FWHM in ps}, rates
    /// ascending, none: the same at any rate.
    std::optional<std::vector<std::array<double, 2>>> timingByRate{};
    SliceMaker slices{};  ///< makes scans in time on a device; nothing: the pool's threads
    /// Takes the events of a list as they come, with the scanner they are of, and empties them; `all` is how
    /// many the whole list has, the same in every call. The list that is returned is empty then but for what
    /// is known of the whole scan.
    std::function<void(EventList& events, const Scanner& scanner, std::uint64_t all)> take{};
    /// Who simulates the same together with this process: the first has the scan in the end and takes its
    /// events, the others get one without events.
    std::shared_ptr<Communicator> ranks = communicatorOfOne();
};

struct SimulatedScan {
    std::variant<EventList, SinogramData> data;
    SimulationReport report;              ///< what list-mode says
    std::optional<EventList> delayeds{};  ///< where they were asked for
    std::optional<CrystalSingles> singles{};
};

/// The rings' lattice where nobody says another: 128 x 128 x 47 voxels of 5.46875 x 5.46875 x 3.27 mm.
[[nodiscard]] Lattice usualRingLattice();

/// Throws WrongUse, BadInput, and Cancelled from `progress`, whose report() comes from one thread at a time,
/// not always the caller's. Sinograms of rings are made by the first rank alone.
[[nodiscard]] SimulatedScan simulateScan(const SimulateRequest& request, const ThreadPool& pool,
                                         WorkProgress& progress);

/// Histo-images from chords, without events: expected data of the phantom, with noise as `settings` ask. Of
/// rings it throws WrongUse: their sinograms are made so anyway. With a `background` there are scatter and
/// randoms of so many MBq among the counts (expected_background.h), and data.add says how many are expected.
[[nodiscard]] HistoData simulateAnalytic(const std::string& scanner, const std::string& phantom,
                                         const AnalyticSettings& settings, const ThreadPool& pool,
                                         WorkProgress& progress,
                                         std::optional<double> background_MBq = std::nullopt);

}  // namespace tof
