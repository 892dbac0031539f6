// SPDX-License-Identifier: Apache-2.0
// Parts of a penalty on the device. The launcher returns without waiting.
#pragma once

#include "gpu/space/element_kernels.h"
#include "recon/seam/prior_math.h"

namespace tof::device {

/// Mirrors PenaltyTerms; empty where there is none.
struct DevicePenaltyTerms {
    DeviceSpan<const float> x;
    DeviceSpan<const float> kappa;
    DeviceSpan<const float> vector;
    DeviceSpan<const float> chosen;
    float factor = 1;
    bool add = false;
};
/// As Space::penalise().
void penalise(Launch launch, const Penalty& penalty, PenaltyPart part, const DevicePenaltyTerms& terms,
              DeviceSpan<float> out);

/// As Space::gather().
void gather(Launch launch, const Neighbourhood& neighbours, DeviceSpan<const float> chosen, ChosenBy by,
            DeviceSpan<const float> x, DeviceSpan<float> out);

}  // namespace tof::device
