// SPDX-License-Identifier: Apache-2.0
// How the axes of Interfile, which are the scanner's, lie to the patient. Internal to recon/io.
#pragma once

#include <array>

#include "recon/scanner/michelogram.h"

namespace tof {

class InterfileHeader;

/// Which of the axes x (left), y (posterior), z (superior) run against those of the file.
///
/// STIR's x runs left to right as seen from the bed, y downwards, z out of the scanner along the bed
/// (DiscretisedDensity.inl, swap_axes_based_on_orientation: HFS z, HFP x y z, FFS x, FFP y).
using PatientAxes = std::array<bool, 3>;

/// Reads `patient orientation` (Siemens: `%patient orientation`) and `patient rotation`; where neither is
/// there head first and supine, as STIR has it. Throws BadInput for a patient on his side and for one of the
/// two without the other.
[[nodiscard]] PatientAxes patientAxes(const InterfileHeader& header);

/// Turns a ring from the axes of the file to the patient's, z excepted: where that is reversed, rings and
/// planes change places.
void turnRing(RingScanner& scanner, const PatientAxes& axes);

/// A position whose axes a ring is written in, and the ring as the file has it.
struct WrittenPosition {
    const char* orientation;  ///< value of `patient orientation`
    const char* rotation;     ///< value of `patient rotation`
    PatientAxes axes;
    double viewOffset_rad = 0;  ///< within a quarter of a turn
};

/// The inverse of turnRing().
[[nodiscard]] WrittenPosition positionFor(const RingScanner& scanner);

}  // namespace tof
