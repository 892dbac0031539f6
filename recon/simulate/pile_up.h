// SPDX-License-Identifier: Apache-2.0
// What a block makes of light that comes while it integrates an earlier photon's; for host and device.
#pragma once

#include <cmath>
#include <cstdint>

#include "recon/base/hd.h"
#include "recon/scanner/detection.h"
#include "recon/simulate/crystal_medium.h"

namespace tof {

/// The place of a crystal in its module.
struct CrystalCell {
    std::uint32_t module = 0;
    std::int32_t column = 0;
    std::int32_t row = 0;
};

/// Where a block sees light, and how much.
struct BlockLight {
    std::uint32_t crystal = 0;
    float energy_keV = 0;
};

/// Energies add, as far as a photon's light comes before the end of the integration, and places move to where
/// the light's centroid or its largest part is. Sums are of doubles, so that host and device round alike.
/// Plain data; points into a table that somebody else owns.
struct PileUp {
    double integration_ps = 0;           ///< 0: nothing piles up
    double decay_ps = 0;                 ///< decay time of the crystals' light; 0: it comes at once
    const CrystalCell* cells = nullptr;  ///< by number of the crystal

    /// `light`, and what of `extra`, which came `after_ps` later, is integrated with it.
    [[nodiscard]] TOF_HD BlockLight joined(const CrystalView& crystals, Detection::Position position,
                                           BlockLight light, BlockLight extra, double after_ps) const {
        const double gained = shareOf(after_ps) * static_cast<double>(extra.energy_keV);
        const double sum = static_cast<double>(light.energy_keV) + gained;
        if (sum > 0 && position == Detection::Position::Centroid) {
            light.crystal = between(crystals, light.crystal, extra.crystal, gained / sum);
        } else if (position == Detection::Position::Largest &&
                   gained > static_cast<double>(light.energy_keV)) {
            light.crystal = extra.crystal;
        }
        light.energy_keV = static_cast<float>(sum);
        return light;
    }

    /// The share of its light that a photon gives in what is left of the integration.
    [[nodiscard]] TOF_HD double shareOf(double after_ps) const {
        return decay_ps > 0 ? std::expm1((after_ps - integration_ps) / decay_ps) /
                                  std::expm1(-integration_ps / decay_ps)
                            : 1;
    }

  private:
    /// The crystal of the first one's module that lies a share of the way to another.
    [[nodiscard]] TOF_HD std::uint32_t between(const CrystalView& crystals, std::uint32_t one,
                                               std::uint32_t other, double share) const {
        const CrystalCell& a = cells[one];
        const CrystalCell& b = cells[other];
        const CrystalModule& module = crystals.modules[a.module];
        const std::int32_t row = a.row + rounded(share * (b.row - a.row));
        const std::int32_t column = a.column + rounded(share * (b.column - a.column));
        return crystals.ids[module.firstId + static_cast<std::uint32_t>(row * module.count[0] + column)];
    }

    [[nodiscard]] static TOF_HD std::int32_t rounded(double value) {
        return static_cast<std::int32_t>(value < 0 ? value - 0.5 : value + 0.5);
    }
};

/// The times of a scanner's blocks; no table of cells.
[[nodiscard]] PileUp pileUpOf(const Detection& detection);

}  // namespace tof
