// SPDX-License-Identifier: Apache-2.0
#include "recon/algorithm/penalised.h"

namespace tof {

Penalised::Penalised(const UpdateContext& context)
    : projector_(context.projector),
      space_(context.space),
      prior_(*context.settings.prior),
      set_(context.settings),
      penalty_{{}, neighbourhoodOf(context.lattice)},
      beta_(context.settings.beta),
      kappa_(context.space.allocate(context.lattice.voxels())) {}

void Penalised::prepare(const DataScale& scale) {
    penalty_.potential = prior_.potential(set_, scale.unit);
    beta_ = set_.beta * scale.meanSensitivity;
    if (set_.kappa == Kappa::Off) {
        space_.fillSeen(scale.sensitivity, scale.floor, 1.0F, kappa_.view());
        return;
    }
    space_.fill(kappa_.view(), 0.0F);
    space_.update(KappaOf{scale.floor, static_cast<float>(1 / scale.meanSensitivity)},
                  {scale.sensitivity, scale.sensitivity}, kappa_.view());
}

void Penalised::add(PenaltyPart part, ConstView x, double share, MutableView out, Write write) {
    space_.penalise(penalty_, part, {x, kappa_.view(), {}, static_cast<float>(share * beta_), write}, out);
    projector_.refresh(out);
}

double Penalised::value(ConstView x, MutableView scratch) {
    if (!isOn()) {
        return 0;
    }
    space_.penalise(penalty_, PenaltyPart::Value, {x, kappa_.view()}, scratch);
    return beta_ * projector_.sum(scratch);
}

}  // namespace tof
