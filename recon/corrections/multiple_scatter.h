// SPDX-License-Identifier: Apache-2.0
// What is scattered more than once, over what is scattered once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/corrections/energy_acceptance.h"
#include "recon/corrections/ring_lines.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Coincidences with two scatters or more over those with one, by the place that a line and its times tell: a
/// polynomial of second degree in the place, and of fourth in its distance and that of the line from the
/// axis. Immutable.
///
/// Photon pairs of the activity are followed through what attenuates, by the laws and tables of simulate(),
/// to the scanner as the smooth cylinder that singleScatter() takes it for, and count by the chance to be
/// recorded there. The polynomial gives every one of its moments (total, mean place, widths, ...) over single
/// scatter that multiple scatter was found to have: no bins, no lattice, and any shape of object.
class MultipleScatter {
  public:
    /// Follows `pairs` pairs, or fewer where over() has a standard deviation of 0.01 before; the same for any
    /// number of threads. `activity` holds emissions per voxel, `attenuation` 1/mm at 511 keV.
    MultipleScatter(const Scanner& scanner, const EnergyAcceptance& acceptance, const CoarseRing& ring,
                    const Volume& activity, const Volume& attenuation, std::uint64_t pairs,
                    const ThreadPool& pool);

    /// At `place` on a line `distance` mm from the axis; not below 0, beyond the object what it is near its
    /// edge.
    [[nodiscard]] double over(Vec3 place, double distance) const;
    /// All of it over all single scatter.
    [[nodiscard]] double mean() const { return mean_; }
    /// What it rests on: squared sum of weights over sum of squares, of pairs with two scatters or more.
    [[nodiscard]] double events() const { return events_; }

    static constexpr std::size_t kTerms = 12;
    using Terms = std::array<double, kTerms>;

  private:
    [[nodiscard]] Terms termsAt(Vec3 place, double distance) const;

    Vec3 centre_;
    Vec3 reach_;  ///< reach of places, in units of which the polynomial is
    double farthest_ = 1;
    Terms factors_{};
    double mean_ = 0;
    double events_ = 0;
};

}  // namespace tof
