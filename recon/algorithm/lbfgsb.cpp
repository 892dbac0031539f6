// SPDX-License-Identifier: Apache-2.0
// The slow and sure one: all data every step, no step that makes the objective smaller. An iteration is
// kPasses steps of a projected quasi-Newton method with limited memory: the direction is H g on the voxels
// that can follow the gradient g (not those near 0 where it points down), H the inverse of the Hessian as the
// last kPairs steps show it (J. Nocedal, Math. Comp. 35 (1980) 773-782, doi:10.2307/2006193), begun with
// SVRG's D; the step is halved until the objective grows by a share of what the gradient promises
// (D. P. Bertsekas, SIAM J. Control Optim. 20 (1982) 221-246, doi:10.1137/0320018). Each step costs a
// gradient and a forward projection or more. The memory is forgotten with every iteration, which so depends
// on nothing but the image that it begins with: runs go on to the same bits.
#include <algorithm>
#include <array>
#include <utility>

#include "recon/algorithm/penalised.h"
#include "recon/base/options.h"

namespace tof {

namespace {

constexpr std::size_t kPasses = 12;
constexpr std::size_t kPairs = 5;
constexpr int kHalvings = 24;
constexpr double kShare = 1e-4;     // of the promised growth
constexpr double kNearZero = 1e-6;  // of the unit

class LbfgsbUpdate : public ImageUpdate {
  public:
    explicit LbfgsbUpdate(const UpdateContext& context)
        : context_(context), space_(context.space), prior_(context) {
        for (Array* each : {&size_, &gradient_, &free_, &along_, &direction_, &from_}) {
            *each = space_.allocate(context.lattice.voxels());
        }
        for (Pair& pair : pairs_) {
            pair.step = space_.allocate(context.lattice.voxels());
            pair.change = space_.allocate(context.lattice.voxels());
        }
    }

    void prepare(const DataScale& scale) override {
        prior_.prepare(scale);
        scale_ = scale;
    }
    std::size_t passes(int /*iteration*/) const override { return kPasses; }
    void begin(int /*iteration*/, ConstView x) override {
        known_ = 0;
        moved_ = false;
        settled_ = false;
        prior_.add(PenaltyPart::Curvature, x, 2, size_.view(), Write::Overwrite);
        space_.fill(along_.view(), 0.0F);  // stands between what is written and its update (Space::update)
        space_.update(StepSize{scale_.floor, static_cast<float>(kStepDelta * scale_.unit)},
                      {x, scale_.sensitivity}, size_.view());
    }
    void apply(const BlockTerms& terms, MutableView x) override {
        prior_.add(PenaltyPart::Gradient, x, -1, terms.correction, Write::Add);
        if (moved_) {
            learn(terms.correction);
        }
        space_.copy(terms.correction, gradient_.view());
        scratch_ = terms.correction;
        space_.update(FreeGradient{static_cast<float>(kNearZero * scale_.unit)}, {gradient_.view(), x},
                      free_.view());
        space_.copy(x, from_.view());
        if (terms.pass == 0) {
            best_ = context_.objective().total();
        }
        moved_ = !settled_ && search(findDirection(), x);
        if (!moved_ && known_ > 0) {  // what was learned misleads
            known_ = 0;
            moved_ = search(findDirection(), x);
        }
        settled_ = !moved_;  // from there the passes that are left would find what this one has
        if (!terms.next.att.empty()) {
            space_.multiply(terms.next.att, x, terms.next.image);
        }
    }
    double penalty(ConstView x, MutableView scratch) override { return prior_.value(x, scratch); }
    bool show(PriorImage which, ConstView x, MutableView out) override { return prior_.show(which, x, out); }

  private:
    struct Pair {
        Array step;
        Array change;      ///< what the gradient lost along the step
        double along = 0;  ///< step times change, > 0
    };

    [[nodiscard]] double dot(ConstView a, ConstView b) {
        space_.multiply(a, b, scratch_);
        return context_.projector.sum(scratch_);
    }

    /// The step before and what it did to the gradient join the pairs, the newest first; the oldest goes.
    void learn(ConstView gradient) {
        Pair& pair = pairs_.back();  // search() has left the step there
        space_.copy(gradient_.view(), pair.change.view());
        space_.addScaled(gradient, -1.0F, pair.change.view());
        scratch_ = along_.view();
        pair.along = dot(pair.step.view(), pair.change.view());
        if (pair.along > 0) {
            std::rotate(pairs_.begin(), pairs_.end() - 1, pairs_.end());
            known_ = std::min(known_ + 1, kPairs);
        }
    }

    /// direction_ = H g over the returned scale, on the voxels that are free.
    [[nodiscard]] double findDirection() {
        std::array<double, kPairs> shares{};
        double scale = 1;
        space_.copy(free_.view(), along_.view());
        for (std::size_t i = 0; i < known_; ++i) {
            shares[i] = dot(pairs_[i].step.view(), along_.view()) / pairs_[i].along;
            space_.addScaled(pairs_[i].change.view(), static_cast<float>(-shares[i]), along_.view());
        }
        space_.multiply(along_.view(), size_.view(), along_.view());
        if (known_ > 0) {
            space_.multiply(size_.view(), pairs_[0].change.view(), direction_.view());
            scale = pairs_[0].along / dot(direction_.view(), pairs_[0].change.view());
        }
        for (std::size_t i = known_; i-- > 0;) {
            const double share = scale * dot(pairs_[i].change.view(), along_.view()) / pairs_[i].along;
            space_.addScaled(pairs_[i].step.view(), static_cast<float>((shares[i] - share) / scale),
                             along_.view());
        }
        space_.update(Masked{}, {along_.view(), free_.view()}, direction_.view());
        return scale;
    }

    /// x becomes a step from from_ along direction_ that makes the objective larger; else it stays.
    [[nodiscard]] bool search(double length, MutableView x) {
        const MutableView step = pairs_.back().step.view();
        for (int tries = 0; tries < kHalvings; ++tries, length /= 2) {
            space_.update(StepFrom{static_cast<float>(length)}, {from_.view(), direction_.view()}, x);
            space_.copy(x, step);
            space_.addScaled(from_.view(), -1.0F, step);
            const double promised = dot(free_.view(), step);
            const double found = context_.objective().total();
            if (promised > 0 && found > best_ && found >= best_ + kShare * promised) {
                best_ = found;
                return true;
            }
            if (!(promised > 0)) {
                break;
            }
        }
        space_.copy(from_.view(), x);
        return false;
    }

    UpdateContext context_;
    Space& space_;
    Penalised prior_;
    DataScale scale_;
    Array size_;                          ///< D
    Array gradient_;                      ///< that of the objective
    Array free_;                          ///< what of it can be followed
    Array along_;                         ///< the direction as it is made
    Array direction_;                     ///< the direction
    Array from_;                          ///< the image before the step
    std::array<Pair, kPairs + 1> pairs_;  ///< the last one is the step at hand
    std::size_t known_ = 0;               ///< pairs that say something
    bool moved_ = false;                  ///< the last step was one
    bool settled_ = false;                ///< no direction makes the objective larger
    double best_ = 0;                     ///< the objective at the image
    MutableView scratch_;
};

}  // namespace

const Algorithm& lbfgsb() {
    static const Algorithm row{
        .name = "lbfgsb",
        .about = toTranslate(
            "Word", "with a prior: all data every step, slow and sure; what the others are judged by"),
        .settings = withPrior({}),
        .grouping = Grouping::AllData,
        .discrepancy = Discrepancy::RatioMinusOne,
        .sensitivity = Sensitivity::OfAllData,
        .prior = UsesPrior::AsObjective,
        .anatomy = UsesAnatomy::IfThere,
        .steps = Steps::Measured,
        .passes = kPasses,
        .images = 7 + 2 * (kPairs + 1),  // kappa is one
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<LbfgsbUpdate>(context); }};
    return row;
}

}  // namespace tof
