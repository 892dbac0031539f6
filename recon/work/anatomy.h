// SPDX-License-Identifier: Apache-2.0
// The image of an anatomy that a prior goes by.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/ranks/axial_slab.h"
#include "recon/ranks/communicator.h"
#include "recon/settings/settings.h"

namespace tof {

/// Reads the anatomy once for a run: copies of the settings keep it. Does nothing for algorithms without one.
/// Throws BadInput for what is no image or has values that are not finite, and what `heed` does
/// (recognise()).
void keepAnatomy(RunSettings& settings, const std::function<void()>& heed);

/// Hash of the kept anatomy's content, 16 hexadecimal digits; empty where none counts.
[[nodiscard]] std::string anatomyHash(const RunSettings& settings);

/// Throws BadInput unless the kept anatomy lies on the lattice of the image.
void requireAnatomyOn(const RunSettings& settings, const Lattice& lattice);

/// Which neighbours count by the anatomy that the first rank has kept, for the rank's planes of the image;
/// null without one. Called by all.
[[nodiscard]] std::shared_ptr<const std::vector<float>> neighboursByAnatomy(
    const RunSettings& settings, const Lattice& whole, const std::optional<AxialSlab>& slab,
    Communicator& ranks, int threads);

}  // namespace tof
