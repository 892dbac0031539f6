// SPDX-License-Identifier: Apache-2.0
#include "gpu/lines/device_lines.h"
#include "gpu/lines/line_device.cuh"
#include "tests/gpu/probes/lost_updates.h"

#include <numeric>

namespace tof {

namespace {

constexpr unsigned kThreads = 128;

/// counts[voxel] += 1 for every voxel of every line, by plain read-modify-write as lineBackRacy() does it;
/// *updates = how many there were.
__global__ void __launch_bounds__(kThreads)
    countRacyKernel(device::LinePart part, unsigned* counts, unsigned long long* updates) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    unsigned long long mine = 0;
    device::followDatum(part, i, [&](int voxel, float) {
        counts[voxel] += 1U;
        ++mine;
    });
    atomicAdd(updates, mine);
}

template <typename T>
std::vector<T> fetched(CudaSpace& space, const DeviceBuffer<T>& from) {
    std::vector<T> values(from.size());
    check(cudaMemcpyAsync(values.data(), from.get(), from.bytes(), cudaMemcpyDeviceToHost, space.stream()),
          "fetch counts");
    space.finish();
    return values;
}

}  // namespace

LostUpdates countLostUpdates(const LineModel& model, const std::shared_ptr<Space>& anySpace) {
    auto& space = dynamic_cast<CudaSpace&>(*anySpace);
    const LineTable table(model);
    const DeviceLines lines({model, table, space}, EventOrder::AsTheyCome);
    const auto counts = space.buffer<unsigned>(model.lattice.voxels(), "counts");
    const auto updates = space.buffer<unsigned long long>(1, "updates");
    check(cudaMemsetAsync(counts.get(), 0, counts.bytes(), space.stream()), "clear counts");
    check(cudaMemsetAsync(updates.get(), 0, updates.bytes(), space.stream()), "clear a count");
    for (std::size_t index = 0; index < lines.parts(); ++index) {
        const device::LinePart part = lines.part(index);
        const auto blocks = static_cast<unsigned>((part.data + kThreads - 1) / kThreads);
        countRacyKernel<<<blocks, kThreads, 0, space.stream()>>>(part, counts.get(), updates.get());
        check(cudaGetLastError(), "count racy updates", {part.data});
    }
    const std::vector<unsigned> kept = fetched(space, counts);
    const std::uint64_t all = fetched(space, updates).front();
    return {all, all - std::accumulate(kept.begin(), kept.end(), std::uint64_t{0})};
}

}  // namespace tof
