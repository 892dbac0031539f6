// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tof {

/// The instruction sets that the inner loops are compiled for. Results differ between them in rounding only.
enum class InstructionSet { Baseline, Avx2, Avx512 };

/// The sets that this processor (and this build) can run, poorest first.
[[nodiscard]] std::vector<InstructionSet> availableInstructionSets();
/// The richest of them, none richer than `most`.
[[nodiscard]] InstructionSet richestInstructionSet(std::optional<InstructionSet> most = {});
/// "SSE2", "AVX2", "AVX-512" on x86-64; "baseline" elsewhere for the first.
[[nodiscard]] std::string instructionSetName(InstructionSet set);

}  // namespace tof
