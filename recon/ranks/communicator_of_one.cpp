// SPDX-License-Identifier: Apache-2.0
#include "recon/ranks/communicator_of_one.h"

#include <cstring>

#include "recon/ranks/communicator.h"

namespace tof {

namespace {

class CopyingTransport : public Transport {
  public:
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return 1; }
    [[nodiscard]] int localRank() const override { return 0; }
    [[nodiscard]] int localSize() const override { return 1; }
    void gatherAll(const void* mine, void* all, std::size_t bytes) override { copy(mine, all, bytes); }
    void exchange(std::span<const Sent> sent, std::span<const Received> received) override {
        for (std::size_t i = 0; i < received.size(); ++i) {
            copy(sent[i].data, received[i].data, received[i].bytes);
        }
    }

  private:
    static void copy(const void* from, void* to, std::size_t bytes) {
        if (bytes > 0) {
            std::memcpy(to, from, bytes);
        }
    }
};

}  // namespace

std::shared_ptr<Communicator> communicatorOfOne() {
    return std::make_shared<Communicator>(std::make_unique<CopyingTransport>());
}

}  // namespace tof
