// SPDX-License-Identifier: Apache-2.0
// Ring scanners small enough for tests.
#pragma once

#include "recon/scanner/michelogram.h"

namespace tof::test {

/// Bins of a scanner's rings: segments of a span up to a ring difference; no bins of time where `tof` counts
/// none.
inline MichelogramSpec ringsOf(const RingScanner& scanner, int span, int maxDifference, int radialBins,
                               int anglesPerPart = 1, const TofBins& tof = {}) {
    MichelogramSpec spec;
    spec.scanner = scanner;
    spec.segments = segmentsOfSpan(scanner.rings, span, maxDifference);
    spec.radialBins = radialBins;
    spec.anglesPerPart = anglesPerPart;
    if (tof.count > 0) {
        spec.tof = tof;
    }
    return spec;
}

/// A lattice, and five rings of 96 crystals around it; `span` 1: every bin is one pair of crystals.
inline const Lattice kInFiveRings = Lattice::centred({24, 24, 9}, {8.0, 8.0, 5.0});
inline MichelogramSpec fiveRings(int span, int timeBins = 0) {
    return ringsOf({"ring", 5, 96, 200.0, 10.0, 0.02}, span, 4, 45, 4, {timeBins, 200, 400});
}

/// Three rings of 60 crystals; segments 0, +-1, +-2.
inline MichelogramSpec threeRings(const TofBins& tof = {}) {
    return ringsOf({"ring", 3, 60, 200.0, 10.0, 0}, 1, 2, 31, 1, tof);
}

}  // namespace tof::test
