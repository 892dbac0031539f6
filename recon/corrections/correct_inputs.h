// SPDX-License-Identifier: Apache-2.0
// What corrections of all forms of data are found from.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "recon/base/work_progress.h"
#include "recon/corrections/attenuation_map.h"
#include "recon/data/crystal_singles.h"
#include "recon/data/events.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// A normalisation scan: its list without what was scattered or came together by chance, where it says so.
/// Throws WrongUse where it names no phantom, BadInput, and what `heed` does (recognise()).
[[nodiscard]] EventList readNormalisation(const std::string& path, std::function<void()> heed);

/// Standard deviation of crystals' efficiencies over their mean, which is 1.
[[nodiscard]] double deviationOf(const std::vector<double>& efficiencies);

/// randomsThatPartnersLeave() of a scan of so many prompts with so many randoms among them.
[[nodiscard]] double partnersLeave(const std::vector<double>& rates, const Scanner& scanner,
                                   std::uint64_t prompts, double randoms, double duration_s,
                                   double busyPerRecorded);
/// How often blocks were busy for each photon that they recorded; 1 where the singles do not say.
[[nodiscard]] double busyPerRecorded(const CrystalSingles& singles);

/// What attenuates, in 1/mm: the volume of the file `mu`, or, without one, the phantom that the data name, by
/// wholeAttenuation() on their lattice with parts of at most `spacing_mm`. `source` names the data in
/// messages. Throws WrongUse where there is neither, BadInput.
[[nodiscard]] Volume attenuationOf(const std::string& mu, MuUnits units, const std::string& phantom,
                                   const Lattice& lattice, double spacing_mm, const std::string& source,
                                   WorkProgress& progress);
/// Parts of what attenuates when it is to scatter.
inline constexpr double kScatterSpacing_mm = 4;
/// Voxels of bodies whose lines are followed one by one stay whole.
inline constexpr double kWholeVoxels_mm = std::numeric_limits<double>::infinity();

// What correcting would say of a file of a request, said before anything is made and without reading events
// where a format need not. `scanner` is that of the data.

/// Throws WrongUse or BadInput unless the file is a list of the scanner that names what was measured.
void requireNormalisation(const std::string& path, const Scanner& scanner);
/// Asks the same of a list of delayed coincidences, which need name nothing.
void requireDelayeds(const std::string& path, const Scanner& scanner);
/// Singles of crystals, of a file of ours or of a list of GE RDF 9. Throws BadInput.
[[nodiscard]] CrystalSingles measuredSingles(const std::string& path);
/// Singles of the scanner's crystals. Throws BadInput, or WrongUse where they are of another.
[[nodiscard]] CrystalSingles singlesOf(const std::string& path, const Scanner& scanner);

}  // namespace tof
