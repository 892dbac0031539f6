// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/detector.h"
#include "recon/simulate/recorded_share.h"

namespace tof {

/// Attenuation to compute with: an unknown one (0) stands for crystals that stop every photon.
[[nodiscard]] double effectiveAttenuation(double attenuation_per_mm);

/// Probability that a photon crossing part of a module's box interacts in a crystal.
///
/// Averaged over where in the crystal grid the photon enters: emission points are spread over voxels as large
/// as a crystal, so only the mean matters. Immutable; share between threads.
class ModuleResponse {
  public:
    /// `attenuation_per_mm` of the crystals, see effectiveAttenuation.
    ModuleResponse(const DetectorModule& module, double attenuation_per_mm, const ThreadPool& pool);

    /// Whether the table, made for one module, holds for another.
    [[nodiscard]] bool fits(const DetectorModule& module) const;

    /// The chance of a photon along unit vector `d` whose way inside the box is `length_mm` long, under any
    /// angle.
    [[nodiscard]] double probability(const DetectorModule& module, Vec3 d, double length_mm) const;

  private:
    void fill(std::size_t t, std::size_t a, double attenuation_per_mm);
    [[nodiscard]] double tabulated(double slopeT, double slopeA, double depth_mm) const;
    [[nodiscard]] double at(std::size_t t, std::size_t a, std::size_t depth) const;

    std::array<double, 2> pitch_;
    std::array<double, 3> crystal_;
    std::vector<double> table_;  ///< [transaxial slope][axial slope][depth crossed]
};

/// Probability that both photons of a pair are recorded, as a function of their line alone.
class PairEfficiency {
  public:
    /// Keeps a reference to the detector. `recorded`: what is recorded of the photons interacting, at
    /// crystals `depth_mm` deep.
    PairEfficiency(const Detector& detector, double attenuation_per_mm, RecordedShares recorded,
                   double depth_mm, const ThreadPool& pool);

    /// The chance of the line through `p` (inside the scanner's inner radius) along the unit vector `d`, at
    /// the mean over heights.
    [[nodiscard]] double along(Vec3 p, Vec3 d) const;
    /// What is recorded of a photon at a height of the crystals over that mean; 1 where modules do not stand
    /// upright.
    [[nodiscard]] double atHeight(double z) const;

  private:
    [[nodiscard]] double one(Vec3 p, Vec3 d) const;
    [[nodiscard]] double columnShare(const ModulePassage& passage, Vec3 p, Vec3 d) const;
    void averageRows();

    static constexpr double kHeightStep_mm = 1;

    const Detector& detector_;
    RecordedShares recorded_;
    double depth_mm_;
    double lowest_ = 0;
    std::vector<double> heights_;            ///< shares over their mean, kHeightStep_mm apart
    std::vector<ModuleResponse> responses_;  ///< one per kind of module
    std::vector<std::size_t> kind_;          ///< per module
};

}  // namespace tof
