// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "recon/base/parallel.h"
#include "recon/data/line_data.h"
#include "recon/phantom/phantom.h"

namespace tof {

struct SinogramSimulation {
    MichelogramSpec scanner;
    Lattice lattice;    ///< lattice of the image to be reconstructed; the data know nothing of it
    double counts = 0;  ///< expected total, > 0
    std::uint64_t seed = 1;
    bool attenuate = false;  ///< by the phantom; else as data corrected beforehand, as paper 003's are
    /// FWHM of the detectors' Gaussian blur across a line of response, radially and axially; none: the
    /// scanner's (lineBlur_mm); 0: lines as thin as the projectors'.
    std::optional<double> blur_mm{};
    bool noiseFree = false;  ///< counts are what is expected, not whole numbers
};

/// FWHM of the lines of response of a ring scanner of block detectors at its centre, by the terms of Moses
/// and Derenzo (J. Nucl. Med. 34 (1993) 101P): half a crystal's width, light shared between crystals (2.2 mm)
/// and acollinearity (0.0022 of the ring's diameter).
[[nodiscard]] double lineBlur_mm(const RingScanner& scanner);

/// Sinograms of a phantom: exact chords through its shapes (a voxel phantom's own voxels), averaged over the
/// detectors' blur, with Poisson noise. Nothing of it is a projector or an image lattice of a reconstruction.
/// Makes the same for any number of threads. `progress` gets the share done and may throw Cancelled. Throws
/// WrongUse when the phantom emits nothing that a bin sees, or point sources are to be seen without blur.
[[nodiscard]] SinogramData simulateSinograms(const SinogramSimulation& what, const Phantom& phantom,
                                             const ThreadPool& pool,
                                             const std::function<void(double)>& progress);

}  // namespace tof
