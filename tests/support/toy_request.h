// SPDX-License-Identifier: Apache-2.0
// A request with a row that the product does not know.
#pragma once

#include <vector>

#include "recon/work/bin_rows.h"

namespace tof::test {

struct ToyRequest : BinRequest {
    double glow = 2;
};

/// Everything that binning is asked, and one row more.
inline std::vector<BoundRow> toyRows(ToyRequest& request) {
    using namespace row_words;
    static const std::vector<RequestRow<ToyRequest>> rows{
        RequestRow<ToyRequest>::of(&ToyRequest::glow, "glow", Label{"Glow"}, Unit{"nits"}, Limits{1, 9},
                                   Help{"How much toys glow in the dark"})};
    std::vector<BoundRow> all;
    bindRows(all, binRows(), request);
    bindRows(all, rows, request);
    return all;
}

}  // namespace tof::test
