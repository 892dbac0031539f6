// SPDX-License-Identifier: Apache-2.0
// What carries bytes between the processes of one run. MPI is one (recon/ranks/mpi, opened at run time);
// threads of a test are another.
#pragma once

#include <cstddef>
#include <span>

namespace tof {

/// Bytes to another rank, which waits for as many.
struct Sent {
    int to = 0;
    const void* data = nullptr;
    std::size_t bytes = 0;
};

/// Bytes from another rank.
struct Received {
    int from = 0;
    void* data = nullptr;
    std::size_t bytes = 0;
};

/// A fixed number of ranks that call the same operations in the same order, each from one thread. Nothing
/// here throws: a lost rank ends them all.
class Transport {
  public:
    virtual ~Transport() = default;
    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    /// Ranks on this rank's machine, and which of them it is.
    [[nodiscard]] virtual int localRank() const = 0;
    [[nodiscard]] virtual int localSize() const = 0;
    /// all[r] = what rank r gave as `mine`; `bytes` each.
    virtual void gatherAll(const void* mine, void* all, std::size_t bytes) = 0;
    /// Sends and receives at once; done when all are. Between two ranks messages keep their order.
    virtual void exchange(std::span<const Sent> sent, std::span<const Received> received) = 0;
};

}  // namespace tof
