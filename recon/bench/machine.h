// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/core/parallel.h"
#include "recon/direct/instruction_set.h"

namespace tof {

/// Multiply-adds per second that all threads of the pool reach in registers with one instruction set; the
/// best of a few short measurements.
[[nodiscard]] double measureMultiplyAddPeak(const ThreadPool& pool, InstructionSet set);

/// Bytes read plus written per second when all threads copy an array far larger than the caches.
[[nodiscard]] double measureCopyBandwidth(const ThreadPool& pool);

}  // namespace tof
