// SPDX-License-Identifier: Apache-2.0
// CASToR's list-mode, histograms and normalisations, and data files in CASToR's form.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "recon/data/line_data.h"
#include "recon/data/panel_data.h"
#include "recon/io/bytes/destination.h"
#include "recon/io/format/format.h"
#include "recon/scanner/scanner.h"

namespace tof {

class CastorHeader;

/// List-mode of a .cdh header with its .cdf beside it and the scanner's .hscan + .lut or .geom.
[[nodiscard]] ListReadResult readEventsCastor(const CastorHeader& header, const ListReadOptions& options);
/// List-mode a part at a time, without its factors and kinds. Throws BadInput.
[[nodiscard]] std::unique_ptr<const EventStream> castorStream(const CastorHeader& header,
                                                              const ListReadOptions& options);
/// What reads a list that is still being written; its data file need not be there yet. Throws BadInput.
[[nodiscard]] std::unique_ptr<const RecordDecoder> castorDecoder(const CastorHeader& header,
                                                                 const ListReadOptions& options);

struct CastorLines {
    /// Lines with counts (a histogram; with time of flight one entry per time bin) and mult and add. A line
    /// of several crystal pairs runs between the means of their ends, as CASToR has it.
    LineData data;
    std::vector<std::array<std::uint32_t, 2>> crystals;  ///< every line's first crystal pair
    Scanner scanner;
    std::string note;  ///< one sentence, or empty
};

/// Reads a histogram, or the lines and mult of a normalisation. `scannerFile` as for list-mode. Rates become
/// counts over the header's duration; bins below zero become zero and are told in the note. The image is
/// defaultLattice()'s. Throws BadInput.
[[nodiscard]] CastorLines readCastorLines(const std::string& path, const std::string& scannerFile);
[[nodiscard]] CastorLines readCastorLines(const CastorHeader& header, const std::string& scannerFile);

/// Writes a data file in CASToR's form: `to` (.cdh) with the events (.cdf) and the crystals (.hscan, .lut)
/// beside it. mult becomes the normalisation factor 1/mult; lines whose mult is 0 are left out, and told in
/// the note that is returned (one sentence or empty). add becomes scatter rates over the duration. Throws
/// CannotWrite, and WrongUse for what CASToR's form cannot hold.
std::string writeCastor(const Destination& to, const SinogramData& data);
/// A histogram for lines with counts, else list-mode.
std::string writeCastor(const Destination& to, const LineData& data);
/// Lines of two panels, with a line in the scanner's header that only this program reads: the scanner as it
/// describes it. Lines whose mult is 0 are left out.
std::string writeCastor(const Destination& to, const PanelData& data);
/// List-mode; throws WrongUse when the list does not describe its scanner.
std::string writeCastor(const Destination& to, const EventList& events);

}  // namespace tof
