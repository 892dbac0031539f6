// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/ranks/communicator.h"

namespace tof {

/// Whether a launcher (mpirun, srun with PMI) has started this process as one of several; which of those on
/// this machine, as far as it says.
struct Launched {
    bool several = false;
    int localRank = 0;
    /// Tasks that srun has started as programs which know nothing of each other; 1 where that is not so.
    int apart = 1;
};
[[nodiscard]] Launched launched();

/// Opens the module libtofscope_mpi.so beside the program (../lib, or the build tree's lib) and joins the
/// other ranks. Throws Unavailable with the reason when the module or MPI is not installed.
[[nodiscard]] std::shared_ptr<Communicator> joinRanks();

}  // namespace tof
