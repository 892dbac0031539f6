// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/algorithm/algorithm.h"

namespace tof {

/// Expectation maximisation: x *= c / s, c = F^T [mult y/e] and s the sensitivity of the block. Where a block
/// has few counts no factor is below `least`, else a voxel that none of them reaches would be 0 for ever.
class EmUpdate : public ImageUpdate {
  public:
    explicit EmUpdate(const UpdateContext& context) : space_(context.space) {}

    void apply(const BlockTerms& terms, MutableView x) override {
        space_.update(RatioStep{terms.floor, terms.least},
                      {terms.correction, terms.sensitivity, {}, terms.next, /*settled=*/true}, x);
    }

  private:
    Space& space_;
};

}  // namespace tof
