// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/fourier_grid.h"

namespace tof {

std::size_t FourierGrid::place(KernelTap tap) const {
    const auto at = [&](int offset, std::size_t d) {
        return static_cast<std::size_t>(wrappedIndex(offset, size[d]));
    };
    const std::size_t line = at(tap.z, 2) * static_cast<std::size_t>(size[1]) + at(tap.y, 1);
    return line * static_cast<std::size_t>(size[0]) + at(tap.x, 0);
}

SampledKernel sampledKernel(const DirectModel& model, const View& view) {
    // One row suffices: every row of an invariant kernel is the same.
    Lattice pixel = model.lattice;
    pixel.size = {1, 1, 1};
    pixel.origin_mm = {0, 0, 0};
    const KernelTables tables = buildKernelTables(model.kernel, pixel, view);
    const auto row = tables.row(0);
    return {tables.taps, {row.begin(), row.end()}};
}

std::vector<SampledKernel> sampledKernels(const DirectModel& model, const ThreadPool& pool) {
    std::vector<SampledKernel> all(model.views.size());
    pool.forRange(all.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            all[v] = sampledKernel(model, model.views[v]);
        }
    });
    return all;
}

GridValues gridValues(const FourierGrid& grid, const std::vector<KernelTap>& taps,
                      std::span<const float> values) {
    std::vector<std::uint32_t> places(taps.size());
    std::transform(taps.begin(), taps.end(), places.begin(),
                   [&](KernelTap tap) { return static_cast<std::uint32_t>(grid.place(tap)); });
    GridValues result;
    result.places = places;
    std::sort(result.places.begin(), result.places.end());
    result.places.erase(std::unique(result.places.begin(), result.places.end()), result.places.end());
    const std::size_t terms = values.size() / taps.size();
    const std::size_t n = result.places.size();
    result.values.resize(terms * n);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto found = std::lower_bound(result.places.begin(), result.places.end(), places[i]);
        const auto at = static_cast<std::size_t>(found - result.places.begin());
        for (std::size_t term = 0; term < terms; ++term) {
            result.values[term * n + at] += values[term * places.size() + i];
        }
    }
    return result;
}

void fillAnalytic(const DirectModel& model, const View& view, const FourierGrid& grid, const ThreadPool& pool,
                  std::span<float> spectrum) {
    const AnalyticSpectrum analytic(model.kernel, model.lattice, view, grid.size);
    const int half = grid.size[0] / 2 + 1;
    const float scale = grid.scale();
    pool.forRange(grid.lines(), 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t line = begin; line < end; ++line) {
            const int ky = static_cast<int>(line) % grid.size[1];
            const int kz = static_cast<int>(line) / grid.size[1];
            float* const out = spectrum.data() + line * static_cast<std::size_t>(half);
            for (int kx = 0; kx < half; ++kx) {
                out[kx] = scale * static_cast<float>(analytic.at(kx, ky, kz));
            }
        }
    });
}

}  // namespace tof
