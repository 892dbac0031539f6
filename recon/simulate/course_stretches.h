// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "recon/phantom/phantom_course.h"
#include "recon/simulate/stretches.h"

namespace tof {

/// A course in stretches of time, each of one state of the phantom: the changes of all parts' activities add
/// up to a twentieth of the activity there is in it at most, or of a tenth of the peak. A stretch has the
/// parts' mean activities; its decays happen as the activity of all parts goes. No time is at the very end of
/// the scan, where no frame is.
[[nodiscard]] std::vector<Stretch> stretchesOf(const PhantomCourse& course);

}  // namespace tof
