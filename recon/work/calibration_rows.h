// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "recon/base/request_row.h"

namespace tof {

/// What a calibration is made of.
struct CalibrationRequest {
    double activity_Bq_ml = 0;  ///< activity of the regions, the mean of the scan
    std::string rois{};         ///< file; the window takes its own
    int iteration = 0;          ///< iterate of the run; 0: the last
    std::string from{};         ///< the window: a calibration that was made before, in place of all this
    std::string out{};          ///< the window: file to keep it in; empty: none
};

[[nodiscard]] const std::vector<RequestRow<CalibrationRequest>>& calibrationRows();

}  // namespace tof
