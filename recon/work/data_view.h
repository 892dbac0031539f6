// SPDX-License-Identifier: Apache-2.0
// What there is to look at in one view of the data, and how well an image explains it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "recon/data/histo_data.h"
#include "recon/data/line_data.h"
#include "recon/seam/engine.h"
#include "recon/settings/settings.h"

namespace tof {

/// A histo-image of one view.
enum class DataQuantity {
    Counts,    ///< y, events per voxel
    Expected,  ///< e = mult forward(x) + add
    Residual,  ///< y - e
    Weighted,  ///< (y - e)/sqrt(e), 0 where e <= 0
    Mult,      ///< what multiplies the projection; 1 where the data have none
    Add        ///< scatter and randoms, counts per voxel; 0 where the data have none
};
/// "counts", "expected", "residual", "weighted", "mult", "add".
[[nodiscard]] std::string quantityName(DataQuantity quantity);
/// Throws WrongUse listing the names.
[[nodiscard]] DataQuantity quantityFromName(const std::string& name);
/// True for what needs an image to compare the data with.
[[nodiscard]] bool needsExpectation(DataQuantity quantity);

/// How the counts of a view compare with what an image makes expected.
struct ViewFit {
    double counts = 0;    ///< sum of y
    double expected = 0;  ///< sum of e
    /// Mean of (y - e)^2/e over voxels whose e exceeds 1 % of its mean: 1 when only Poisson noise is left.
    double chiSquare = 0;
    double percentile999 = 0;  ///< 99.9th percentile of |quantity|, for symmetric limits
};

/// Counts, mult or add of a view. Throws WrongUse for a quantity that needs an expectation, or a view that
/// the data do not have.
[[nodiscard]] Volume dataView(const HistoData& data, std::size_t view, DataQuantity quantity);

/// What `image` makes expected in a view with the kernel and engine of `settings`. Throws WrongUse when the
/// lattices differ, Unavailable when the engine cannot project.
[[nodiscard]] Volume expectedView(const HistoData& data, std::size_t view, const Volume& image,
                                  const RunSettings& settings, const EngineRegistry& engines);

/// Expected, Residual or Weighted of a view from its expectation.
[[nodiscard]] Volume comparedView(const HistoData& data, std::size_t view, const Volume& expected,
                                  DataQuantity quantity);
[[nodiscard]] ViewFit fitOfView(const HistoData& data, std::size_t view, const Volume& expected,
                                const Volume& shown);
/// The same from the counts of what is shown, dataView()'s or ringView()'s.
[[nodiscard]] Volume comparedCounts(const Volume& counts, const Volume& expected, DataQuantity quantity);
[[nodiscard]] ViewFit fitOfCounts(const Volume& counts, const Volume& expected, const Volume& shown);

/// Sinograms of one segment and time bin: x is the radial coordinate in mm, y the azimuth from 0 to 180
/// degrees over as many mm as the radial bins take, z the middle of the planes in mm. Counts, mult or add.
/// Throws WrongUse for a quantity that needs an expectation, or a segment or time bin that is not there.
[[nodiscard]] Volume ringView(const SinogramData& data, std::size_t segment, int timeBin,
                              DataQuantity quantity);

/// What `image` makes expected there with the projector and engine of `settings`. Throws WrongUse when the
/// lattices differ, Unavailable when the engine cannot project.
[[nodiscard]] Volume expectedSinogramView(const SinogramData& data, std::size_t segment, int timeBin,
                                          const Volume& image, const RunSettings& settings,
                                          const EngineRegistry& engines);

/// Counts of every segment and time bin, [time bin][segment].
[[nodiscard]] std::vector<double> ringViewTotals(const SinogramData& data);

/// Tilts that lines of response are sorted into, degrees, ascending: the middles of classes of equal slope
/// between those of the steepest lines through the centre, which also take what is steeper. One for one ring.
[[nodiscard]] std::vector<double> lineTilts(const LineData& data);

/// Lines of one tilt by where they pass the axis: x is the distance s in mm along r of the line's azimuth
/// (design section 3), y that azimuth from 0 to 180 degrees over as many mm as the image is high, z the
/// height there in mm. Events, or the counts of lines; lines beyond the image's extent are left out, those
/// along the axis too. Throws WrongUse for a tilt that is not there.
[[nodiscard]] Volume lineView(const LineData& data, std::size_t tilt);

/// Counts of every tilt, of lines beyond the image's extent too.
[[nodiscard]] std::vector<double> lineViewTotals(const LineData& data);

/// Counts of every view.
[[nodiscard]] std::vector<double> viewTotals(const HistoData& data);

}  // namespace tof
