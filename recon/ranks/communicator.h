// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recon/base/error.h"
#include "recon/ranks/transport.h"

namespace tof {

/// Another rank has failed and says so itself; kind() is of its failure.
struct RankFailed : Error {
    explicit RankFailed(ErrorKind kind) : Error(kind, "another rank has failed") {}
};

/// What the ranks of one run do together. Every operation is called by all ranks in the same order; each says
/// first whether a rank has failed, and then throws RankFailed on the others, so that none waits for one that
/// is gone. Used by one thread.
class Communicator {
  public:
    explicit Communicator(std::unique_ptr<Transport> transport);

    [[nodiscard]] int rank() const { return transport_->rank(); }
    [[nodiscard]] int size() const { return transport_->size(); }
    [[nodiscard]] bool first() const { return rank() == 0; }
    /// Whether this process makes everything itself (communicatorOfOne()).
    [[nodiscard]] bool alone() const { return size() == 1; }
    [[nodiscard]] int localRank() const { return transport_->localRank(); }
    [[nodiscard]] int localSize() const { return transport_->localSize(); }

    /// values[i] = sum over ranks, the same bits on all: added in double in the order of ranks and rounded
    /// once. Each rank sends and receives 2 (size - 1) / size of the values.
    void sum(std::span<float> values);
    void sum(std::span<double> values);
    /// In the order of ranks.
    [[nodiscard]] double sum(double value);
    [[nodiscard]] double maximum(double value);
    /// True when it is for any rank.
    [[nodiscard]] bool any(bool mine);
    void barrier();

    /// Pieces of arrays to and from other ranks, as Transport::exchange().
    void exchange(std::span<const Sent> sent, std::span<const Received> received);
    /// The first rank's, on all.
    [[nodiscard]] std::string ofFirst(const std::string& text);
    void ofFirst(std::span<float> values);
    /// Everybody's, in the order of ranks, on all.
    [[nodiscard]] std::vector<std::string> ofAll(const std::string& text);
    [[nodiscard]] std::vector<std::uint64_t> numbersOfAll(std::uint64_t mine);
    /// Gathers as many numbers of every rank: [rank][number].
    [[nodiscard]] std::vector<std::uint32_t> numbersOfAll(std::span<const std::uint32_t> mine);
    /// Throws BadInput on ranks whose text differs from the first rank's: "rank 3 has other WHAT than rank
    /// 0".
    void requireSame(const std::string& what, const std::string& text);

    /// Called once by a rank that fails, in place of its next operation. True on one of the ranks that fail:
    /// that one tells the user.
    [[nodiscard]] bool leave(ErrorKind kind);
    /// Whether a rank has failed, after which there are no operations.
    [[nodiscard]] bool ended() const { return ended_; }

  private:
    /// What a rank says before each operation.
    void agree();
    [[nodiscard]] std::vector<int> codes(int mine);
    /// `staged`: room for what comes of others.
    template <typename T>
    void sumOf(std::span<T> values, std::vector<T>& staged);

    std::unique_ptr<Transport> transport_;
    std::vector<float> staged_;
    bool ended_ = false;
};

}  // namespace tof
