// SPDX-License-Identifier: Apache-2.0
// What a projection costs on the host, from counts of its arithmetic: what `auto` compares. Good to a factor
// of 1.5 or so on the machines of docs/measurements/performance.md, and the same on every call: a run that is
// resumed finds the same engine.
#pragma once

#include "recon/base/instruction_set.h"
#include "recon/seam/engine.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

/// Milliseconds of a projection of a view by sums over columns, mean over the views of the model. `threads`
/// >= 1. Throws BadInput for a kernel that has no tables.
[[nodiscard]] double columnEstimate_ms(const DirectModel& model, int threads, InstructionSet set);

/// The estimate through Fourier, spectra that are made anew included. Makes the terms of one view (tens of
/// milliseconds). 0: not known, as the kernel is no sum of few invariant ones. Throws as above.
[[nodiscard]] double fourierEstimate_ms(const DirectModel& model, const EngineOptions& options, int threads);

/// Bytes of spectra that a Fourier engine of the host keeps.
inline constexpr double kSpectraBytes = 4.0 * 1024 * 1024 * 1024;

}  // namespace tof
