// SPDX-License-Identifier: Apache-2.0
// What the GPU tests share: the engine, or the sentence why it is not there, with which a test skips.
#pragma once

#include <memory>
#include <string>

#include "gpu/cuda_engine.h"
#include "recon/core/error.h"
#include "tests/recon/projector_fixtures.h"

namespace tof::fixtures {

/// An engine, or why not.
struct EngineOrReason {
    std::shared_ptr<const Engine> engine;
    std::string whyNot;
};

inline EngineOrReason cudaOrReason() {
    try {
        return {loadCudaEngine(), ""};
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
