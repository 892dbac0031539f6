// SPDX-License-Identifier: Apache-2.0
// MLEM: expectation maximisation on all data at once.
#include "recon/algorithm/em_update.h"
#include "recon/base/options.h"

namespace tof {

const Algorithm& mlem() {
    static const Algorithm row{
        .name = "mlem",
        .about = toTranslate("Word", "one step from all views at once; slow and steady"),
        .settings = {},
        .grouping = Grouping::AllData,
        .discrepancy = Discrepancy::Ratio,
        .sensitivity = Sensitivity::OfBlock,
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<EmUpdate>(context); }};
    return row;
}

}  // namespace tof
