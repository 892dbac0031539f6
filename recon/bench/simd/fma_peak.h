// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// Runs independent chains of multiply-adds in registers; returns how many were done. `sink` keeps the
/// result.
namespace baseline {
double multiplyAddLoop(long repetitions, float* sink);
}
namespace avx2 {
double multiplyAddLoop(long repetitions, float* sink);
}
namespace avx512 {
double multiplyAddLoop(long repetitions, float* sink);
}

}  // namespace tof
