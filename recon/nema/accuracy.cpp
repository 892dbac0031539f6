// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/accuracy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/error.h"

namespace tof {

namespace {

constexpr double kCircle_mm = 90;

/// Mean of every slice's circle.
std::vector<double> sliceMeans(const Volume& image, Vec3 centre, double halfLength_mm) {
    const Lattice& lattice = image.lattice;
    std::vector<double> means;
    for (int z = 0; z < lattice.size[2]; ++z) {
        if (std::abs(lattice.centre(0, 0, z).z - centre.z) > halfLength_mm) {
            continue;
        }
        double sum = 0;
        double voxels = 0;
        for (int y = 0; y < lattice.size[1]; ++y) {
            for (int x = 0; x < lattice.size[0]; ++x) {
                const Vec3 at = lattice.centre(x, y, z);
                if (std::hypot(at.x - centre.x, at.y - centre.y) <= kCircle_mm) {
                    sum += static_cast<double>(image.at(x, y, z));
                    voxels += 1;
                }
            }
        }
        means.push_back(sum / voxels);
    }
    return means;
}

/// Throws where images cannot be compared.
void requireAlike(const std::vector<AccuracyScan>& scans, Vec3 centre, double halfLength_mm) {
    if (scans.size() <= kAccuracyReferences) {
        throw WrongUse(
            "{} images of the scatter phantom: the three lowest activities say what is right, so give "
            "four or more",
            scans.size());
    }
    const Volume& first = *scans.front().image;
    const Box box = latticeBox(first.lattice);
    const bool holds = box.low.x <= centre.x - kCircle_mm && box.high.x >= centre.x + kCircle_mm &&
                       box.low.y <= centre.y - kCircle_mm && box.high.y >= centre.y + kCircle_mm &&
                       box.low.z < centre.z + halfLength_mm && box.high.z > centre.z - halfLength_mm;
    if (!holds) {
        throw BadInput("the images do not hold a circle of 180 mm around {:g}, {:g} mm; give --centre",
                       centre.x, centre.y);
    }
    if (first.units == "emissions" || first.units == "counts/mm") {
        throw BadInput(
            "the images hold {} of a scan, however long it was, and a rate is needed; make them Bq/ml "
            "by 'convert --calibration'",
            first.units);
    }
    for (std::size_t i = 1; i < scans.size(); ++i) {
        if (!(scans[i].image->lattice == first.lattice) || scans[i].image->units != first.units) {
            throw BadInput("image {} has other voxels or units than the first; make all alike", i + 1);
        }
        if (!(scans[i].kBqPerMl > scans[i - 1].kBqPerMl)) {
            throw WrongUse("activities of the images must ascend; give them with their images in that order");
        }
    }
}

}  // namespace

double AccuracyError::largest() const {
    return std::max(std::abs(lowest), std::abs(highest));
}

std::vector<AccuracyError> accuracyErrors(const std::vector<AccuracyScan>& scans, Vec3 centre,
                                          double halfLength_mm) {
    requireAlike(scans, centre, halfLength_mm);
    std::vector<std::vector<double>> means;
    means.reserve(scans.size());
    for (const AccuracyScan& scan : scans) {
        means.push_back(sliceMeans(*scan.image, centre, halfLength_mm));
    }
    std::vector<double> perActivity(means.front().size(), 0.0);
    for (std::size_t k = 0; k < kAccuracyReferences; ++k) {
        for (std::size_t slice = 0; slice < perActivity.size(); ++slice) {
            perActivity[slice] += means[k][slice] / scans[k].kBqPerMl / kAccuracyReferences;
        }
    }
    if (!std::all_of(perActivity.begin(), perActivity.end(), [](double one) { return one > 0; })) {
        throw BadInput(
            "a slice of the images has nothing at the three lowest activities; cut it off, or "
            "give --centre");
    }
    const double whole = std::accumulate(perActivity.begin(), perActivity.end(), 0.0);
    std::vector<AccuracyError> errors;
    for (std::size_t k = 0; k < scans.size(); ++k) {
        std::vector<double> each;
        for (std::size_t slice = 0; slice < perActivity.size(); ++slice) {
            each.push_back(100 * (means[k][slice] / (perActivity[slice] * scans[k].kBqPerMl) - 1));
        }
        const double seen = std::accumulate(means[k].begin(), means[k].end(), 0.0);
        const auto [low, high] = std::minmax_element(each.begin(), each.end());
        errors.push_back({scans[k].kBqPerMl, 100 * (seen / (whole * scans[k].kBqPerMl) - 1), *low, *high});
    }
    return errors;
}

}  // namespace tof
