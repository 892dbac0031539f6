// SPDX-License-Identifier: Apache-2.0
// Scans of NEMA NU 2-2018 whose images are evaluated (sections 6 and 7.4): simulated, corrected,
// reconstructed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "recon/experiment/experiment.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Whether what blocks lost while they were dead is found from singles and corrected.
enum class DeadTimeOf { Left, Corrected };

/// A scan in time that is asked for.
struct ScanOrder {
    std::string what;  ///< whom progress is told of, "image quality"
    Phantom phantom;
    double activity_MBq = 0;
    std::uint64_t prompts = 0;
    std::uint64_t seed = 1;
    DeadTimeOf deadTime = DeadTimeOf::Left;
    double from = 0;  ///< share of the context's progress at which it begins
    double to = 1;
};

struct ListScan {
    std::shared_ptr<const Volume> image;  ///< emissions of the whole scan
    std::shared_ptr<const Volume> early;  ///< after half of the iterations
    int iterations = 0;
    double duration_s = 0;
    double randoms = 0;  ///< expected among the prompts
    double scatter = 0;
};

/// So many prompts with everything that the scanner's description says but for the bed, as one list. It is
/// corrected as `bin --to lors` and `correct --delayeds --scatter on` do, and reconstructed by list-mode
/// OSEM. Throws WrongUse for a scanner without times of flight, which the corrections of lists need.
[[nodiscard]] ListScan listScan(const Scanner& scanner, const ScanOrder& order,
                                const ExperimentContext& context);

}  // namespace tof
