// SPDX-License-Identifier: Apache-2.0
#include "gpu/table_probe.h"

#include "gpu/histo/histo_tables.h"

namespace tof {

std::vector<DeviceTables> probeDeviceTables(const DirectModel& model) {
    CudaSpace space(std::make_shared<CudaDevice>(0), 0, 1);
    HistoTables tables(model, space);
    HistoTables::Layout layout;
    std::size_t all = 0;
    for (std::size_t v = 0; v < model.views.size(); ++v) {
        layout.begin.push_back(all);
        layout.rowStride.push_back(tables.frame(v).taps);
        layout.tapStride.push_back(1);
        all +=
            static_cast<std::size_t>(tables.frame(v).taps) * static_cast<std::size_t>(tables.frame(v).rows);
    }
    Array values = space.allocate(all);
    tables.computeValues(layout, device::ValueForm::Float, values.view().data);
    std::vector<float> host(all);
    space.download(values.view(), host);
    const std::vector<device::Tap> taps = tables.downloadTaps();
    std::vector<DeviceTables> result;
    for (std::size_t v = 0; v < model.views.size(); ++v) {
        const device::ViewFrame& frame = tables.frame(v);
        DeviceTables mine;
        mine.ids = tables.downloadIds(v);
        for (std::size_t t = frame.tapBegin; t < frame.tapBegin + static_cast<std::size_t>(frame.taps); ++t) {
            mine.taps.push_back({taps[t].x, taps[t].y, taps[t].z});
        }
        const auto begin = host.begin() + static_cast<std::ptrdiff_t>(layout.begin[v]);
        mine.values.assign(begin, begin + static_cast<std::ptrdiff_t>(frame.taps) * frame.rows);
        result.push_back(std::move(mine));
    }
    return result;
}

}  // namespace tof
