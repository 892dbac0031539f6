// SPDX-License-Identifier: Apache-2.0
// The scan of image quality after NEMA NU 2-2018, section 7.4: simulated, corrected, reconstructed.
#pragma once

#include <cstdint>
#include <memory>

#include "recon/experiment/experiment.h"
#include "recon/scanner/scanner.h"

namespace tof {

struct QualityScan {
    std::shared_ptr<const Volume> image;
    std::shared_ptr<const Volume> early;  ///< after half of the iterations
    int iterations = 0;
    double activity_MBq = 0;  ///< in torso and line together
    double duration_s = 0;
    double randoms = 0;  ///< expected among the prompts
    double scatter = 0;
};

/// So many prompts of the torso phantom with 5.3 kBq/ml and of a line source of 116 MBq beyond the field
/// (phantom nema-iq-scan), with everything that the scanner's description says but for the bed, as one list.
/// It is corrected as `bin --to lors` and `correct --delayeds --scatter on` do, and reconstructed by
/// list-mode OSEM. `from` and `to` are the shares of the context's progress that it spans. Throws WrongUse
/// for a scanner without times of flight, which the corrections of lists need.
[[nodiscard]] QualityScan qualityScan(const Scanner& scanner, std::uint64_t prompts, std::uint64_t seed,
                                      const ExperimentContext& context, double from, double to);

}  // namespace tof
