// SPDX-License-Identifier: Apache-2.0
// RAMLA: x *= max(1 + lambda c / (s/blocks), 0.1) after each block, c = F^T [mult (y/e - 1)] of the block and
// s the sensitivity of all data; lambda falls from pass to pass.
#include <array>

#include "recon/algorithm/algorithm.h"
#include "recon/base/options.h"

namespace tof {

namespace {

class RamlaUpdate : public ImageUpdate {
  public:
    explicit RamlaUpdate(const UpdateContext& context)
        : space_(context.space),
          relaxation_(context.settings.relaxation),
          gamma_(context.settings.gamma),
          blocks_(static_cast<float>(context.blocks)),
          lambda_(context.space.allocate(1)) {}

    void begin(int iteration, ConstView /*x*/) override {
        const std::array<float, 1> lambda{static_cast<float>(relaxation_ / (1.0 + gamma_ * (iteration - 1)))};
        space_.upload(lambda, lambda_.view());
    }
    void apply(const BlockTerms& terms, MutableView x) override {
        space_.update(RelaxedStep{blocks_, terms.floor},
                      {terms.correction, terms.sensitivity, lambda_.view(), terms.next, /*settled=*/true}, x);
    }

  private:
    Space& space_;
    double relaxation_;
    double gamma_;
    float blocks_;
    Array lambda_;  ///< one element, so that recorded steps see each iteration's
};

}  // namespace

const Algorithm& ramla() {
    static const Algorithm row{
        .name = "ramla",
        .about = toTranslate("Word", "a relaxed step after every block of views; fastest to a good image"),
        .settings = {"relaxation", "gamma", "subsets"},
        .grouping = Grouping::BySubsets,
        .discrepancy = Discrepancy::RatioMinusOne,
        .sensitivity = Sensitivity::OfAllData,
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<RamlaUpdate>(context); }};
    return row;
}

}  // namespace tof
