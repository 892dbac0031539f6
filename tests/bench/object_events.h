// SPDX-License-Identifier: Apache-2.0
// Scanners, lattices and events of an object that benchmarks of lists share: a cylinder with six hot spheres.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/line_events.h"

namespace tof {

/// A scanner with its lattice, and what libparallelproj 2 reached there on an H100 (G events/s).
struct ObjectRow {
    const char* name;
    std::array<int, 3> size;
    double voxel_mm;
    RingScanner scanner;
    TofBins tof;
    double object_mm;  ///< radius of the cylinder that events come from
    double peer;
};

[[nodiscard]] const std::vector<ObjectRow>& objectRows();
/// Events of the object, whatever the number of threads.
[[nodiscard]] std::shared_ptr<LineEvents> objectEvents(const ObjectRow& row, std::size_t count,
                                                       const ThreadPool& pool);
/// Words that stand between commas.
[[nodiscard]] std::vector<std::string> listed(const std::string& text);
/// Values from 0.5 to 1.5.
[[nodiscard]] std::vector<float> unevenValues(std::size_t n);

}  // namespace tof
