// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "recon/data/line_data.h"
#include "recon/phantom/phantom.h"
#include "recon/seam/engine.h"

namespace tof {

struct SinogramSimulation {
    MichelogramSpec scanner;
    Lattice lattice;    ///< of the phantom's image, and of the image to be reconstructed
    double counts = 0;  ///< expected total, > 0
    std::uint64_t seed = 1;
    bool attenuate = false;  ///< by the phantom; else as data corrected beforehand, as paper 003's are
};

/// Sinograms of a phantom by forward projection with Siddon's projector, with Poisson noise. `progress` gets
/// the share done and may throw Cancelled. Throws WrongUse when the phantom emits nothing on the lattice.
[[nodiscard]] SinogramData simulateSinograms(const SinogramSimulation& what, const Phantom& phantom,
                                             const Engine& engine, const EngineOptions& options,
                                             const std::function<void(double)>& progress);

}  // namespace tof
