// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "recon/data/line_data.h"
#include "recon/io/bytes/destination.h"

namespace tof {

/// Arrays of sinograms that are made a part at a time.
struct SinogramRows {
    /// Writes the bins from `first` on, in the michelogram's order: whole planes. Called by any thread.
    using Fill = std::function<void(std::uint64_t first, std::span<float> out)>;
    Fill counts;
    Fill mult{};          ///< empty: there are none
    bool narrow = false;  ///< counts are whole numbers of 16 bits
};

/// Writes the file that writeSinogramData() writes of the same arrays, which are never in memory as a whole.
/// `outline` has everything but them. Throws CannotWrite.
void writeSinogramRows(const Destination& to, const SinogramData& outline, const SinogramRows& rows);

}  // namespace tof
