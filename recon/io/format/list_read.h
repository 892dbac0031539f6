// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "recon/data/events.h"

namespace tof {

struct ListReadOptions {
    bool partial = false;  ///< read a truncated file as far as it goes
    std::string
        scannerFile;  ///< geometry for formats that only name their scanner; empty: look beside the data
};

struct ListReadResult {
    EventList events;
    std::uint64_t announced = 0;  ///< events the header promises; more than events.size() when partial
    std::string note;             ///< what is missing, one sentence, or empty
};

}  // namespace tof
