// SPDX-License-Identifier: Apache-2.0
// Kernelised expectation maximisation: G. Wang, J. Qi, IEEE Trans. Med. Imaging 34 (2015) 61-71,
// doi:10.1109/TMI.2014.2343916. The image is x = K a; after each block the coefficients a become
// a K^T c / K^T s_b, c = F^T [mult y/e] of the block and s_b its sensitivity. K is the cube of W, and W has
// in every row the mean over a voxel and those of its 26 neighbours that are most alike in the anatomy: a
// voxel speaks with voxels up to three away, by ways that stay in its organ.
#include "recon/algorithm/algorithm.h"
#include "recon/base/error.h"
#include "recon/base/options.h"

namespace tof {

namespace {

constexpr int kPower = 3;

class KemUpdate : public ImageUpdate {
  public:
    explicit KemUpdate(const UpdateContext& context)
        : projector_(context.projector),
          space_(context.space),
          neighbours_(neighbourhoodOf(context.lattice)) {
        if (context.settings.chosen == nullptr) {
            throw WrongUse("kem goes by an anatomy, and there is none");
        }
        for (Array* each : {&coefficients_, &seen_, &chosen_, &share_, &sensitivity_, &work_}) {
            *each = space_.allocate(context.lattice.voxels());
        }
        space_.upload(*context.settings.chosen, chosen_.view());
        // share = 1 / (1 + neighbours that are chosen).
        space_.fill(work_.view(), 1.0F);
        space_.gather(neighbours_, chosen_.view(), ChosenBy::Itself, work_.view(), share_.view());
        space_.fill(sensitivity_.view(), 1.0F);
        space_.update(RatioStep{}, {sensitivity_.view(), share_.view()}, work_.view());
        space_.copy(work_.view(), share_.view());
        projector_.refresh(share_.view());
    }

    void prepare(const DataScale& scale) override {
        space_.fillSeen(scale.sensitivity, scale.floor, 1.0F, seen_.view());
    }
    void begin(int /*iteration*/, ConstView x) override {
        if (!known_) {
            space_.copy(x, coefficients_.view());
            known_ = true;
        }
    }
    void goOnFrom(std::span<const float> coefficients) override {
        known_ = !coefficients.empty();
        if (known_) {
            space_.upload(coefficients, coefficients_.view());
        }
    }
    ConstView coefficients() override { return coefficients_.view(); }
    void apply(const BlockTerms& terms, MutableView x) override {
        space_.copy(terms.sensitivity, sensitivity_.view());
        transposed(terms.correction);
        transposed(sensitivity_.view());
        space_.update(RatioStep{terms.floor, terms.least}, {terms.correction, sensitivity_.view()},
                      coefficients_.view());
        space_.copy(coefficients_.view(), x);
        for (int k = 0; k < kPower; ++k) {
            space_.gather(neighbours_, chosen_.view(), ChosenBy::Itself, x, work_.view());
            space_.multiply(work_.view(), share_.view(), x);
            projector_.refresh(x);
        }
        space_.multiply(x, seen_.view(), x);
        if (!terms.next.att.empty()) {
            space_.multiply(terms.next.att, x, terms.next.image);
        }
    }

  private:
    /// image = K^T image; the voxels that nothing sees have no part in it.
    void transposed(MutableView image) {
        space_.multiply(image, seen_.view(), image);
        for (int k = 0; k < kPower; ++k) {
            space_.multiply(image, share_.view(), work_.view());
            space_.gather(neighbours_, chosen_.view(), ChosenBy::Neighbours, work_.view(), image);
            projector_.refresh(image);
        }
    }

    Projector& projector_;
    Space& space_;
    Neighbourhood neighbours_;
    Array coefficients_;
    Array seen_;    ///< 1 where the data see a voxel, else 0
    Array chosen_;  ///< PenaltyTerms::chosen
    Array share_;   ///< what each of those that a voxel is the mean of has in it
    Array sensitivity_;
    Array work_;
    bool known_ = false;
};

}  // namespace

const Algorithm& kem() {
    static const Algorithm row{
        .name = "kem",
        .about =
            toTranslate("Word", "OSEM of coefficients that neighbours alike in an anatomy share; few counts"),
        .settings = {"subsets", "anatomy", "bowsher"},
        .grouping = Grouping::BySubsets,
        .discrepancy = Discrepancy::Ratio,
        .sensitivity = Sensitivity::OfBlock,
        .voxelsPerCount = kVoxelsPerCount,
        .anatomy = UsesAnatomy::Always,
        .images = 5,  // and what is chosen
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<KemUpdate>(context); }};
    return row;
}

}  // namespace tof
