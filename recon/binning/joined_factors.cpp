// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <vector>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/ranks/communicator.h"
#include "recon/ranks/rank_range.h"

namespace tof {

namespace {

/// The rank that has computed each view's tables: whole lists of views that have one table of mult.
std::vector<int> ownersOfViews(const FactorGrid& mult, int ranks) {
    const std::size_t lists = 1 + *std::max_element(mult.tables.begin(), mult.tables.end());
    std::vector<int> ofList(lists);
    for (int rank = 0; rank < ranks; ++rank) {
        const RankRange theirs = rangeOf(lists, rank, ranks);
        std::fill(ofList.begin() + static_cast<std::ptrdiff_t>(theirs.begin),
                  ofList.begin() + static_cast<std::ptrdiff_t>(theirs.end), rank);
    }
    std::vector<int> owners;
    std::transform(mult.tables.begin(), mult.tables.end(), std::back_inserter(owners),
                   [&](std::uint32_t list) { return ofList[list]; });
    return owners;
}

/// Brings rows of `size` values to the first rank; owners[i] has row rows[i].
void bringRows(Communicator& ranks, const std::vector<int>& owners, const std::vector<std::uint32_t>& rows,
               std::size_t size, std::vector<float>& values) {
    std::vector<bool> done(size > 0 ? values.size() / size : 0);
    std::vector<Sent> sent;
    std::vector<Received> received;
    for (std::size_t i = 0; i < owners.size() && size > 0; ++i) {
        const std::uint32_t row = rows[i];
        if (owners[i] == 0 || done[row]) {
            continue;
        }
        done[row] = true;
        float* const at = values.data() + row * size;
        if (ranks.first()) {
            received.push_back({owners[i], at, size * sizeof(float)});
        } else if (ranks.rank() == owners[i]) {
            sent.push_back({0, at, size * sizeof(float)});
        }
    }
    ranks.exchange(sent, received);
}

}  // namespace

void joinFactors(Communicator& ranks, HistoData& data) {
    if (ranks.alone()) {
        return;
    }
    if (data.multGrid == nullptr) {
        throw InternalError("factors are joined before they are expanded");
    }
    auto mult = std::make_shared<FactorGrid>(*data.multGrid);
    const std::vector<int> owners = ownersOfViews(*mult, ranks.size());
    bringRows(ranks, owners, mult->tables, mult->tableSize(), mult->values);
    data.multGrid = mult;
    if (data.attGrid == nullptr) {
        return;
    }
    auto att = std::make_shared<FactorGrid>(*data.attGrid);
    bringRows(ranks, owners, att->tables, att->tableSize(), att->values);
    bringRows(ranks, owners, att->tables, att->voxels.size(), att->inVoxels);
    data.attGrid = att;
}

}  // namespace tof
