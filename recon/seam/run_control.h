// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/seam/space.h"

namespace tof {

/// Where a run is. Counts of what is complete; iteration is the one being worked on, from 1.
struct RunProgress {
    int iteration = 1;
    int iterations = 1;
    std::size_t block = 0;
    std::size_t blocks = 1;
};

/// What an algorithm makes larger: the log-likelihood, but for what the counts alone say, minus beta R.
struct ObjectiveValue {
    double logLikelihood = 0;
    double penalty = 0;  ///< beta R
    [[nodiscard]] double total() const { return logLikelihood - penalty; }
};

/// A whole iterate. The image is shared by all who keep it, and never changed.
struct Iterate {
    int iteration = 0;  ///< from 1; 0 is the start image
    std::shared_ptr<const Volume> image;
    std::vector<double> stageSeconds;              ///< by Stage, of this iteration alone
    double seconds = 0;                            ///< wall time of this iteration, pauses left out
    std::optional<ObjectiveValue> objective{};     ///< where it is asked for
    std::shared_ptr<const Volume> coefficients{};  ///< what the algorithm goes on from, beside the image
    std::optional<double> change{};  ///< largest change of a voxel over the largest value; likewise
};

/// When the images of whole iterates are brought to the host.
enum class ImagesAre { HandedOverAtOnce, HandedOverBesideTheNext, NotWanted };

/// What an algorithm sees of the world: it knows nothing of threads, windows or files. All calls come from
/// the thread that runs the algorithm, between blocks. As it stands nobody watches and nobody stops it.
class RunControl {
  public:
    virtual ~RunControl() = default;
    /// Waits while the run is paused; throws Cancelled when it is to stop and leave nothing.
    virtual void checkpoint() {}
    /// checkpoint() within a block, of this process alone: ranks agree between blocks.
    virtual void heed() {}
    /// True when the run is to end here and keep the last whole iterate.
    [[nodiscard]] virtual bool finishRequested() { return false; }
    virtual void progress(const RunProgress& /*progress*/) {}
    /// What a person should know of the run, one sentence, before its first iteration.
    virtual void notice(const std::string& /*sentence*/) {}
    /// True when the viewer would take a new image; asked before one is copied.
    [[nodiscard]] virtual bool wantsSnapshot() { return false; }
    /// Gives an image on its way; the newest wins and nobody waits.
    virtual void offer(const RunProgress& /*progress*/, std::unique_ptr<Snapshot> /*snapshot*/) {}
    /// Where a device works beside the host, an image may be copied out while the next iteration is made:
    /// iterateDone() comes while that is made then, and before run() returns or throws Cancelled.
    /// NotWanted: iterates come without an image.
    [[nodiscard]] virtual ImagesAre images() const { return ImagesAre::HandedOverAtOnce; }
    /// A whole iterate is there; a throw ends the run. NOLINTNEXTLINE(performance-unnecessary-value-param)
    virtual void iterateDone(Iterate /*iterate*/) {}
};

}  // namespace tof
