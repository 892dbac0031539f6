// SPDX-License-Identifier: Apache-2.0
// What back projection without atomics loses, behind a header without CUDA types.
#pragma once

#include <cstdint>
#include <memory>

#include "recon/seam/space.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

struct LostUpdates {
    std::uint64_t updates = 0;
    std::uint64_t lost = 0;
};

/// Counts them over all parts of a model as `siddon-racy` runs them, in a space of the engine `cuda`. Throws
/// Unavailable without CUDA.
[[nodiscard]] LostUpdates countLostUpdates(const LineModel& model, const std::shared_ptr<Space>& space);

}  // namespace tof
