// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tof {

/// Photons that the crystals of a scanner saw one by one, as its singles counters say.
struct CrystalSingles {
    std::vector<double> recorded;  ///< by crystal: within the energy window, while its block was alive
    /// By block (CrystalModule::group): photons that it took time for, whatever their energy; empty: not
    /// known.
    std::vector<double> busy;
    double duration_s = 0;    ///< that they were counted for
    std::string scannerJson;  ///< description of the scanner
};

}  // namespace tof
