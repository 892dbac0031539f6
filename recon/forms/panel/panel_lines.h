// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/forms/form/bin_context.h"

namespace tof {

/// The lines of a scanner of two panels, attenuated as `request` says.
[[nodiscard]] PanelData binPanelLines(const EventList& events, const Scanner& scanner,
                                      const BinRequest& request, const ThreadPool& pool,
                                      WorkProgress& progress);

/// Does so with a list that `sharers` have shares of: the first has the data.
[[nodiscard]] PanelData panelLines(const EventList& events, const Scanner& scanner, const BinContext& context,
                                   Communicator& sharers);

/// Multiplies by the survival that the request names or the data's phantom has.
void attenuatePanels(PanelData& data, const Scanner& scanner, const BinContext& context);

}  // namespace tof
