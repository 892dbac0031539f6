// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "recon/data/line_data.h"
#include "recon/scanner/line_events.h"
#include "recon/sources/resident_source.h"

namespace tof {

/// Lines between arbitrary points with what is known of each, in parts of equal size; the rest of the last
/// part is filled with lines whose mult is 0.
struct LineHistogram {
    std::shared_ptr<const LineEvents> lines;
    std::vector<float> counts;  ///< may be empty
    std::vector<float> mult;
    std::vector<float> add;  ///< may be empty
};

/// The histogram of lines with counts, mult and add; counts and add may be empty, mult too (1). Every line is
/// in one part, chosen at random (always the same) so that parts are alike.
[[nodiscard]] LineHistogram lineHistogram(const LineEvents& lines, const std::vector<float>& counts,
                                          const std::vector<float>& mult, const std::vector<float>& add);

/// Lines that lineHistogramAsListed() has for so many, 0 for none: arrays with room for them are not copied.
[[nodiscard]] std::size_t listedSize(std::size_t lines);

/// Lines without counts in the order in which they are listed, which is good for sums over all parts.
[[nodiscard]] LineHistogram lineHistogramAsListed(LineEvents lines, std::vector<float> mult);

[[nodiscard]] PartedData partsOf(std::shared_ptr<const LineHistogram> histogram);

}  // namespace tof
