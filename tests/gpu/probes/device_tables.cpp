// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/probes/device_tables.h"

#include "gpu/histo/histo_tables.h"

namespace tof {

namespace {

template <typename T>
std::vector<std::remove_const_t<T>> fetched(CudaSpace& space, DeviceSpan<T> from) {
    std::vector<std::remove_const_t<T>> values(from.size());
    check(cudaMemcpyAsync(values.data(), from.get(), from.size() * sizeof(T), cudaMemcpyDeviceToHost,
                          space.stream()),
          "fetch a table", {from.size()});
    space.finish();
    return values;
}

std::vector<std::int32_t> withoutPadding(const std::vector<std::int32_t>& ids, std::size_t pitch,
                                         const Lattice& lattice) {
    std::vector<std::int32_t> result;
    for (std::size_t y = 0; y < static_cast<std::size_t>(lattice.size[1]); ++y) {
        const auto row = ids.begin() + static_cast<std::ptrdiff_t>(y * pitch);
        result.insert(result.end(), row, row + lattice.size[0]);
    }
    return result;
}

}  // namespace

std::vector<DeviceTables> probeDeviceTables(const DirectModel& model) {
    CudaSpace space(std::make_shared<CudaDevice>(0), 0, 1);
    HistoTables tables(model, kernelFrames(model, space), space);
    HistoTables::Layout layout;
    std::size_t all = 0;
    for (std::size_t v = 0; v < model.views.size(); ++v) {
        layout.begin.push_back(all);
        layout.rowStride.push_back(tables.tapCount(v));
        layout.tapStride.push_back(1);
        all += tables.taps(v).size() * static_cast<std::size_t>(tables.rows(v));
    }
    const auto values = space.buffer<float>(all, "the kernel values");
    tables.computeValues(layout, values.span());
    std::vector<DeviceTables> result;
    for (std::size_t v = 0; v < model.views.size(); ++v) {
        DeviceTables mine;
        mine.ids = withoutPadding(fetched(space, tables.ids(v)), static_cast<std::size_t>(tables.idPitch()),
                                  model.lattice);
        for (const device::Tap& tap : fetched(space, tables.taps(v))) {
            mine.taps.push_back({tap.x, tap.y, tap.z});
        }
        mine.values =
            fetched(space, values.span().part(layout.begin[v], tables.taps(v).size() *
                                                                   static_cast<std::size_t>(tables.rows(v))));
        result.push_back(std::move(mine));
    }
    return result;
}

}  // namespace tof
