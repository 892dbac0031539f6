// SPDX-License-Identifier: Apache-2.0
// Measures lines of response of a ring scanner: what `tofscope-cli bench --system ring` prints.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "recon/bench/bench.h"
#include "recon/seam/engine.h"

namespace tof {

struct LineBenchOptions {
    std::vector<std::string> engines;  ///< names; empty: every engine that has strategies for lines
    std::string only;                  ///< measure only cases whose name contains this
    std::string scanner = "ge-ste";    ///< or a JSON file
    std::vector<std::array<int, 3>> grids{{128, 128, 47}, {256, 256, 47}};
    double fieldOfView_mm = 700;       ///< across each grid
    double restrictedRadius_mm = 200;  ///< the last grid once more inside this radius; 0: not
    int iterations = 6;  ///< iterations of MLEM; times are of the third and later ones where there are more
    std::uint64_t events = std::uint64_t{1} << 23U;  ///< events of time-of-flight list-mode; 0: not measured
    std::uint64_t studyEvents =
        0;                      ///< events of list-mode OSEM beside DIRECT (study_bench.h); 0: not measured
    std::size_t studyPart = 0;  ///< how many of these events make a part; 0: as many as usual
    int threads = 0;            ///< host engines: 0 takes every core
};

/// MLEM over all bins of the scanner, one case per engine, strategy and grid, with the time of each stage;
/// then forward and back projection of time-of-flight list-mode (144 x 144 x 48 voxels of 4 mm, 400 ps, bins
/// one sigma wide, cut off at 3 sigma, lines through a cylinder 350 mm wide).
///
/// Returns JSON text:
///   {"machine": [{"engine", "device"}...], "unavailable": [{"engine","why"}...], "bins",
///    "results": [{"name","engine","strategy","shape","fov_radius_mm","bins","setup_ms","sensitivity_ms",
///                 "median_ms","min_ms","runs","stages_ms":{...},"memory_mib"}...],
///    "list": [{"name","engine","strategy","events","forward_ms","back_ms","events_per_s"}...],
///    "study": as of runStudyBench()}
/// median_ms is the wall time of one iteration. Throws WrongUse when nothing is left to measure.
[[nodiscard]] std::string runLineBench(const EngineRegistry& engines, const LineBenchOptions& options,
                                       const BenchProgress& progress);

/// Prints the figures of that JSON as tables for a terminal, beside those of the paper.
[[nodiscard]] std::string ringBenchTable(const std::string& json);

}  // namespace tof
