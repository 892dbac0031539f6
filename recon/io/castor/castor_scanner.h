// SPDX-License-Identifier: Apache-2.0
// Scanner geometry of CASToR. Internal to recon/io.
#pragma once

#include <string>

#include "recon/io/castor/castor_header.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// The file that describes scanner `name`: `given` where it is not empty, else NAME.hscan or NAME.geom in the
/// folder of `dataHeader`. Throws BadInput naming the places looked at.
[[nodiscard]] std::string findCastorScanner(const std::string& name, const std::string& given,
                                            const std::string& dataHeader);

struct CastorScanner {
    Scanner scanner;
    std::string note;  ///< says which crystal sizes are missing or overlap, one sentence, or empty
    double efficiency =
        1;  ///< efficiency of two panels, as PanelGeometry has it, where this program wrote it
};

/// Reads .geom, or .hscan with its .lut beside (either may be named). CASToR's axes are left-handed (x to the
/// right and y up as seen from the front, z into the scanner), so y changes sign. As CASToR has it, a table
/// needs neither `scanner name` nor transaxial and axial crystal sizes. Throws BadInput.
/// A table of two panels that this program wrote says in a line of its own, which no other program reads,
/// what the scanner is; it holds while its crystals are those of the table.
[[nodiscard]] CastorScanner readCastorScanner(const std::string& path);

/// The scanner of a data header, with the time resolution that the header states. `given`: its file, CASToR's
/// or a scanner of ours; empty: beside the header.
[[nodiscard]] CastorScanner castorScanner(const CastorHeader& header, const std::string& given);

/// `Duration (s)`, by which rates become counts; 1 where it is 0.
[[nodiscard]] double castorDuration(const CastorHeader& header);

}  // namespace tof
