// SPDX-License-Identifier: Apache-2.0
// How well the rods of a Derenzo phantom stand apart in an image of two panels.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/lattice.h"
#include "recon/phantom/panel_phantoms.h"

namespace tof {

/// The picture across the rods: the mean over the planes along x within `length_mm`. x one voxel.
[[nodiscard]] inline Volume acrossRods(const Volume& image, double length_mm) {
    const Lattice& from = image.lattice;
    Lattice flat = from;
    flat.size[0] = 1;
    flat.origin_mm[0] = 0;
    Volume picture(flat, 0.0F);
    int planes = 0;
    for (int x = 0; x < from.size[0]; ++x) {
        if (std::abs(from.centre(x, 0, 0).x) > 0.5 * length_mm) {
            continue;
        }
        ++planes;
        for (int z = 0; z < from.size[2]; ++z) {
            for (int y = 0; y < from.size[1]; ++y) {
                picture.at(0, y, z) += image.at(x, y, z);
            }
        }
    }
    for (float& value : picture.data) {
        value /= static_cast<float>(planes > 0 ? planes : 1);
    }
    picture.units = image.units;
    return picture;
}

/// The value at (y, z), mm, linear between voxels; 0 outside.
[[nodiscard]] inline double valueAt(const Volume& picture, double y, double z) {
    const Lattice& lattice = picture.lattice;
    const double fy = (y - lattice.origin_mm[1]) / lattice.spacing_mm[1];
    const double fz = (z - lattice.origin_mm[2]) / lattice.spacing_mm[2];
    const int iy = static_cast<int>(std::floor(fy));
    const int iz = static_cast<int>(std::floor(fz));
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        const int vy = iy + k % 2;
        const int vz = iz + k / 2;
        const double weight = (1 - std::abs(fy - vy)) * (1 - std::abs(fz - vz));
        if (vy >= 0 && vz >= 0 && vy < lattice.size[1] && vz < lattice.size[2]) {
            sum += weight * static_cast<double>(picture.at(0, vy, vz));
        }
    }
    return sum;
}

struct RodFigures {
    double diameter_mm = 0;
    int pairs = 0;      ///< pairs of neighbours
    double peak = 0;    ///< mean in the rods' centres
    double valley = 0;  ///< mean half-way between neighbours
    [[nodiscard]] double valleyOverPeak() const { return peak > 0 ? valley / peak : 1; }
};
/// The figures of each sector of "micro-derenzo" or "small-derenzo". Throws WrongUse for another phantom.
[[nodiscard]] inline std::vector<RodFigures> rodFigures(const Volume& picture, const std::string& phantom) {
    const bool micro = phantom == "micro-derenzo";
    if (!micro && phantom != "small-derenzo") {
        throw WrongUse("'{}' has no rods; give a run of micro-derenzo or small-derenzo", phantom);
    }
    const double radius = micro ? 22 : 19;
    const std::vector<double> diameters =
        micro ? std::vector<double>{2.4, 2.0, 1.7, 1.35, 1.0, 0.75} : std::vector<double>{2.4, 2.0, 1.7};
    std::vector<RodFigures> figures;
    for (std::size_t s = 0; s < diameters.size(); ++s) {
        const auto rods = derenzoRods(diameters[s], kPi / 3 * static_cast<double>(s) + kPi / 6, radius);
        RodFigures sector;
        sector.diameter_mm = diameters[s];
        for (std::size_t i = 0; i < rods.size(); ++i) {
            sector.peak += valueAt(picture, rods[i][0], rods[i][1]) / static_cast<double>(rods.size());
            for (std::size_t j = 0; j < i; ++j) {
                const double apart = std::hypot(rods[i][0] - rods[j][0], rods[i][1] - rods[j][1]);
                if (apart < 2.05 * diameters[s]) {
                    ++sector.pairs;
                    sector.valley +=
                        valueAt(picture, 0.5 * (rods[i][0] + rods[j][0]), 0.5 * (rods[i][1] + rods[j][1]));
                }
            }
        }
        sector.valley /= sector.pairs > 0 ? sector.pairs : 1;
        figures.push_back(sector);
    }
    return figures;
}

}  // namespace tof
