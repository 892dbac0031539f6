// SPDX-License-Identifier: Apache-2.0
// OSEM: expectation maximisation on one block of the data after the other.
#include "recon/algorithm/em_update.h"
#include "recon/base/options.h"

namespace tof {

const Algorithm& osem() {
    static const Algorithm row{
        .name = "osem",
        .about = toTranslate("Word", "a full step after every subset of views"),
        .settings = {"subsets"},
        .grouping = Grouping::BySubsets,
        .discrepancy = Discrepancy::Ratio,
        .sensitivity = Sensitivity::OfBlock,
        .voxelsPerCount = kVoxelsPerCount,
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<EmUpdate>(context); }};
    return row;
}

}  // namespace tof
