// SPDX-License-Identifier: Apache-2.0
#include "recon/base/instruction_set.h"

namespace tof {

std::vector<InstructionSet> availableInstructionSets() {
    std::vector<InstructionSet> sets{InstructionSet::Baseline};
#if defined(__x86_64__)
    // Every feature of a level is asked for: a virtual machine may hide some of them.
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
        sets.push_back(InstructionSet::Avx2);
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl")) {
            sets.push_back(InstructionSet::Avx512);
        }
    }
#endif
    return sets;
}

InstructionSet richestInstructionSet(std::optional<InstructionSet> most) {
    const InstructionSet best = availableInstructionSets().back();
    return most && *most < best ? *most : best;
}

std::string instructionSetName(InstructionSet set) {
    switch (set) {
        case InstructionSet::Avx512: return "AVX-512";
        case InstructionSet::Avx2: return "AVX2";
        case InstructionSet::Baseline: break;
    }
#if defined(__x86_64__)
    return "SSE2";
#else
    return "baseline";
#endif
}

}  // namespace tof
