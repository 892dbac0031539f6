// SPDX-License-Identifier: Apache-2.0
// BSREM, block-sequential regularised expectation maximisation in the modified form of S. Ahn, J. A. Fessler,
// IEEE Trans. Med. Imaging 22 (2003) 613-626, doi:10.1109/TMI.2003.812251: after each of B blocks
//
//     x = max(x / 10, x + min(step_k B (x + delta) / d (c - beta grad R(x) / B), 10 (x + delta))),   c = F^T
//     [mult (y/e - 1)] of the block, step_k = step / (1 + decay k) in pass k,   d = s + 2 (x_k + delta)
//     diag(beta hess R(x_k)),
//
// x_k the image with which the pass begins, s the sensitivity of all data. The second term of d keeps steps
// bounded for any beta: without it they are those of expectation maximisation.
#include <array>

#include "recon/algorithm/penalised.h"
#include "recon/base/options.h"

namespace tof {

namespace {

class BsremUpdate : public ImageUpdate {
  public:
    explicit BsremUpdate(const UpdateContext& context)
        : space_(context.space),
          set_(context.settings),
          blocks_(static_cast<float>(context.blocks)),
          prior_(context),
          divisor_(context.space.allocate(context.lattice.voxels())),
          step_(context.space.allocate(1)) {}

    void prepare(const DataScale& scale) override {
        prior_.prepare(scale);
        sensitivity_ = scale.sensitivity;
        delta_ = static_cast<float>(kStepDelta * scale.unit);
    }
    void begin(int iteration, ConstView x) override {
        prior_.add(PenaltyPart::Curvature, x, 2, divisor_.view(), Write::Overwrite);
        // This stands between what is written and its update, as that asks for (Space::update).
        space_.upload(std::array<float, 1>{stepOf(set_, iteration)}, step_.view());
        space_.update(StepDivisor{delta_}, {x, sensitivity_}, divisor_.view());
    }
    void apply(const BlockTerms& terms, MutableView x) override {
        prior_.add(PenaltyPart::Gradient, x, -1.0 / static_cast<double>(blocks_), terms.correction,
                   Write::Add);
        space_.update(AscentStep{blocks_, terms.floor, delta_},
                      {terms.correction, divisor_.view(), step_.view(), terms.next, /*settled=*/true}, x);
    }
    double penalty(ConstView x, MutableView scratch) override { return prior_.value(x, scratch); }
    bool show(PriorImage which, ConstView x, MutableView out) override { return prior_.show(which, x, out); }

  private:
    Space& space_;
    AlgorithmParameters set_;
    float blocks_;
    Penalised prior_;
    Array divisor_;
    Array step_;  ///< one element, so that recorded steps see each iteration's
    ConstView sensitivity_;
    float delta_ = 0;
};

}  // namespace

const Algorithm& bsrem() {
    static const Algorithm row{
        .name = "bsrem",
        .about = toTranslate("Word", "with a prior: relaxed steps after every subset, to the one best image"),
        .settings = withPrior({"subsets", "step", "step-decay"}),
        .grouping = Grouping::BySubsets,
        .discrepancy = Discrepancy::RatioMinusOne,
        .sensitivity = Sensitivity::OfAllData,
        .voxelsPerCount = kVoxelsPerCount,
        .prior = UsesPrior::AsObjective,
        .anatomy = UsesAnatomy::IfThere,
        .images = 2,
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<BsremUpdate>(context); }};
    return row;
}

}  // namespace tof
