// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/panel/panel_lines.h"

#include "recon/binning/panel_binning.h"
#include "recon/forms/form/join_counts.h"
#include "recon/forms/form/list_cut.h"

namespace tof {

void attenuatePanels(PanelData& data, const Scanner& scanner, const BinContext& context) {
    if (const std::optional<Volume> mu = context.attenuation(data.phantom)) {
        attenuatePanel(data, scanner, *mu, context.pool(), context.progress().begin("attenuation"));
    }
}

PanelData panelLines(const EventList& events, const Scanner& scanner, const BinContext& context,
                     Communicator& sharers) {
    std::vector<std::uint32_t> cells;
    PanelData data = binPanel(events, scanner, context.request().cut() ? &cells : nullptr);
    joinCounts(sharers, data);
    if (context.request().cut()) {  // of one process, as its format cannot be read in parts
        cutCells(context, events.time_ms, cells, data);
    }
    if (context.first()) {
        attenuatePanels(data, scanner, context);
    }
    return data;
}

PanelData binPanelLines(const EventList& events, const Scanner& scanner, const BinRequest& request,
                        const ThreadPool& pool, WorkProgress& progress) {
    return panelLines(events, scanner, BinContext(request, pool, progress), *communicatorOfOne());
}

}  // namespace tof
