// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "recon/data/ring_data.h"

namespace tof {

/// What the words of a Siemens ECAT8 list-mode file are.
struct Ecat8Words {
    std::uint64_t words = 0;
    std::uint64_t prompts = 0;
    std::uint64_t delayeds = 0;
    std::uint64_t timeTags = 0;
    std::uint64_t otherTags = 0;
    std::uint64_t announced = 0;  ///< words the header promises
    std::uint32_t firstTime_ms = 0;
    std::uint32_t lastTime_ms = 0;
};

struct Ecat8Options {
    bool partial = false;     ///< read a truncated file as far as it goes
    int segments = 0;         ///< keep only the first segments of the header's table; 0: all
    double meanDepth_mm = 7;  ///< added to the header's crystal radius
};

struct Ecat8Result {
    RingData data;  ///< prompts; mult is the number of crystal pairs of a bin
    Ecat8Words words;
    std::string note;  ///< what a user should know of the header, one sentence, or empty
};

/// Reads a Siemens 32-bit list-mode file through its header (`PETLINK bin address`): counts prompts in the
/// sinograms that the header describes. Throws BadInput, also when the file is shorter than promised and
/// `partial` is not set.
[[nodiscard]] Ecat8Result readEcat8(const std::string& headerPath, const Ecat8Options& options);

}  // namespace tof
