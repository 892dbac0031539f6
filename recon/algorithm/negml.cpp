// SPDX-License-Identifier: Apache-2.0
// NEGML: Poisson's likelihood where psi counts or more are expected of a datum, and below that the normal
// distribution of variance psi that goes on smoothly (J. Nuyts and others; K. Van Slambrouck and others,
// modified_poisson.h). After each block
//
//     x = x + F^T [mult (y - e) / max(e, psi)] / F^T [mult p / max(e, psi)],   p = mult F 1,
//
// which no step overshoots: the divisor is that of a separable surrogate with equal weights.
#include <array>

#include "recon/algorithm/modified_poisson.h"
#include "recon/base/options.h"

namespace tof {

namespace {

class NegmlUpdate : public ModifiedPoisson {
  public:
    explicit NegmlUpdate(const UpdateContext& context)
        : ModifiedPoisson(context),
          psi_(static_cast<float>(context.settings.psi)),
          divisor_{context.space.allocate(context.lattice.voxels()),
                   context.space.allocate(context.lattice.voxels())} {}

    void backPart(const PartTask& task) override {
        space().stage(Stage::Forward);
        project(task);
        space().stage(Stage::Discrepancy);
        overVariance(task, task.scratch.part(0, residual(task).size), psi_, residual(task));
        overVariance(task, task.scratch.part(0, residual(task).size), psi_, evenProjection(task));
        space().stage(Stage::Back);
        projector().backAttenuated(task.part, task.data.att, residual(task), task.out, task.write);
        projector().backAttenuated(task.part, task.data.att, evenProjection(task),
                                   divisor_.at(task.share).view(), task.write);
        space().stageEnd();
        shared_ = task.share > 0;
    }

    void apply(const BlockTerms& terms, MutableView x) override {
        const MutableView divisor = divisor_[0].view();
        if (shared_) {
            space().accumulate(divisor_[1].view(), divisor);
        }
        projector().complete(divisor);
        space().multiply(even(), terms.correction, terms.correction);
        space().update(OpenStep{}, {terms.correction, divisor, {}, terms.next}, x);
    }

  private:
    float psi_;
    std::array<Array, 2> divisor_;  ///< by share
    bool shared_ = false;           ///< the block at hand has two shares
};

}  // namespace

const Algorithm& negml() {
    static const Algorithm row{
        .name = "negml",
        .about = toTranslate("Word", "for few counts: values may be negative, so cold regions have no bias"),
        .settings = {"subsets", "psi"},
        .grouping = Grouping::BySubsets,
        .discrepancy = Discrepancy::RatioMinusOne,
        .sensitivity = Sensitivity::OfAllData,
        .voxelsPerCount = kVoxelsPerCount,
        .residuals = Residuals::OfUpdate,
        .values = ImageValues::Any,
        .dataArrays = kModifiedPoissonData,
        .images = kModifiedPoissonImages + 2,
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<NegmlUpdate>(context); }};
    return row;
}

}  // namespace tof
