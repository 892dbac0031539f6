// SPDX-License-Identifier: Apache-2.0
// List-mode of Siemens whose words of 64 bits are pairs of crystals. Internal to recon/io.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "recon/io/format/format.h"

namespace tof {

class InterfileHeader;

/// True for the header of such a list: `PETLINK raw data`, or words of 64 bits.
[[nodiscard]] bool isPetlinkPairs(const InterfileHeader& header);

/// Reads such a list a part at a time. Times are t1 - t2, crystal 1 is A of the words. Throws BadInput, also
/// for scanners whose pairs of heads nobody has published.
[[nodiscard]] std::unique_ptr<const EventStream> petlinkPairs(const std::string& path,
                                                              const ListReadOptions& options);

/// Reads such a list whole. Throws BadInput as petlinkPairs() does.
[[nodiscard]] ListReadResult readPetlinkPairs(const std::string& path, const ListReadOptions& options);

/// Adds what header and words tell.
void describePetlinkPairs(const std::string& path, nlohmann::ordered_json& info);

}  // namespace tof
