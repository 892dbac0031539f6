// SPDX-License-Identifier: Apache-2.0
// A reconstruction that several ranks make together: the first one tells, writes and reads.
#pragma once

#include <optional>
#include <vector>

#include "recon/io/hdf5/run_io.h"
#include "recon/ranks/axial_slab.h"
#include "recon/ranks/communicator.h"
#include "recon/ranks/ranked_projector.h"
#include "recon/seam/run_control.h"

namespace tof {

/// Where a run begins: whole images of the whole lattice.
struct StartPoint {
    int iteration = 0;
    std::vector<float> image;         ///< empty: as startUniform() makes it
    std::vector<float> coefficients;  ///< Iterate::coefficients, or empty
};

/// That of the first rank, on all ranks.
[[nodiscard]] StartPoint sharedStart(StartPoint start, Communicator& ranks);

/// The rank's planes of a whole image; all of it without a slab.
[[nodiscard]] std::vector<float> planesOf(const std::vector<float>& whole,
                                          const std::optional<AxialSlab>& slab);

/// Threads of each rank where nobody named a number: the cores it is bound to, or its share of the
/// machine's.
[[nodiscard]] int threadsOfRank(const Communicator& ranks);
/// The threads that were asked for; 0 stays for a process alone and is threadsOfRank() for one of several.
[[nodiscard]] int threadsOfProcess(int asked, const Communicator& ranks);

/// Stands between the algorithm on a rank and what records the run on the first. All ranks stop at the same
/// block.
class RankedControl : public RunControl {
  public:
    RankedControl(RunControl& control, Communicator& ranks, const std::optional<AxialSlab>& slab,
                  const RankedProjector& projector)
        : control_(control),
          ranks_(ranks),
          slab_(slab),
          projector_(projector),
          gathers_(slab && !projector.makesWhole()) {}

    void checkpoint() override;
    void progress(const RunProgress& progress) override;
    void notice(const std::string& sentence) override;
    /// Whole images leave the first rank alone, beside its work; slabs that the projector does not put
    /// together are gathered by all.
    [[nodiscard]] ImagesAre images() const override;
    void iterateDone(Iterate iterate) override;
    /// On the first rank the whole image; elsewhere the rank's.
    [[nodiscard]] Volume whole(Volume image);

  private:
    RunControl& control_;
    Communicator& ranks_;
    const std::optional<AxialSlab>& slab_;
    const RankedProjector& projector_;
    bool gathers_;
};

}  // namespace tof
