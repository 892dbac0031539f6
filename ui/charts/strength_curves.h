// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tof::ui {

class RunItem;
class RunList;

/// Contrast recovery against noise along the strength of a prior: the last iterates of runs of the same data
/// whose settings differ in beta alone.
struct StrengthCurve {
    struct Point {
        int runId = 0;
        int iteration = 0;  ///< 0: a strength that live tuning has left, whose image is gone
        double beta = 0;
        double noise = 0;  ///< a fraction
        double crc = 0;    ///< a fraction
    };
    std::vector<Point> points;  ///< two or more, by ascending beta
};

/// Every such curve of the list, in the order of their first runs.
[[nodiscard]] std::vector<StrengthCurve> strengthCurves(const RunList& runs);

}  // namespace tof::ui
