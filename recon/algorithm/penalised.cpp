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
      kappa_(context.space.allocate(context.lattice.voxels())) {
    if (const auto& chosen = context.settings.chosen; chosen != nullptr) {
        chosen_ = space_.allocate(context.lattice.voxels());
        space_.upload(*chosen, chosen_.view());
    }
}

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

void Penalised::add(PenaltyPart part, ConstView x, double share, MutableView out, Write write,
                    ConstView vector) {
    if (!isOn()) {
        if (write == Write::Overwrite) {
            space_.fill(out, 0.0F);
        }
        return;
    }
    space_.penalise(penalty_, part,
                    {x, kappa_.view(), vector, static_cast<float>(share * beta_), write, chosen_.view()},
                    out);
    projector_.refresh(out);
}

bool Penalised::show(PriorImage which, ConstView x, MutableView out) {
    if (!isOn()) {
        return false;
    }
    if (which == PriorImage::Kappa) {
        space_.copy(kappa_.view(), out);
    } else {
        add(PenaltyPart::Gradient, x, -1, out, Write::Overwrite);
    }
    return true;
}

double Penalised::value(ConstView x, MutableView scratch) {
    if (!isOn() || prior_.kind == PriorKind::OneStepLate) {
        return 0;
    }
    space_.penalise(penalty_, PenaltyPart::Value, {x, kappa_.view(), {}, 1, Write::Overwrite, chosen_.view()},
                    scratch);
    return beta_ * projector_.sum(scratch);
}

std::vector<std::string> withPrior(std::vector<std::string> own) {
    for (const char* const each :
         {"prior", "beta", "prior-gamma", "prior-epsilon", "prior-delta", "kappa", "anatomy", "bowsher"}) {
        own.emplace_back(each);
    }
    return own;
}

}  // namespace tof
