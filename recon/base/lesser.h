// SPDX-License-Identifier: Apache-2.0
// The lesser and the greater of two numbers, for host and device.
#pragma once

#include <cmath>

#include "recon/base/hd.h"

namespace tof {

/// The lesser of two numbers, `a` where `b` is none. It is one instruction: std::fmin is a call on the host.
template <class T>
[[nodiscard]] TOF_HD inline T lesser(T a, T b) {
#if defined(__CUDA_ARCH__)
    return fmin(a, b);
#else
    return b < a ? b : a;
#endif
}

/// The greater of two numbers, as lesser().
template <class T>
[[nodiscard]] TOF_HD inline T greater(T a, T b) {
#if defined(__CUDA_ARCH__)
    return fmax(a, b);
#else
    return b > a ? b : a;
#endif
}

}  // namespace tof
