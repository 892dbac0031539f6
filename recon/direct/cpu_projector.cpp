// SPDX-License-Identifier: Apache-2.0
#include "recon/direct/cpu_projector.h"

#include <algorithm>

namespace tof {

CpuProjector::CpuProjector(const DirectModel& model, std::shared_ptr<HostSpace> space)
    : model_(model), space_(std::move(space)) {
    tables_.reserve(model_.views.size());
    for (const View& view : model_.views) {
        tables_.push_back(buildKernelTables(model_.kernel, model_.lattice, view));
    }
}

std::size_t CpuProjector::memoryBytes() const {
    std::size_t bytes = 0;
    for (const KernelTables& t : tables_) {
        bytes +=
            t.values.size() * sizeof(float) + t.taps.size() * sizeof(KernelTap) + t.ids.size() * sizeof(int);
    }
    return bytes;
}

void CpuProjector::forward(std::size_t part, ConstView x, MutableView p) {
    const KernelTables& t = tables_[part];
    const Lattice& grid = model_.lattice;
    const auto rows = static_cast<std::size_t>(grid.size[1]) * static_cast<std::size_t>(grid.size[2]);
    space_->pool().forRange(rows, 1, [&](std::size_t row, std::size_t) {
        const int z = static_cast<int>(row) / grid.size[1];
        const int y = static_cast<int>(row) % grid.size[1];
        float* const out = p.data + grid.index(0, y, z);
        std::fill(out, out + grid.size[0], 0.0F);
        for (std::size_t i = 0; i < t.taps.size(); ++i) {
            const KernelTap m = t.taps[i];
            const int sy = y - m.y;
            const int sz = z - m.z;
            if (sy < 0 || sz < 0 || sy >= grid.size[1] || sz >= grid.size[2]) {
                continue;
            }
            const int end = std::min(grid.size[0], grid.size[0] + m.x);
            const float* const source = x.data + grid.index(0, sy, sz);
            const std::int32_t* const ids = t.ids.data() + grid.index(0, sy, 0);
            for (int c = std::max<int>(0, m.x); c < end; ++c) {
                out[c] += t.row(ids[c - m.x])[i] * source[c - m.x];
            }
        }
    });
}

void CpuProjector::back(std::size_t part, ConstView p, MutableView x, Write write) {
    const KernelTables& t = tables_[part];
    const Lattice& grid = model_.lattice;
    const auto rows = static_cast<std::size_t>(grid.size[1]) * static_cast<std::size_t>(grid.size[2]);
    space_->pool().forRange(rows, 1, [&](std::size_t row, std::size_t) {
        const int z = static_cast<int>(row) / grid.size[1];
        const int y = static_cast<int>(row) % grid.size[1];
        float* const out = x.data + grid.index(0, y, z);
        if (write == Write::Overwrite) {
            std::fill(out, out + grid.size[0], 0.0F);
        }
        const std::int32_t* const ids = t.ids.data() + grid.index(0, y, 0);
        for (std::size_t i = 0; i < t.taps.size(); ++i) {
            const KernelTap m = t.taps[i];
            const int sy = y + m.y;
            const int sz = z + m.z;
            if (sy < 0 || sz < 0 || sy >= grid.size[1] || sz >= grid.size[2]) {
                continue;
            }
            const int end = std::min(grid.size[0], grid.size[0] - m.x);
            const float* const source = p.data + grid.index(0, sy, sz);
            for (int c = std::max<int>(0, -m.x); c < end; ++c) {
                out[c] += t.row(ids[c])[i] * source[c + m.x];
            }
        }
    });
}

}  // namespace tof
