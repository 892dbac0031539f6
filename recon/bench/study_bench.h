// SPDX-License-Identifier: Apache-2.0
// What a study of many events costs by the event and by the view: list-mode OSEM beside DIRECT.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/bench/bench.h"
#include "recon/seam/engine.h"

namespace tof {

struct StudyBenchOptions {
    std::vector<std::string> engines;  ///< names; empty: every engine
    std::string only;                  ///< measure only cases whose name contains this
    std::string scanner = "ge-ste";    ///< or a JSON file
    std::uint64_t events = 430'000'000;
    std::size_t eventsPerPart = 0;  ///< 0: usualPartSize()
    std::array<int, 3> size{144, 144, 48};
    double voxel_mm = 4;
    std::array<int, 2> views{40, 3};  ///< azimuths, and tilts up to 10 degrees, of DIRECT
    std::size_t subsets = 10;
    int iterations = 5;  ///< iterations of OSEM; times are of the third and later ones where there are more
    int threads = 0;     ///< host engines: 0 takes every core
};

/// OSEM of one study on every engine: of random time-of-flight list-mode, all of it on the device
/// ("list") and brought there part by part in a small part of its memory ("list-streamed"), and of
/// histo-images by the default strategy with kernel variant1 ("direct"). Neither has corrections.
///
/// Returns a list of {"name","engine","form","events" (lists) or
/// "views","subsets","seconds","stages_ms":{...}, "setup_s","memory_mib","break_even" (lists)}; seconds are
/// the median wall time of one iteration, and break_even is at how many events such a list takes as long as
/// the engine's histo-images.
[[nodiscard]] nlohmann::ordered_json runStudyBench(const EngineRegistry& engines,
                                                   const StudyBenchOptions& options,
                                                   const BenchProgress& progress);

/// Prints these figures as lines for a terminal.
[[nodiscard]] std::string studyBenchTable(const nlohmann::ordered_json& study);

}  // namespace tof
