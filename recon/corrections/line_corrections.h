// SPDX-License-Identifier: Apache-2.0
// Scatter and randoms that lines of response and sinograms are expected to hold.
#pragma once

#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/corrections/ring_lines.h"
#include "recon/corrections/scatter.h"
#include "recon/data/events.h"
#include "recon/data/line_data.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// exp(-line integral of mu) of every line of a sinogram, in the order of its bins without time.
[[nodiscard]] std::vector<float> survivalOfBins(const SinogramData& data, const Volume& attenuation,
                                                const ThreadPool& pool);

/// Expected scatter of every bin: mult over survival times the volume of a voxel times the integral of
/// `scatter` (apparent emissions per mm3) over the bin's part of its line. data.mult is absolute.
[[nodiscard]] std::vector<float> scatterOfBins(const LineFunction& scatter, const SinogramData& data,
                                               const std::vector<float>& survival, const ThreadPool& pool);

/// Expected randoms of every bin from the singles per second of a scanner's crystals: 2 tau s_i s_j over the
/// bin's pairs that the scanner accepts, evenly over the coincidence window. Throws WrongUse where the
/// scanner states no window.
[[nodiscard]] std::vector<float> randomsOfBins(const std::vector<double>& rates, const Scanner& scanner,
                                               const SinogramData& data, double duration_s,
                                               const ThreadPool& pool);

/// How many randoms of `duration_s` the possible lines of a scanner hold: 2 tau s_i s_j over all pairs, by
/// groups of 3 x 4 crystals. Throws as randomsOfBins().
[[nodiscard]] double randomsOfPairs(const std::vector<double>& rates, const Scanner& scanner,
                                    const PossibleLines& possible, double duration_s);

/// Factors of mult of every bin, in the order of data.counts: the mean of the product of both crystals'
/// `efficiencies` over the bin's pairs, by what each expects. Throws WrongUse where there are not as many as
/// the scanner has crystals.
[[nodiscard]] std::vector<float> efficienciesOfBins(const std::vector<double>& efficiencies,
                                                    const Scanner& scanner, const SinogramData& data,
                                                    const ThreadPool& pool);

/// What list-mode between a scanner's own crystals expects, one value for each event in its time bin.
class ListExpectations {
  public:
    /// Keeps references: the crystals' efficiencies and the attenuation are those that data hold when they
    /// are asked for. Throws WrongUse unless the list's possible lines are those of a scanner whose
    /// efficiencies are known, with time of flight.
    ListExpectations(const LineData& data, const ThreadPool& pool);
    /// Probability per mm of the line in a voxel, survival and efficiencies included: what data.mult is
    /// beside an add.
    [[nodiscard]] std::vector<float> mult() const;
    /// By the pose that lies nearest to the event's, at the line's place in the scanner.
    [[nodiscard]] std::vector<float> scatter(const std::vector<PosedScatter>& scatter) const;
    [[nodiscard]] std::vector<float> randoms(const std::vector<double>& rates, double duration_s) const;
    /// randomsOfPairs() that the list could hold.
    [[nodiscard]] double allRandoms(const std::vector<double>& rates, double duration_s) const;
    /// What carried points of the reference pose to where they were; empty where nothing moved.
    [[nodiscard]] std::vector<WeighedPose> poses() const;
    /// The list as events of the scanner, at times of motionOver(poses()) where something moved.
    [[nodiscard]] EventList events() const;
    [[nodiscard]] const Scanner& scanner() const { return *data_.possible.scanner; }

  private:
    /// With the efficiencies of both crystals.
    [[nodiscard]] float factor(std::size_t event) const;

    const LineData& data_;
    const ThreadPool& pool_;
    std::vector<float> factors_;  ///< mm2: counts for one emission per mm3 along each mm
};

}  // namespace tof
