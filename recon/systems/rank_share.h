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
    const std::vector<std::vector<std::size_t>>& blocks;  ///< of parts: what is done before each update
    const RunSettings& settings;
};

/// What one rank of several does of a measurement. Uses the measurement, which outlives it.
struct RankShare {
    RankDivision division;
    /// Of the rank's own projector.
    std::function<SystemModel(const RunSettings&)> model;
    /// The rank's own data, in parts that division.pieces names.
    std::function<std::shared_ptr<DataSource>(const RunSettings&, const SourcePlace&)> source;
};

/// True when every block has a part for every rank.
[[nodiscard]] bool everyRankHasParts(const RankRequest& request);
/// The rank that does each part when parts stay whole: those of a block are dealt in turn.
[[nodiscard]] std::vector<int> ownersOfParts(const RankRequest& request);

/// The slices of `all` that `parts` name, one after the other; `size` values each. Empty stays empty.
[[nodiscard]] std::vector<float> slicesOf(std::span<const float> all, std::span<const std::size_t> parts,
                                          std::size_t size);

}  // namespace tof
