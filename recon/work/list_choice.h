// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/io/format_table.h"

namespace tof {

/// What a list can become, as long as nobody has said how it is binned.
struct ListChoice {
    std::string form;       ///< as --to takes it: "lors" where there are no times of flight
    std::string missing{};  ///< the sentence of what it cannot be read without, or empty
};

/// Opens the list, which may go through all of it (PETSIRD). Throws no Error: its sentence is in `missing`.
[[nodiscard]] ListChoice choiceFor(const RecognisedFile& list);

}  // namespace tof
