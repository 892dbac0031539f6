// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "gpu/lines/device_lines.h"
#include "gpu/space/cuda_space.h"
#include "tests/gpu/probes/lost_updates.h"
#include "tests/gpu/probes/racy_counts.h"

namespace tof {

namespace {

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
        device::countRacy(space.stream(), part, counts.get(), updates.get());
    }
    const std::vector<unsigned> kept = fetched(space, counts);
    const std::uint64_t all = fetched(space, updates).front();
    return {all, all - std::accumulate(kept.begin(), kept.end(), std::uint64_t{0})};
}

}  // namespace tof
