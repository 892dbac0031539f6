// SPDX-License-Identifier: Apache-2.0
// AML: expectation maximisation of x - A, no value below A < 0, with A's projection added to counts and to
// what is expected: ABML without an upper bound (C. L. Byrne, Inverse Problems 14 (1998) 1455-1467; K. Van
// Slambrouck and others, modified_poisson.h). After each block
//
//     x = x + (x - A) F^T [mult (y - e) / (e - mult F A)] / s_b.
#include "recon/algorithm/modified_poisson.h"
#include "recon/base/options.h"

namespace tof {

namespace {

class AmlUpdate : public ModifiedPoisson {
  public:
    explicit AmlUpdate(const UpdateContext& context)
        : ModifiedPoisson(context), multiple_(context.settings.lowerBound) {}

    void prepare(const DataScale& scale) override {
        ModifiedPoisson::prepare(scale);
        bound_ = static_cast<float>(multiple_ * scale.unit);
    }

    void backPart(const PartTask& task) override {
        space().stage(Stage::Forward);
        project(task);
        space().stage(Stage::Discrepancy);
        const MutableView expected = task.scratch.part(0, residual(task).size);
        space().addScaled(evenProjection(task), bound_, expected);
        overVariance(task, expected, 0, residual(task));
        space().stage(Stage::Back);
        projector().backAttenuated(task.part, task.data.att, residual(task), task.out, task.write);
        space().stageEnd();
    }

    void apply(const BlockTerms& terms, MutableView x) override {
        space().multiply(even(), terms.correction, terms.correction);
        space().update(OpenStep{1, bound_, terms.floor},
                       {terms.correction, terms.sensitivity, {}, terms.next, /*settled=*/true}, x);
    }

  private:
    double multiple_;
    float bound_ = 0;  ///< -A
};

}  // namespace

const Algorithm& aml() {
    static const Algorithm row{
        .name = "aml",
        .about = toTranslate("Word", "for few counts: values down to a negative bound; cheaper than negml"),
        .settings = {"subsets", "lower-bound"},
        .grouping = Grouping::BySubsets,
        .discrepancy = Discrepancy::RatioMinusOne,
        .sensitivity = Sensitivity::OfBlock,
        .voxelsPerCount = kVoxelsPerCount,
        .residuals = Residuals::OfUpdate,
        .values = ImageValues::Any,
        .dataArrays = kModifiedPoissonData,
        .images = kModifiedPoissonImages,
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<AmlUpdate>(context); }};
    return row;
}

}  // namespace tof
