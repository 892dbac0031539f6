// SPDX-License-Identifier: Apache-2.0
// Neighbouring crystals taken as one, and which pairs are coincidences. Internal to recon/corrections.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "recon/corrections/line_ends.h"
#include "recon/scanner/detector.h"

namespace tof {

inline constexpr int kGroupAcross = 3;  ///< crystals of a group
inline constexpr int kGroupAlong = 4;

/// Which pairs of places a scanner takes for coincidences.
class PairAcceptance {
  public:
    explicit PairAcceptance(const Scanner& scanner)
        : sine_(std::sin(scanner.acceptance_rad)), fovRadius_(scanner.fovRadius_mm) {}

    [[nodiscard]] bool takes(Vec3 one, Vec3 two) const {
        const Vec3 line = two - one;
        return std::abs(line.z) <= sine_ * norm(line) && fromAxis(one, line) <= fovRadius_;
    }

  private:
    double sine_;  ///< sine of the steepest line's tilt
    double fovRadius_;
};

/// Whether one pair is accepted.
[[nodiscard]] inline bool accepts(const Scanner& scanner, Vec3 one, Vec3 two) {
    return PairAcceptance(scanner).takes(one, two);
}

/// Crystals that are taken as one.
struct CrystalGroups {
    std::vector<std::uint32_t> of;  ///< by crystal
    std::vector<double> crystals;   ///< in each
    std::vector<Vec3> places;       ///< mean reference points
};

[[nodiscard]] inline CrystalGroups groupsOf(const Scanner& scanner) {
    const Detector detector(scanner);
    CrystalGroups groups;
    groups.of.resize(scanner.crystals.size());
    for (const DetectorModule& module : detector.modules()) {
        const int columns = (module.count[0] + kGroupAcross - 1) / kGroupAcross;
        const int rows = (module.count[1] + kGroupAlong - 1) / kGroupAlong;
        const std::size_t first = groups.crystals.size();
        groups.crystals.resize(first + static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0);
        groups.places.resize(groups.crystals.size());
        for (int row = 0; row < module.count[1]; ++row) {
            for (int column = 0; column < module.count[0]; ++column) {
                const std::uint32_t crystal =
                    module.ids[static_cast<std::size_t>(row) * static_cast<std::size_t>(module.count[0]) +
                               static_cast<std::size_t>(column)];
                const std::size_t group =
                    first + static_cast<std::size_t>(row / kGroupAlong) * static_cast<std::size_t>(columns) +
                    static_cast<std::size_t>(column / kGroupAcross);
                groups.of[crystal] = static_cast<std::uint32_t>(group);
                groups.crystals[group] += 1;
                groups.places[group] = groups.places[group] + scanner.reference(crystal);
            }
        }
    }
    for (std::size_t g = 0; g < groups.places.size(); ++g) {
        groups.places[g] = (1 / groups.crystals[g]) * groups.places[g];
    }
    return groups;
}

}  // namespace tof
