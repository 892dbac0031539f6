// SPDX-License-Identifier: Apache-2.0
// Histograms of CASToR whose scanner is two panels.
#pragma once

#include <optional>

#include "recon/data/panel_data.h"
#include "recon/io/castor/castor_header.h"
#include "recon/io/format/format.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// The panels of a scanner whose crystals attenuate as the matrix needs to know; nothing for any other.
[[nodiscard]] std::optional<PanelGeometry> castorPanels(const Scanner& scanner);

/// A histogram of `scanner`, whose panels are `geometry`. Lines that the file does not hold get mult 0: they
/// were not measured. Throws BadInput, also for times of flight and events of several crystal pairs.
[[nodiscard]] DataReadResult readCastorPanel(const CastorHeader& header, const Scanner& scanner,
                                             const PanelGeometry& geometry);

}  // namespace tof
