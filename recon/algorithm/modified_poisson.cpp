// SPDX-License-Identifier: Apache-2.0
#include "recon/algorithm/modified_poisson.h"

#include "recon/algorithm/reconstruction.h"

namespace tof {

ModifiedPoisson::ModifiedPoisson(const UpdateContext& context)
    : space_(context.space),
      projector_(context.projector),
      even_(space_.allocate(context.lattice.voxels())),
      evenSeen_(space_.allocate(context.lattice.voxels())),
      residual_(space_.allocate(largestPart(projector_))),
      evenProjection_(space_.allocate(residual_.size())),
      ones_(space_.allocate(residual_.size())) {
    space_.fill(ones_.view(), 1.0F);
}

void ModifiedPoisson::prepare(const DataScale& scale) {
    space_.fillSeen(scale.sensitivity, scale.floor, 1.0F, even_.view());
}

MutableView ModifiedPoisson::residual(const PartTask& task) {
    return residual_.view().part(0, projector_.dataSize(task.part));
}

MutableView ModifiedPoisson::evenProjection(const PartTask& task) {
    return evenProjection_.view().part(0, projector_.dataSize(task.part));
}

void ModifiedPoisson::expect(const PartTask& task, ConstView seen, MutableView p) {
    projector_.forward(task.part, seen, p);
    if (!task.data.mult.empty()) {
        space_.multiply(task.data.mult, p, p);
    }
}

void ModifiedPoisson::project(const PartTask& task) {
    if (residual(task).size == 0) {
        return;  // other ranks have this part
    }
    const MutableView e = task.scratch.part(0, projector_.dataSize(task.part));
    space_.copy(task.data.y, residual(task));
    expect(task, task.seen, e);
    if (!task.data.add.empty()) {
        space_.accumulate(task.data.add, e);
    }
    space_.addScaled(e, -1.0F, residual(task));
    ConstView seen = even_.view();
    if (!task.data.att.empty()) {
        space_.multiply(task.data.att, seen, evenSeen_.view());
        seen = evenSeen_.view();
    }
    expect(task, seen, evenProjection(task));
}

void ModifiedPoisson::overVariance(const PartTask& task, ConstView variance, float least, MutableView x) {
    if (x.size == 0) {
        return;
    }
    const ConstView ones = ones_.view().part(0, x.size);
    space_.update(OverVariance{least}, {variance, task.data.mult.empty() ? ones : task.data.mult}, x);
    projector_.refresh(x);  // ranks that keep slabs have views like images, right in their own planes alone
}

}  // namespace tof
