// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "recon/ranks/ranked_projector.h"
#include "recon/seam/system_model.h"

namespace tof {

struct RunSettings;
struct SourcePlace;

/// Who asks for a share of the data, and what for.
struct RankRequest {
    int rank = 0;
    int size = 1;
    const std::vector<std::vector<std::size_t>>& blocks;  ///< the parts that each update needs
    const RunSettings& settings;
};

/// What one rank of several does of a measurement. Uses the measurement, which outlives it.
struct RankShare {
    RankDivision division;
    /// The model of the rank's own projector.
    std::function<SystemModel(const RunSettings&)> model;
    /// The rank's own data, in parts that division.pieces names.
    std::function<std::shared_ptr<DataSource>(const RunSettings&, const SourcePlace&)> source;
};

/// True when every block has a part for every rank.
[[nodiscard]] bool everyRankHasParts(const RankRequest& request);
/// The rank that does each part when parts stay whole: shareBegins().
[[nodiscard]] std::vector<int> ownersOfParts(const RankRequest& request);

/// Data [begin, end) of a part.
struct PartStretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool whole = true;  ///< the part is with one rank alone, the same on all ranks
    [[nodiscard]] std::size_t size() const { return end - begin; }
};
/// What the rank has of each part, of data that can be divided anywhere: of every block as many whole parts
/// as every other rank, neighbours, and as much of the data of those that are left. `sizes`: data of each
/// part; none is larger than the first one, and only those of about its size stay whole.
[[nodiscard]] std::vector<PartStretch> evenStretches(const RankRequest& request,
                                                     const std::vector<std::size_t>& sizes);

/// The slices of `all` that `parts` name, one after the other; `size` values each. Empty stays empty.
[[nodiscard]] std::vector<float> slicesOf(std::span<const float> all, std::span<const std::size_t> parts,
                                          std::size_t size);

}  // namespace tof
