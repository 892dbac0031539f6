// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/metrics/figures_of_merit.h"

namespace tof {

/// The FWHM, mm and a multiple of 0.01, of the narrowest Gaussian filter (gaussianFiltered()) after which the
/// noise of an image is at most `noise`: SD over mean in the first uniform ROI, a fraction. So two images are
/// compared at one noise. 0 for an image that is no noisier. `look` is called between filters and may throw.
/// Throws WrongUse where no ROI has a noise, `noise` is not above 0, or a filter of 100 mm does not suffice.
[[nodiscard]] double filterForNoise(const Volume& image, const FigureEvaluator& evaluator, double noise,
                                    const ThreadPool& pool, const std::function<void()>& look = {});

}  // namespace tof
