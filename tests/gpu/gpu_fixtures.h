// SPDX-License-Identifier: Apache-2.0
// What the GPU tests share: the engine, or the sentence why it is not there, with which a test skips.
#pragma once

#include <memory>
#include <string>

#include "gpu/cuda_engine.h"
#include "gpu/published/published.h"
#include "recon/base/error.h"
#include "recon/base/parallel.h"
#include "recon/kernel/kernel_tables.h"
#include "recon/systems/histo/histo_model.h"
#include "tests/recon/projector_fixtures.h"

namespace tof::fixtures {

/// An engine, or why not.
struct EngineOrReason {
    std::shared_ptr<const Engine> engine;
    std::string whyNot;
};

inline EngineOrReason cudaOrReason() {
    try {
        return {loadCudaEngine(publishedStrategies()), ""};
    } catch (const Unavailable& reason) {
        return {nullptr, reason.what()};
    }
}

inline EngineOrReason cufftOrReason() {
    try {
        return {loadCufftEngine(), ""};
    } catch (const Unavailable& reason) {
        return {nullptr, reason.what()};
    }
}

inline EngineOptions withStrategy(const std::string& strategy) {
    EngineOptions options;
    options.strategy = strategy;
    return options;
}

/// The strategies for histo-images that the card and the build allow.
inline std::vector<std::string> offeredStrategies(const Engine& engine) {
    const DirectModel any{Lattice::centred({8, 8, 8}, {4, 4, 4}), {{0, 0}}, KernelSpec::preset("invariant")};
    std::vector<std::string> names = engine.strategyNames(DirectModel::kSystem);
    std::erase_if(names, [&](const std::string& name) {
        return std::holds_alternative<Unsupported>(
            engine.makeProjector(any, engine.makeSpace({}), withStrategy(name)));
    });
    return names;
}

/// Whether a strategy for histo-images takes such a kernel: some multiply factors that a kernel with sampling
/// "voxel" is not made of, and two-stage serves symmetric ones.
inline bool serves(const std::string& strategy, const KernelSpec& kernel) {
    const bool factors = strategy == "shared-list" || strategy == "texture-reduce" || strategy == "two-stage";
    return !(factors && kernel.sampling == KernelSampling::Voxel) &&
           !(strategy == "two-stage" && kernel.sided());
}

/// referenceForward or referenceBack as a gather over threads, for sizes where the serial loops take too
/// long.
inline std::vector<double> gatherReference(const KernelTables& tables, const Lattice& grid,
                                           const std::vector<float>& from, bool forward) {
    std::vector<double> out(grid.voxels());
    const ThreadPool pool;
    const auto rows = static_cast<std::size_t>(grid.size[1]) * static_cast<std::size_t>(grid.size[2]);
    const int sign = forward ? -1 : 1;
    pool.forRange(rows, 1, [&](std::size_t row, std::size_t) {
        const int z = static_cast<int>(row) / grid.size[1];
        const int y = static_cast<int>(row) % grid.size[1];
        for (std::size_t t = 0; t < tables.taps.size(); ++t) {
            const KernelTap m = tables.taps[t];
            const int sy = y + sign * m.y;
            const int sz = z + sign * m.z;
            if (sy < 0 || sz < 0 || sy >= grid.size[1] || sz >= grid.size[2]) {
                continue;
            }
            for (int x = std::max(0, -sign * m.x); x < std::min(grid.size[0], grid.size[0] - sign * m.x);
                 ++x) {
                const int sx = x + sign * m.x;
                const int id = tables.ids[forward ? grid.index(sx, sy, 0) : grid.index(x, y, 0)];
                out[grid.index(x, y, z)] += static_cast<double>(tables.row(id)[t]) *
                                            static_cast<double>(from[grid.index(sx, sy, sz)]);
            }
        }
    });
    return out;
}

/// Lattices that are not round: odd sides, spacings that differ, columns shorter and longer than a block.
inline std::vector<std::pair<const char*, Lattice>> oddLattices() {
    return {{"odd", Lattice::centred({31, 27, 11}, {4, 4, 4})},
            {"anisotropic", Lattice::centred({26, 37, 19}, {3.3, 5.1, 2.7})},
            {"thin", Lattice::centred({23, 22, 1}, {4, 4, 4})},
            {"long columns", Lattice::centred({9, 14, 83}, {6, 4, 4})},
            {"several blocks", Lattice::centred({67, 45, 9}, {4, 4, 4})},
            {"smaller than the kernel", Lattice::centred({5, 3, 2}, {4, 4, 4})}};
}

}  // namespace tof::fixtures
