// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "recon/base/lattice.h"

namespace tof {

class Engine;
class Projector;
class Space;
struct EngineOptions;

/// A model that no engine knows, of projectors that an engine makes of models that it knows.
struct ComposedModel {
    static constexpr const char* kSystem = "composed";
    Lattice lattice;
    /// Throws Unavailable where the engine cannot project one of them.
    std::function<std::unique_ptr<Projector>(const Engine&, const std::shared_ptr<Space>&,
                                             const EngineOptions&)>
        make;
};

}  // namespace tof
