// SPDX-License-Identifier: Apache-2.0
#include "recon/physics/nuclide_code.h"

#include <array>

namespace tof {

std::span<const NuclideCode> nuclideCodes() {
    static constexpr std::array<NuclideCode, 8> kAll{{{"F-18", "C-111A1", "^18^Fluorine", "fluorine"},
                                                      {"Ga-68", "C-131A3", "^68^Gallium", "gallium"},
                                                      {"C-11", "C-105A1", "^11^Carbon", "carbon"},
                                                      {"N-13", "C-107A1", "^13^Nitrogen", "nitrogen"},
                                                      {"O-15", "C-B1038", "^15^Oxygen", "oxygen"},
                                                      {"Cu-64", "C-127A2", "^64^Copper", "copper"},
                                                      {"Zr-89", "C-168A4", "^89^Zirconium", "zirconium"},
                                                      {"Rb-82", "C-159A2", "^82^Rubidium", "rubidium"}}};
    return kAll;
}

}  // namespace tof
