// SPDX-License-Identifier: Apache-2.0
#include "recon/ranks/loader/mpi_loader.h"

#include <dlfcn.h>
#include <cstdlib>
#include <initializer_list>

#include "recon/base/error.h"
#include "recon/base/module.h"

namespace tof {

namespace {

/// What the module exports: fills the pointer, never throws.
using MakeTransport = void (*)(std::unique_ptr<Transport>*);

/// The first of these variables that is there, as a number; else `otherwise`.
int numberOf(std::initializer_list<const char*> variables, int otherwise) {
    for (const char* const name : variables) {
        if (const char* const value = std::getenv(name); value != nullptr) {
            return std::atoi(value);
        }
    }
    return otherwise;
}

/// Opens Open MPI, for the module and for its own plug-ins to find; it is never closed, as MPI wants to be
/// left by who has joined it.
void requireMpi() {
    for (const char* const name : {"libmpi.so.40", "libmpi.so"}) {
        if (::dlopen(name, RTLD_NOW | RTLD_GLOBAL) != nullptr) {
            return;
        }
    }
    throw Unavailable(
        "several processes were started, but Open MPI could not be opened ({}); install it "
        "(openmpi-bin), or start tofscope-cli without mpirun",
        ::dlerror());
}

/// How many processes were started that can join each other.
int processes(bool byPmix) {
    // `srun --mpi=pmix` tells a process its rank by PMIx, and how many there are by a name of Slurm's own.
    return byPmix ? numberOf({"OMPI_COMM_WORLD_SIZE", "PMIX_SIZE", "SLURM_STEP_NUM_TASKS"}, 1)
                  : numberOf({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1);
}

}  // namespace

Launched launched() {
    const bool byPmix = std::getenv("PMIX_RANK") != nullptr;
    const bool joinable = byPmix || std::getenv("PMI_RANK") != nullptr;
    return {.several = processes(byPmix) > 1,
            .localRank = numberOf({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}, 0),
            .apart = joinable ? 1 : numberOf({"SLURM_STEP_NUM_TASKS"}, 1)};
}

std::shared_ptr<Communicator> joinRanks() {
    requireMpi();
    void* const make =
        moduleFunction("libtofscope_mpi.so", "tofscopeMakeMpiTransport", "start tofscope-cli without mpirun");
    std::unique_ptr<Transport> transport;
    reinterpret_cast<MakeTransport>(make)(&transport);
    return std::make_shared<Communicator>(std::move(transport));
}

}  // namespace tof
