// SPDX-License-Identifier: Apache-2.0
// What there is to look at in one view of the data, and how well an image explains it.
#pragma once

#include <string>

#include "recon/base/lattice.h"

namespace tof {

/// What is shown of a view.
enum class DataQuantity {
    Counts,    ///< y, events per voxel or bin
    Expected,  ///< e = mult forward(att x) + add
    Residual,  ///< y - e
    Weighted,  ///< (y - e)/sqrt(e), 0 where e <= 0
    Mult,      ///< what multiplies the projection; 1 where the data have none
    Add,       ///< scatter and randoms, counts per voxel or bin; 0 where the data have none
    Att        ///< what multiplies the image before it is projected; 1 where the data have none
};
/// "counts", "expected", "residual", "weighted", "mult", "add", "att".
[[nodiscard]] std::string quantityName(DataQuantity quantity);
/// Throws WrongUse listing the names.
[[nodiscard]] DataQuantity quantityFromName(const std::string& name);
/// True for what needs an image to compare the data with.
[[nodiscard]] bool needsExpectation(DataQuantity quantity);
/// Throws WrongUse for what needs an image to compare the data with.
void requireMeasured(DataQuantity quantity);

/// How the counts of a view compare with what an image makes expected.
struct ViewFit {
    double counts = 0;    ///< sum of y
    double expected = 0;  ///< sum of e
    /// Mean of (y - e)^2/e over voxels whose e exceeds 1 % of its mean: 1 when only Poisson noise is left.
    double chiSquare = 0;
    double percentile999 = 0;  ///< 99.9th percentile of |quantity|, for symmetric limits
};

/// Expected, Residual or Weighted of a view from its counts and its expectation.
[[nodiscard]] Volume comparedCounts(const Volume& counts, const Volume& expected, DataQuantity quantity);
[[nodiscard]] ViewFit fitOfCounts(const Volume& counts, const Volume& expected, const Volume& shown);

}  // namespace tof
