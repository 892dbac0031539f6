// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/data/panel_data.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Counts the events of two panels by their lines. The share of photons that such a scanner records goes into
/// the geometry's efficiency (recordedShare). Throws WrongUse for any other scanner.
[[nodiscard]] PanelData binPanel(const EventList& events, const Scanner& scanner);

/// Multiplies mult by the share of pairs that survive `mu` (1/mm) between the reference points of the
/// crystals. `progress` gets the share done and may throw Cancelled.
void attenuatePanel(PanelData& data, const Scanner& scanner, const Volume& mu, const ThreadPool& pool,
                    const std::function<void(double)>& progress);

}  // namespace tof
