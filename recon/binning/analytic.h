// SPDX-License-Identifier: Apache-2.0
// Expected data of a phantom from chords, on no lattice.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "recon/base/parallel.h"
#include "recon/binning/line_response.h"
#include "recon/data/histo_data.h"
#include "recon/kernel/kernel_spec.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"

namespace tof {

struct AnalyticSettings {
    int azimuths = 40;
    int tilts = 3;
    Lattice lattice;
    double counts = 0;  ///< expected in all views, > 0
    std::uint64_t seed = 1;
    bool noiseFree = false;                ///< counts are what is expected, not whole numbers
    std::optional<KernelSpec> response{};  ///< how lines are blurred; nothing: responseOf() the scanner
    bool atPoints = false;  ///< leave mult and att as what they are interpolated from: data that go to a file
};

/// Crystals without `detection`: a photon's crystal is known, but not its place in it, and events are put
/// evenly on faces; depths vary as far as the attenuation lets them, which moves slanted lines and times.
/// With `detection` pairs are followed through the crystals (recon/binning/crystal_response.h), with the
/// range of F-18 and acollinearity.
[[nodiscard]] LineResponse responseOf(const Scanner& scanner);
/// The response of a symmetric kernel. Throws WrongUse for others.
[[nodiscard]] LineResponse responseOf(const KernelSpec& kernel);

/// Integral of a phantom's activity over space, in its own units: chords half a millimetre apart, points as
/// they are.
[[nodiscard]] double totalActivity(const Phantom& phantom);

/// Expected histo-images of `phantom` in `scanner`, with mult and att as computeMult() makes them of
/// `attenuation` (null: nothing attenuates), scaled to `counts` and with Poisson noise as asked. Activity and
/// survival are exact chords through shapes (steps through voxels), taken every 1.5 mm along four
/// directions of a cell of 4.5 x 6.67 degrees (more in wider ones), blurred along and across, and averaged
/// over each voxel. No scatter, no randoms. The same for any number of threads. Throws WrongUse when nothing
/// of the phantom is seen.
[[nodiscard]] HistoData analyticData(const Scanner& scanner, const Phantom& phantom,
                                     const AnalyticSettings& settings, const Volume* attenuation,
                                     const ThreadPool& pool, const std::function<void(double)>& progress);

}  // namespace tof
