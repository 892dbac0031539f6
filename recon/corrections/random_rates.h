// SPDX-License-Identifier: Apache-2.0
// Rates of singles that a request names, whose products are the randoms of sinograms and lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/corrections/correct_request.h"
#include "recon/data/correction_parts.h"
#include "recon/data/crystal_singles.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Rates of singles, less what partners of their randoms keep from being recorded.
struct RandomRates {
    PartName name = PartName::Delayeds;  ///< the part that is found from them
    std::vector<double> rates{};         ///< 2 tau s_i s_j are the randoms that are recorded
    double duration_s = 0;
    std::string from{};  ///< their file
};

/// What is known of a scan as a whole.
struct ScanSums {
    double duration_s = 0;
    std::uint64_t prompts = 0;
};

/// Rates by the delayeds and by the singles of a request, as far as it names them. `singles` are those of its
/// file. Throws WrongUse where they are of another scanner, BadInput.
[[nodiscard]] std::vector<RandomRates> randomRates(const CorrectRequest& request,
                                                   const CrystalSingles& singles, const Scanner& scanner,
                                                   const ScanSums& scan, const ThreadPool& pool);

}  // namespace tof
