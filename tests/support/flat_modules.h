// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof::test {

/// 8 flat modules of 8 x 4 crystals, 220 mm from face to face: 256 crystals, whose lines are tilted by 8
/// degrees at most, so that the factors of views are found in a moment.
inline constexpr const char* kFlatModules =
    R"({"name":"flat","modules":{"count":8,"face_to_face_mm":220,"first_angle_deg":10,"crystals":[8,4],)"
    R"("pitch_mm":[10,10]},"crystal_mm":[10,10,10],"attenuation_per_mm":0.08,"acceptance_deg":12,)"
    R"("fov_diameter_mm":180,"timing_fwhm_ps":200})";

}  // namespace tof::test
