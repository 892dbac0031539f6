// SPDX-License-Identifier: Apache-2.0
#include "recon/algorithm/part_shares.h"

namespace tof {

std::vector<std::vector<std::size_t>> shareBegins(const std::vector<std::vector<std::size_t>>& blocks,
                                                  std::size_t shares) {
    std::vector<std::vector<std::size_t>> begins;
    std::size_t turn = 0;  // the share that has one more next
    for (const std::vector<std::size_t>& block : blocks) {
        const std::size_t more = block.size() % shares;
        std::vector<std::size_t> ofBlock{0};
        for (std::size_t share = 0; share < shares; ++share) {
            const bool one = (share + shares - turn) % shares < more;
            ofBlock.push_back(ofBlock.back() + block.size() / shares + (one ? 1 : 0));
        }
        turn = (turn + more) % shares;
        begins.push_back(std::move(ofBlock));
    }
    return begins;
}

}  // namespace tof
