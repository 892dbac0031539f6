// SPDX-License-Identifier: Apache-2.0
// The module libtofscope_mpi.so: Transport over MPI. Nothing else in the tree sees mpi.h.
// Its functions are found in the MPI that the loader has opened.
#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <vector>

#include "recon/ranks/transport.h"

namespace tof {

namespace {

/// MPI counts in int: larger messages go in pieces.
constexpr std::size_t kPiece = std::size_t{1} << 30U;

class MpiTransport : public Transport {
  public:
    MpiTransport() {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Comm machine = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
        MPI_Comm_rank(machine, &localRank_);
        MPI_Comm_size(machine, &localSize_);
        MPI_Comm_free(&machine);
    }
    ~MpiTransport() override { MPI_Finalize(); }

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return size_; }
    [[nodiscard]] int localRank() const override { return localRank_; }
    [[nodiscard]] int localSize() const override { return localSize_; }

    void gatherAll(const void* mine, void* all, std::size_t bytes) override {
        const int count = static_cast<int>(bytes);
        MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, MPI_COMM_WORLD);
    }

    void exchange(std::span<const Sent> sent, std::span<const Received> received) override {
        std::vector<MPI_Request> requests;
        for (const Received& one : received) {
            forEachPiece(one.bytes, [&](std::size_t begin, int count) {
                MPI_Irecv(static_cast<char*>(one.data) + begin, count, MPI_BYTE, one.from, 0, MPI_COMM_WORLD,
                          &requests.emplace_back());
            });
        }
        for (const Sent& one : sent) {
            forEachPiece(one.bytes, [&](std::size_t begin, int count) {
                MPI_Isend(static_cast<const char*>(one.data) + begin, count, MPI_BYTE, one.to, 0,
                          MPI_COMM_WORLD, &requests.emplace_back());
            });
        }
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }

  private:
    template <typename Visit>
    static void forEachPiece(std::size_t bytes, const Visit& visit) {
        for (std::size_t begin = 0; begin < bytes; begin += kPiece) {
            visit(begin, static_cast<int>(std::min(kPiece, bytes - begin)));
        }
    }

    int rank_ = 0;
    int size_ = 1;
    int localRank_ = 0;
    int localSize_ = 1;
};

}  // namespace

}  // namespace tof

extern "C" __attribute__((visibility("default"))) void tofscopeMakeMpiTransport(
    std::unique_ptr<tof::Transport>* made) {
    *made = std::make_unique<tof::MpiTransport>();
}
