// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/probes/floor_shares.h"

#include "gpu/space/cuda_space.h"

namespace tof {

std::vector<float> discrepancyInShares(const std::shared_ptr<Space>& space, const FloorData& data,
                                       Discrepancy kind, const std::vector<std::size_t>& cuts) {
    auto& cuda = dynamic_cast<CudaSpace&>(*space);
    const auto sent = [&](const std::vector<float>& values) {
        Array array = cuda.allocate(values.size());
        cuda.upload(values, array.view());
        return array;
    };
    const Array y = sent(data.y);
    const Array mult = sent(data.mult);
    const Array add = sent(data.add);
    Array p = sent(data.p);
    const auto viewOf = [](const Array& array, std::size_t begin, std::size_t end) {
        return array.size() == 0 ? ConstView{} : array.view().part(begin, end - begin);
    };
    const DeviceBuffer<float2> shares = cuda.buffer<float2>(cuts.size(), "shares");
    std::size_t begin = 0;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const PartData piece{viewOf(y, begin, cuts[i]), viewOf(mult, begin, cuts[i]),
                             viewOf(add, begin, cuts[i])};
        const device::FloorParts left =
            cuts[i] > begin ? cuda.openDiscrepancy(piece, kind, p.view().part(begin, cuts[i] - begin))
                            : device::FloorParts{};
        device::joinFloor(cuda.launch(), left, static_cast<double>(data.y.size()), shares.get() + i);
        begin = cuts[i];
    }
    cuda.closeDiscrepancy({y.view(), viewOf(mult, 0, mult.size()), {}}, kind,
                          {shares.get(), static_cast<unsigned>(cuts.size())}, p.view());
    std::vector<float> result(data.p.size());
    cuda.download(p.view(), result);
    return result;
}

}  // namespace tof
