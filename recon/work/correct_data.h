// SPDX-License-Identifier: Apache-2.0
// Corrections of data of whatever form, and what can be said of them before they are made.
#pragma once

#include <optional>
#include <string>

#include "recon/base/parallel.h"
#include "recon/data/correction_parts.h"
#include "recon/data/crystal_singles.h"
#include "recon/io/format/format.h"
#include "recon/seam/engine.h"
#include "recon/systems/measurement.h"
#include "recon/work/correct.h"

namespace tof {

/// Data with the parts that their corrections are made of.
struct PartedCorrections {
    MeasuredData data;
    CorrectionParts parts;
};

/// What was found.
struct Corrected {
    CorrectResult result{};                     ///< of panels their randoms alone
    std::optional<PanelRandomsTally> panels{};  ///< of panels
};

/// correct() of the form that the data have, with parts taken from `found`, too. Panels have no parts.
/// `source` names the data in messages. Throws WrongUse where sinograms come without `request.scanner` or
/// panels are asked for more than randoms, and what correct() throws.
[[nodiscard]] Corrected correctData(PartedCorrections& data, const std::string& source,
                                    const CorrectRequest& request, const ThreadPool& pool,
                                    WorkProgress& progress, const CorrectionParts& found);

/// Scatter's sums are `engine`'s where it has its own way with them, with so many threads (0: all).
void sumScatterBy(const Engine& engine, CorrectRequest& request);

/// What a data file holds. Throws BadInput.
[[nodiscard]] PartedCorrections readPartedCorrections(const std::string& path);

/// The form of data in memory; None for those of another system.
[[nodiscard]] DataForm formOf(const Measurement& data);
/// A copy of data in memory. Throws WrongUse for those of another system.
[[nodiscard]] MeasuredData measuredData(const Measurement& data);

// What correctData() would say of a file of a request, said before anything is made and without reading
// events where a format need not. `scanner` is that of the data.

/// Throws WrongUse or BadInput unless the file is a list of the scanner that names what was measured.
void requireNormalisation(const std::string& path, const Scanner& scanner);
/// The same of a list of delayed coincidences.
void requireDelayeds(const std::string& path, const Scanner& scanner);
/// Singles of the scanner's crystals. Throws BadInput, or WrongUse where they are of another.
[[nodiscard]] CrystalSingles singlesOf(const std::string& path, const Scanner& scanner);

}  // namespace tof
