// SPDX-License-Identifier: Apache-2.0
#include "gpu/nccl/nccl_peers.h"

#include <fmt/format.h>

#include <cstring>

#include "gpu/nccl/nccl_library.h"
#include "recon/base/error.h"

namespace tof {

namespace {

class PeersOfLibrary : public NcclPeers {
  public:
    PeersOfLibrary(std::shared_ptr<const NcclLibrary> library, const ncclUniqueId& key, int rank, int size,
                   cudaStream_t stream)
        : library_(std::move(library)), stream_(stream) {
        library_->check(library_->commInitRank(&peers_, size, key, rank), "connect the devices of all ranks");
    }
    // Not ncclCommDestroy, which may wait for ranks that have failed.
    ~PeersOfLibrary() override { static_cast<void>(library_->commAbort(peers_)); }
    PeersOfLibrary(const PeersOfLibrary&) = delete;
    PeersOfLibrary& operator=(const PeersOfLibrary&) = delete;

    void sum(MutableView x) override {
        library_->check(library_->allReduce(x.data, x.data, x.size, ncclFloat, ncclSum, peers_, stream_),
                        "sum an array over ranks");
    }

    void exchange(std::span<const SpacePeers::Sent> sent,
                  std::span<const SpacePeers::Received> received) override {
        library_->check(library_->groupStart(), "begin an exchange between ranks");
        for (const auto& [to, data] : sent) {
            library_->check(library_->send(data.data, data.size, ncclFloat, to, peers_, stream_),
                            "send an array to another rank");
        }
        for (const auto& [from, data] : received) {
            library_->check(library_->recv(data.data, data.size, ncclFloat, from, peers_, stream_),
                            "receive an array of another rank");
        }
        library_->check(library_->groupEnd(), "end an exchange between ranks");
    }

  private:
    std::shared_ptr<const NcclLibrary> library_;
    cudaStream_t stream_;
    ncclComm_t peers_ = nullptr;
};

}  // namespace

std::string ncclName(const cudaDeviceProp& card) {
    try {
        static_cast<void>(NcclLibrary::open());
    } catch (const Unavailable&) {
        return {};
    }
    std::string name = "GPU-";
    for (const char byte : card.uuid.bytes) {
        name += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return name;
}

std::string ncclKey() {
    const std::shared_ptr<const NcclLibrary> library = NcclLibrary::open();
    ncclUniqueId key{};
    library->check(library->getUniqueId(&key), "make a key for the devices of all ranks");
    return {static_cast<const char*>(key.internal), sizeof(key.internal)};
}

std::unique_ptr<NcclPeers> joinNccl(const std::string& key, int rank, int size, cudaStream_t stream) {
    ncclUniqueId id{};
    if (key.size() != sizeof(id.internal)) {
        throw InternalError("a key of {} bytes for the devices of all ranks", key.size());
    }
    std::memcpy(id.internal, key.data(), key.size());
    return std::make_unique<PeersOfLibrary>(NcclLibrary::open(), id, rank, size, stream);
}

}  // namespace tof
