// SPDX-License-Identifier: Apache-2.0
// An algorithm with a prior that the product does not know, made of what it offers: Green's one-step-late
// expectation maximisation with a quadratic prior over neighbours.
#pragma once

#include <memory>

#include "recon/algorithm/algorithm.h"

namespace tof::test {

/// x *= c / (s + g), g the gradient of the prior at x.
class OneStepLateUpdate : public ImageUpdate {
  public:
    OneStepLateUpdate(const UpdateContext& context, const Neighbourhood& around)
        : space_(context.space),
          around_(around),
          divisor_(context.space.allocate(context.lattice.voxels())) {}

    void apply(const BlockTerms& terms, MutableView x) override {
        space_.sumNeighbours(Difference{}, around_, x, divisor_.view());
        space_.accumulate(terms.sensitivity, divisor_.view());
        space_.update(RatioStep{terms.floor}, {terms.correction, divisor_.view(), {}, terms.next}, x);
    }

  private:
    Space& space_;
    Neighbourhood around_;
    Array divisor_;
};

using Neighbours = Neighbourhood (*)(const Lattice& lattice, double strength);

/// `strength` is that of the prior on all data; each block has its share.
inline Algorithm oneStepLate(Neighbours neighbours, double strength) {
    return {.name = "one step late",
            .settings = {"subsets"},
            .discrepancy = Discrepancy::Ratio,
            .sensitivity = Sensitivity::OfBlock,
            .images = 1,
            .makeUpdate = [=](const UpdateContext& context) -> std::unique_ptr<ImageUpdate> {
                const double share = strength / static_cast<double>(context.blocks);
                return std::make_unique<OneStepLateUpdate>(context, neighbours(context.lattice, share));
            }};
}

}  // namespace tof::test
