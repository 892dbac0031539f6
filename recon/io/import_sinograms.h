// SPDX-License-Identifier: Apache-2.0
// Sinograms of STIR with what STIR keeps in sinograms beside them: attenuation, normalisation, background.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/io/format/format.h"
#include "recon/io/interfile/sinogram_interfile.h"

namespace tof {

/// Every file is sinograms of the same bins (.hs, or .h5 as docs/formats.md has them); those without time
/// bins hold for all time bins of a line, background excepted.
struct SinogramImport {
    SinogramReadOptions read;
    /// The image's sides, centred; where only one is given the image is as large as the one that fits the
    /// sampling.
    std::optional<std::array<int, 3>> size;
    std::optional<std::array<double, 3>> spacing_mm;
    std::vector<std::string> mult;  ///< factors of the expected counts: survival, efficiency
    std::vector<std::string> acf;   ///< attenuation correction factors: 1/survival, 0 where nothing is known
    std::vector<std::string> norm;  ///< normalisation factors: 1/efficiency, 0 where nothing is measured
    std::vector<std::string> add;   ///< expected scatter and randoms, counts
    std::string corrections;        ///< data file (.h5) whose mult and add are taken, or empty

    [[nodiscard]] bool corrects() const {
        return !mult.empty() || !acf.empty() || !norm.empty() || !add.empty() || !corrections.empty();
    }
};

/// Reads them: sinograms, or lines where the scanner is no cylinder. Throws BadInput naming file and remedy,
/// also for factors that are not finite or clearly below zero and for files of other bins.
[[nodiscard]] DataReadResult importSinograms(const std::string& path, const SinogramImport& import);

/// The lattice of the image that an import asks for, given the one that fits the sampling.
[[nodiscard]] Lattice importLattice(const SinogramImport& import, const Lattice& fitting);

}  // namespace tof
