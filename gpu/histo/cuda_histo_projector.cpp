// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/cuda_histo_projector.h"

#include <algorithm>

namespace tof {

int CudaProjector::slicesPerLaunch(double macs, double perClock, int multiple) const {
    const int nz = model_.lattice.size[2];
    const double launches = std::max(1.0, macs / space_->launchBudget(perClock));
    const int slices = static_cast<int>(nz / launches) / multiple * multiple;
    return std::clamp(slices, std::min(multiple, nz), nz);
}

}  // namespace tof
