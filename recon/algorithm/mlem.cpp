// SPDX-License-Identifier: Apache-2.0
// MLEM: expectation maximisation on all data at once.
#include "recon/algorithm/em_update.h"

namespace tof {

const Algorithm& mlem() {
    static const Algorithm row{
        .name = "mlem",
        .settings = {},
        .grouping = Grouping::AllData,
        .discrepancy = Discrepancy::Ratio,
        .sensitivity = Sensitivity::OfBlock,
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<EmUpdate>(context); }};
    return row;
}

}  // namespace tof
