// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "recon/nema/slice_sinograms.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Lists of a line source in 1, 2, ... sleeves, read and counted by slices, and its mean activity while they
/// were taken.
struct SensitivityLists {
    std::vector<std::string> files{};
    double activity_MBq = 0;
    std::vector<SliceSinograms> counts{};
    std::vector<double> duration_s{};
};

struct NemaRequest {
    Scanner scanner;
    std::vector<std::string> tests{};  ///< some of nemaTests(); empty: usualNemaTests()
    /// Activities of the scatter phantom, ascending, > 0; empty: those of the size, of NU 4 fewer MBq.
    std::vector<double> kBqPerMl{};
    SensitivityLists sensitivity{};  ///< with files: these are evaluated and nothing is simulated
};

}  // namespace tof
