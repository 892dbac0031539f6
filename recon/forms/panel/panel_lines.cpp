// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/panel/panel_lines.h"

#include "recon/binning/panel_binning.h"
#include "recon/forms/form/join_counts.h"
#include "recon/forms/form/list_cut.h"

namespace tof {

PanelData panelLines(const EventList& events, const Scanner& scanner, const BinContext& context,
                     Communicator& sharers) {
    std::vector<std::uint32_t> cells;
    PanelData data = binPanel(events, scanner, context.request().cut() ? &cells : nullptr);
    joinCounts(sharers, data);
    cutShares(context, sharers, events.time_ms, std::move(cells), data);
    const std::optional<Volume> mu = context.first() ? context.attenuation(data.phantom) : std::nullopt;
    if (mu) {
        attenuatePanel(data, scanner, *mu, context.pool(), context.progress().begin("attenuation"));
    }
    return data;
}

PanelData binPanelLines(const EventList& events, const Scanner& scanner, const BinRequest& request,
                        const ThreadPool& pool, WorkProgress& progress) {
    return panelLines(events, scanner, BinContext(request, pool, progress), *communicatorOfOne());
}

}  // namespace tof
