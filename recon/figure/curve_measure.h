// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "recon/metrics/figures_of_merit.h"

namespace tof {

/// A figure of merit along an axis of curves.
struct CurveMeasure {
    std::string id;
    std::string title;  ///< with its unit, as axes say it
    double (*of)(const Figures&);
};

/// What curves can show of every iterate.
[[nodiscard]] const std::vector<CurveMeasure>& curveMeasures();

/// Null where there is none of this id.
[[nodiscard]] const CurveMeasure* findCurveMeasure(const std::string& id);

}  // namespace tof
