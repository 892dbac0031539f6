// SPDX-License-Identifier: Apache-2.0
// A ring whose lists are binned in a fifth of the time that labr3 takes, for tests of what the window does
// with them.
#pragma once

#include <QByteArray>

namespace tof::test {

/// Every photon that interacts is recorded. No line is steeper than 7 degrees: 34 mm of crystals, 300 mm
/// apart.
inline const char* const kSmallRing =
    R"({"name": "small ring", "modules": {"count": 24, "face_to_face_mm": 300,
    "first_angle_deg": 7, "crystals": [9, 8], "pitch_mm": [4, 4.2]}, "crystal_mm": [3.9, 4.1, 12],
    "attenuation_per_mm": 0.08, "acceptance_deg": 7, "fov_diameter_mm": 200, "timing_fwhm_ps": 100})";

/// It, with energies as its crystals measure them.
inline QByteArray smallRingWithPhysics() {
    QByteArray ring(kSmallRing);
    ring.replace(R"("attenuation_per_mm": 0.08)",
                 R"("detection": {"material": "LSO", "energy_resolution": 0.12, "window_kev": [435, 650],)"
                 R"( "coincidence_ns": 4})");
    return ring;
}

}  // namespace tof::test
