// SPDX-License-Identifier: Apache-2.0
// The `stream` strategy on the warpgroup matrix instructions of compute capability 9.0 (stream_plan.h says
// how it works). They exist on that architecture alone, so its kernels are a library of their own; where the
// toolkit cannot build it, streamBuilt() is false and nothing else may be called.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/histo/stream_work.h"
#include "gpu/space/element_kernels.h"

namespace tof::device {

[[nodiscard]] bool streamBuilt();
/// Planes of a window that there are kernels for, for nz planes, and groups of a block with them.
[[nodiscard]] int streamPlanes(int nz);
[[nodiscard]] int streamGroups(int planes);
/// Shared memory that a block can be given for its stages and lists, on a card.
[[nodiscard]] std::size_t streamSharedLimit(const cudaDeviceProp& card);
/// Lets the kernels use that much. To be called once per device before the first launch.
void prepareStream(std::size_t sharedBytes);
/// Multiplies every row of a view's radial factors, which hold table values, by place.
void scaleRadial(cudaStream_t stream, DeviceSpan<float> radial, DeviceSpan<const float> scale);
/// Fills a view's sourceRows. `size`: of the lattice.
void listSourceRows(cudaStream_t stream, const StreamView& view, const int (&size)[3],
                    DeviceSpan<std::uint16_t> rows);
/// Splits work.from into work.image.
void splitForStream(Launch launch, const StreamWork& work, int planes);
/// One block per multiprocessor.
void projectStream(Launch launch, const StreamWork& work, int planes, std::size_t sharedBytes, int blocks,
                   Gather gather);
[[nodiscard]] const void* streamFunction(Gather gather);
[[nodiscard]] int streamThreads();

}  // namespace tof::device
