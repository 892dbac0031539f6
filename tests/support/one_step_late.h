// SPDX-License-Identifier: Apache-2.0
// An algorithm with a prior that the product does not know, made of what it offers: Green's one-step-late
// expectation maximisation with a quadratic prior that draws every voxel to zero.
#pragma once

#include <memory>

#include "recon/algorithm/algorithm.h"

namespace tof::test {

/// x *= c / (s + g), g the gradient of the prior at x.
class OneStepLateUpdate : public ImageUpdate {
  public:
    OneStepLateUpdate(const UpdateContext& context, float strength)
        : space_(context.space),
          strength_(strength),
          divisor_(context.space.allocate(context.lattice.voxels())) {}

    void apply(const BlockTerms& terms, MutableView x) override {
        space_.copy(terms.sensitivity, divisor_.view());
        space_.addScaled(x, strength_, divisor_.view());
        space_.update(RatioStep{terms.floor}, {terms.correction, divisor_.view(), {}, terms.next}, x);
    }

  private:
    Space& space_;
    float strength_;
    Array divisor_;
};

/// `strength` is that of the prior on all data; each block has its share.
inline Algorithm oneStepLate(double strength) {
    return {.name = "one step late",
            .about = "",
            .settings = {"subsets"},
            .discrepancy = Discrepancy::Ratio,
            .sensitivity = Sensitivity::OfBlock,
            .images = 1,
            .makeUpdate = [=](const UpdateContext& context) -> std::unique_ptr<ImageUpdate> {
                const double share = strength / static_cast<double>(context.blocks);
                return std::make_unique<OneStepLateUpdate>(context, static_cast<float>(share));
            }};
}

}  // namespace tof::test
