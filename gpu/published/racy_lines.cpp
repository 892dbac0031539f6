// SPDX-License-Identifier: Apache-2.0
#include "gpu/published/published_projectors.h"
#include "gpu/published/racy_kernels.h"

namespace tof {

std::unique_ptr<LineStrategy> makeRacyLines(const LineWork& work) {
    return makePlainLines(work, device::lineBackRacy);
}

}  // namespace tof
