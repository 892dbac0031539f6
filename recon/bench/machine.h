// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/base/instruction_set.h"
#include "recon/base/parallel.h"

namespace tof {

/// Multiply-adds per second that all threads of the pool reach in registers with one instruction set; the
/// best of a few short measurements.
[[nodiscard]] double measureMultiplyAddPeak(const ThreadPool& pool, InstructionSet set);

/// Bytes read plus written per second when all threads copy an array far larger than the caches.
[[nodiscard]] double measureCopyBandwidth(const ThreadPool& pool);

}  // namespace tof
