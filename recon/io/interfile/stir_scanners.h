// SPDX-License-Identifier: Apache-2.0
// Scanners that STIR knows by name, so that headers need not describe them. Internal to recon/io.
#pragma once

#include <string>
#include <vector>

#include "recon/base/built_in.h"

namespace tof {

/// What STIR's scanner table (buildblock/Scanner.cxx) says of a scanner; lengths in mm, 0 where it does not
/// say.
struct StirScanner {
    std::vector<std::string> names;
    int rings = 0;
    int crystalsPerRing = 0;
    double innerRadius_mm = 0;
    double depth_mm = 0;  ///< mean depth of interaction
    double ringSpacing_mm = 0;
    double binSize_mm = 0;  ///< bin size of arc-corrected data
    double viewOffset_deg = 0;
    int timeBins = 0;  ///< unmashed
    double timeBin_ps = 0;
    double timing_ps = 0;  ///< coincidence time resolution, FWHM
    std::string remark;    ///< what whoever uses it should know of the row, part of a sentence, or empty
};

/// Finds a scanner by a name as `originating system` and `Scanner type` have it, compared as keys are; where
/// several scanners share a name, that of `rings` rings (0: unknown). Null when STIR does not know it.
[[nodiscard]] const StirScanner* findStirScanner(const std::string& name, int rings);

/// The names of resources/stir-scanners.
[[nodiscard]] const std::vector<BuiltIn>& builtInStirScanners();

}  // namespace tof
