// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/metrics/figures_of_merit.h"

namespace tof {

/// How far an image is from a reference, all over the mean of the reference's background.
struct PetricDistance {
    double voi = 0;         ///< largest difference of a VOI's mean
    double object = 0;      ///< root of the mean square over the object
    double background = 0;  ///< and over the background
};

/// The rule of the PETRIC challenges (M. J. Ehrhardt and others, Front. Nucl. Med. 6 (2026) 1770002): an
/// image is as good as the reference when VOIs are right to 0.005, object and background to 0.01, for ten
/// iterates in a row.
class PetricRule {
  public:
    static constexpr double kVoi = 0.005;
    static constexpr double kRms = 0.01;
    static constexpr int kInARow = 10;

    /// VOIs are the target ROIs of the set; the background is that of its role Uniform, the object where
    /// `reference` is above a fifth of the background's mean. Throws WrongUse without ROIs of both roles.
    PetricRule(const Volume& reference, const RoiSet& rois);

    [[nodiscard]] PetricDistance distance(const Volume& image) const;
    [[nodiscard]] static bool passes(const PetricDistance& distance) {
        return distance.voi <= kVoi && distance.object <= kRms && distance.background <= kRms;
    }
    /// The place of the first of ten that pass in a row; -1: there is none.
    [[nodiscard]] static int firstOfTen(const std::vector<PetricDistance>& distances);

  private:
    using Voxels = std::vector<std::size_t>;
    [[nodiscard]] double rms(const Volume& image, const Voxels& where) const;

    Volume reference_;
    std::vector<Voxels> vois_;
    Voxels object_;
    Voxels background_;
    double mean_ = 1;  ///< the reference's in the background
};

}  // namespace tof
