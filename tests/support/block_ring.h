// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/scanner/scanner.h"

namespace tof::test {

/// 16 rings of 320 crystals in blocks, half as wide as a scanner of bodies: few enough lines that scatter of
/// all of them is summed in a second. `dead_ns`: for how long blocks are dead after a photon.
inline Scanner blockRing(int dead_ns = 0) {
    return Scanner::fromJson(
        R"({"name":"blocks","modules":{"count":32,"face_to_face_mm":510,"crystals":[10,16],"pitch_mm":[5,6]},)"
        R"("crystal_mm":[4.8,5.8,20],"attenuation_per_mm":0.0819,"acceptance_deg":13,"fov_diameter_mm":300,)"
        R"("timing_fwhm_ps":300,"detection":{"material":"LSO","energy_resolution":0.12,)"
        R"("window_kev":[435,650],"block":[10,8],"position":"centroid","coincidence_ns":4,"dead_time_ns":)" +
            std::to_string(dead_ns) + "}}",
        "test");
}

}  // namespace tof::test
