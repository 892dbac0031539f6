// SPDX-License-Identifier: Apache-2.0
// Measures every engine through Engine, Space and Projector alone: what `tofscope-cli bench` prints.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "recon/kernel/kernel_spec.h"
#include "recon/seam/engine.h"

namespace tof {

struct BenchOptions {
    std::vector<std::string> engines;  ///< names; empty: every engine that is there
    std::string only;                  ///< measure only cases whose name contains this
    std::vector<std::string> kernels{"invariant", "variant1"};  ///< as `findKernel` knows them
    std::function<KernelSpec(const std::string&)> findKernel = [](const std::string& kernel) {
        return KernelSpec::parse(kernel);
    };
    std::array<int, 3> size{144, 144, 48};
    double voxel_mm = 4;
    double tilt_deg = 20.0 / 3;  ///< tilt of the tilted cases
    int azimuths = 8;            ///< views spread over 180 degrees; a time is the mean over them
    int rounds = 15;             ///< times each case is measured after one warm-up
    int threads = 0;             ///< host engines: 0 takes every core
    /// The cpu engine takes nothing richer; none: what the processor has.
    std::optional<InstructionSet> mostInstructions{};
};

/// Called before each measurement with what it is and the fraction of the whole that is done.
using BenchProgress = std::function<void(const std::string& what, double done)>;

/// Runs every case (engine, strategy, kernel, untilted and tilted) in one interleaved run: each round
/// measures every case once, so that a slow spell of the machine meets all of them. Fourier engines run
/// unpadded with measured plans.
///
/// `instruction_set` is what the cpu engine takes. Returns JSON text:
///   {"machine": {"threads", "instruction_set", "fma_peak": [{"instruction_set","mac_per_s"}...],
///                "copy_bytes_per_s"},
///    "unavailable": [{"engine","why"}...],
///    "results": [{"name", "engine", "strategy", "kernel", "tilt", "shape", "median_ms", "min_ms", "runs",
///                 "forward_ms", "back_ms", "useful_taps", "mac_per_s", "issued_mac_per_s",
///                 "fraction_of_peak", "ratio_to_fftw"}...]}
/// Times are milliseconds per projection, the mean of forward and back over the azimuths. mac_per_s counts
/// useful taps x voxels; issued_mac_per_s what the projector says it issues (null when it does not say);
/// fraction_of_peak is the issued (else useful) rate over the device's multiply-add peak: measured here for
/// host engines, taken from the device property "mac_per_s" for others (null when absent). ratio_to_fftw is
/// the median over rounds of this case's time over that of fftw at the same tilt (null without fftw). Throws
/// WrongUse for unknown names or when nothing is left to measure.
[[nodiscard]] std::string runBench(const EngineRegistry& engines, const BenchOptions& options,
                                   const BenchProgress& progress);

/// Prints the figures of that JSON as a table for a terminal.
[[nodiscard]] std::string benchTable(const std::string& json);

}  // namespace tof
