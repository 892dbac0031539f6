// SPDX-License-Identifier: Apache-2.0
// One step late: P. J. Green, IEEE Trans. Med. Imaging 9 (1990) 84-93, doi:10.1109/42.52985. After each of B
// blocks x *= c / max(s_b + beta grad R(x) / B, 0.1 s_b), c = F^T [mult y/e] of the block and s_b its
// sensitivity: expectation maximisation with the prior's gradient at the image before.
#include "recon/algorithm/penalised.h"
#include "recon/base/options.h"

namespace tof {

namespace {

class OslUpdate : public ImageUpdate {
  public:
    explicit OslUpdate(const UpdateContext& context)
        : space_(context.space),
          share_(1.0 / static_cast<double>(context.blocks)),
          prior_(context),
          divisor_(context.space.allocate(context.lattice.voxels())) {}

    void prepare(const DataScale& scale) override { prior_.prepare(scale); }
    void apply(const BlockTerms& terms, MutableView x) override {
        prior_.add(PenaltyPart::Gradient, x, share_, divisor_.view(), Write::Overwrite);
        // The gradient is the correction here: that the operation before has written it makes no odds to it.
        const ConstView gradient = divisor_.view();
        space_.update(LateDivisor{terms.floor}, {gradient, terms.sensitivity}, divisor_.view());
        space_.update(RatioStep{0, terms.least}, {terms.correction, divisor_.view(), {}, terms.next}, x);
    }
    double penalty(ConstView x, MutableView scratch) override { return prior_.value(x, scratch); }
    bool show(PriorImage which, ConstView x, MutableView out) override { return prior_.show(which, x, out); }

  private:
    Space& space_;
    double share_;
    Penalised prior_;
    Array divisor_;
};

}  // namespace

const Algorithm& osl() {
    static const Algorithm row{
        .name = "osl",
        .about = toTranslate("Word", "OSEM with the prior's gradient one step late; for any prior"),
        .settings = withPrior({"subsets"}),
        .grouping = Grouping::BySubsets,
        .discrepancy = Discrepancy::Ratio,
        .sensitivity = Sensitivity::OfBlock,
        .voxelsPerCount = kVoxelsPerCount,
        .prior = UsesPrior::OneStepLate,
        .anatomy = UsesAnatomy::IfThere,
        .images = 2,
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<OslUpdate>(context); }};
    return row;
}

}  // namespace tof
