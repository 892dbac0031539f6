// SPDX-License-Identifier: Apache-2.0
// The lines that list-mode could have recorded, and what attenuates along lines.
#pragma once

#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/line_data.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

/// All lines that list-mode could have recorded: F^T of their mult is the sensitivity.
struct AllLines {
    std::variant<std::shared_ptr<const Michelogram>, std::shared_ptr<const LineEvents>> lines;
    PartedData data;  ///< mult alone
};
/// Line integrals of a volume, in mm times its unit, along each line of a model without time of flight on the
/// volume's lattice, in the order of its data.
using LineIntegrals = std::function<std::vector<float>(const LineModel& model, const Volume& volume)>;

/// With rings, sinograms whose mult is the number of crystal pairs (or what weighPairs() makes of them) times
/// exp(-line integral of the attenuation), or what list.possible says; for events on lines between crystals
/// every pair has a bin of its own, unless that takes more than 134 million bins. Else the pairs that
/// list.possible names or accepts; of more than 33 million, as many evenly spread over them. Without time of
/// flight, over whose bins it is summed. `integrals` follows the attenuation of lists; none: threads of
/// `pool`.
[[nodiscard]] AllLines allLines(const LineData& list, const ThreadPool& pool,
                                const LineIntegrals& integrals = {});

/// data.mult becomes what pairs of a scanner's crystals expect (PairFactors), added up over those that each
/// bin holds. Where the scanner's efficiencies are known it is absolute: over the volume of a voxel of
/// data.lattice; else scaled to a mean of 1 per pair. `efficiencies` as of recordedFactors().
void weighPairs(SinogramData& data, const Scanner& scanner, const ThreadPool& pool,
                const std::vector<float>& efficiencies = {});

/// Multiplies data.mult with exp(-line integral of mu), mu in 1/mm. `progress` gets the share done and may
/// throw.
void applyAttenuation(SinogramData& data, const Volume& mu, const ThreadPool& pool,
                      const std::function<void(double)>& progress);

/// exp(-line integral of mu) of every line of a list, mu in 1/mm. `progress`, if any, gets the share done
/// and may throw.
[[nodiscard]] std::vector<float> attenuationOf(const LineEvents& lines, const Volume& mu,
                                               const ThreadPool& pool,
                                               const std::function<void(double)>& progress = {});

}  // namespace tof
