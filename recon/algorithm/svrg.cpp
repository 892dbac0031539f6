// SPDX-License-Identifier: Apache-2.0
// SVRG: subsets whose gradients are put right by what they were at an anchor, so that their variance falls
// with the distance to it (R. Twyman and others, IEEE Trans. Med. Imaging 42 (2023) 29-41,
// doi:10.1109/TMI.2022.3203237). An iteration has an anchor, the image x_a that it begins with, and
// 1 + kInnerPasses passes. The first finds c_b = F^T [mult (y/e - 1)] of every one of B blocks at x_a and
// ends in a step along their sum; the others go block by block along
//
//     g = B (c_b(x) - c_b(x_a)) + sum of all c_b(x_a) - beta grad R(x),
//     x = max(x / 10, x + min(step_k D g, 10 (x + delta))),   D = (x_a + delta) / (s + 2 (x_a + delta)
//     diag(beta hess R(x_a))), step_k = step / (1 + decay k) in iteration k.
//
// The divisor of D holds the prior's curvature, as that of M. J. Ehrhardt, Z. Kereta and G. Schramm does,
// Front. Nucl. Med. 5 (2025), doi:10.3389/fnume.2025.1641215. The first iteration is a pass of BSREM: an
// anchor at a uniform image tells little. An iteration depends on nothing but the image that it begins with,
// so runs go on to the same bits.
#include <array>

#include "recon/algorithm/penalised.h"
#include "recon/base/options.h"

namespace tof {

namespace {

constexpr std::size_t kInnerPasses = 2;

class SvrgUpdate : public ImageUpdate {
  public:
    explicit SvrgUpdate(const UpdateContext& context)
        : space_(context.space),
          set_(context.settings),
          blocks_(context.blocks),
          prior_(context),
          size_(context.space.allocate(context.lattice.voxels())),
          all_(context.space.allocate(context.lattice.voxels())),
          step_(context.space.allocate(1)) {
        for (std::size_t block = 0; block < blocks_; ++block) {
            anchors_.push_back(context.space.allocate(context.lattice.voxels()));
        }
    }

    void prepare(const DataScale& scale) override {
        prior_.prepare(scale);
        scale_ = scale;
        delta_ = static_cast<float>(kStepDelta * scale.unit);
    }
    std::size_t passes(int iteration) const override { return iteration == 1 ? 1 : 1 + kInnerPasses; }
    void begin(int iteration, ConstView x) override {
        first_ = iteration == 1;
        prior_.add(PenaltyPart::Curvature, x, 2, size_.view(), Write::Overwrite);
        // This stands between what is written and its update, as that asks for (Space::update).
        space_.upload(std::array<float, 1>{stepOf(set_, iteration)}, step_.view());
        if (first_) {
            space_.update(StepDivisor{delta_}, {x, scale_.sensitivity}, size_.view());
        } else {
            space_.update(StepSize{scale_.floor, delta_}, {x, scale_.sensitivity}, size_.view());
        }
    }
    void apply(const BlockTerms& terms, MutableView x) override {
        const auto blocks = static_cast<float>(blocks_);
        if (first_) {
            prior_.add(PenaltyPart::Gradient, x, -1 / static_cast<double>(blocks_), terms.correction,
                       Write::Add);
            space_.update(AscentStep{blocks, terms.floor, delta_},
                          {terms.correction, size_.view(), step_.view(), terms.next, /*settled=*/true}, x);
        } else if (terms.pass == 0) {
            anchor(terms, x);
        } else {
            space_.accumulate(anchors_[terms.block].view(), terms.correction);
            prior_.add(PenaltyPart::Gradient, x, -1 / static_cast<double>(blocks_), terms.correction,
                       Write::Add);
            space_.update(SizedStep{blocks, delta_},
                          {terms.correction, size_.view(), step_.view(), terms.next, /*settled=*/true}, x);
        }
    }
    double penalty(ConstView x, MutableView scratch) override { return prior_.value(x, scratch); }
    bool show(PriorImage which, ConstView x, MutableView out) override { return prior_.show(which, x, out); }

  private:
    /// Keeps what block b says at the anchor; after the last one what is to be added to its correction in the
    /// passes that follow: the mean over blocks minus it.
    void anchor(const BlockTerms& terms, MutableView x) {
        const MutableView own = anchors_[terms.block].view();
        space_.fill(own, 0.0F);
        space_.addScaled(terms.correction, -1.0F, own);
        if (terms.block == 0) {
            space_.copy(terms.correction, all_.view());
        } else {
            space_.accumulate(terms.correction, all_.view());
        }
        if (terms.block + 1 < blocks_) {
            if (!terms.next.att.empty()) {
                space_.multiply(terms.next.att, x, terms.next.image);
            }
            return;
        }
        for (Array& each : anchors_) {
            space_.addScaled(all_.view(), 1.0F / static_cast<float>(blocks_), each.view());
        }
        prior_.add(PenaltyPart::Gradient, x, -1, all_.view(), Write::Add);
        space_.update(SizedStep{1, delta_},
                      {all_.view(), size_.view(), step_.view(), terms.next, /*settled=*/true}, x);
    }

    Space& space_;
    AlgorithmParameters set_;
    std::size_t blocks_;
    Penalised prior_;
    Array size_;                  ///< D; in the first iteration AscentStep's divisor
    Array all_;                   ///< sum of the blocks' at the anchor
    std::vector<Array> anchors_;  ///< by block
    Array step_;                  ///< one element, so that recorded steps see each iteration's
    DataScale scale_;
    float delta_ = 0;
    bool first_ = true;
};

}  // namespace

const Algorithm& svrg() {
    static const Algorithm row{
        .name = "svrg",
        .about =
            toTranslate("Word", "with a prior: subsets put right by all data; soonest at the best image"),
        .settings = withPrior({"subsets", "step", "step-decay"}),
        .grouping = Grouping::BySubsets,
        .discrepancy = Discrepancy::RatioMinusOne,
        .sensitivity = Sensitivity::OfAllData,
        .voxelsPerCount = 0.2,  // counts of a block stand against those of all, so each must know a voxel
        .prior = UsesPrior::AsObjective,
        .anatomy = UsesAnatomy::IfThere,
        .passes = 1 + kInnerPasses,
        .images = 3,
        .imagesPerBlock = 1,
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<SvrgUpdate>(context); }};
    return row;
}

}  // namespace tof
