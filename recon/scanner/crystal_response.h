// SPDX-License-Identifier: Apache-2.0
// What single crystals detect: effective areas against the direction of incidence, and from them how many
// counts every pair of crystals expects.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/detector.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Effective areas of a scanner's crystals: how many photons of a wide parallel beam interact in a crystal,
/// over the beam's photons per mm2. Crystals and modules in front shield; those behind do not matter.
///
/// Tabulated by the slopes of the beam against the crystal's outward direction; crystals that a turn of the
/// scanner about its axis or a mirror that leaves it the same brings upon each other share a table, so do the
/// rows of tall modules away from their ends. Immutable; share between threads.
class CrystalResponse {
  public:
    /// Tabulates photons from within the scanner's field of view and acceptance. Crystals of unknown
    /// attenuation stop every photon.
    CrystalResponse(const Scanner& scanner, const Detector& detector, const ThreadPool& pool);

    /// mm2; `direction` is the unit vector of the photons' flight. Beyond the table its last values hold.
    [[nodiscard]] double area(std::uint32_t crystal, Vec3 direction) const;

    /// Tables that were made.
    [[nodiscard]] std::size_t tables() const;

  private:
    /// The slopes of a table, ascending and the same on either side of 0.
    using Slopes = std::vector<double>;
    struct Place {
        std::uint32_t module = 0;
        std::uint32_t table = 0;
        std::uint32_t flips = 0;  ///< bit 0 and 1: the table is of the mirrored transaxial and axial slope
    };

    void chooseSlopes(const Scanner& scanner, const Detector& detector, double step);
    void shareTables(const Detector& detector);
    void fill(const Scanner& scanner, const Detector& detector, std::size_t table);

    std::vector<std::array<Vec3, 3>> axes_;  ///< per module
    std::vector<Place> places_;              ///< per crystal
    std::vector<std::uint32_t> first_;       ///< per table: the crystal that it was made for
    std::array<Slopes, 2> slopes_;           ///< transaxial, axial
    bool fine_ = true;
    std::vector<float> values_;  ///< [table][transaxial slope][axial slope], mm2
};

/// Counts that pairs of crystals expect. Immutable; share between threads.
class PairFactors {
  public:
    /// `recorded`: what is recorded of the photons interacting in each crystal; empty: all.
    PairFactors(const Scanner& scanner, const ThreadPool& pool, std::vector<double> recorded = {});

    /// Expected counts of an unordered pair for one emission per mm3 along each mm of its line, before
    /// attenuation: a1 a2/(2 pi d^2) in mm2, a the effective areas times what is recorded, d the distance of
    /// the reference points; 0 beyond the scanner's acceptance.
    [[nodiscard]] double of(std::uint32_t crystal1, std::uint32_t crystal2) const;

  private:
    Detector detector_;
    CrystalResponse response_;
    std::vector<Vec3> points_;
    std::vector<double> recorded_;
    double sinAcceptance_;
};

/// Whether what a scanner's description says is enough to know how many emissions its counts stand for.
[[nodiscard]] bool knowsEfficiencies(const Scanner& scanner);

}  // namespace tof
