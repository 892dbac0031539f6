// SPDX-License-Identifier: Apache-2.0
// In place of the stream kernels where the toolkit cannot build for sm_90a.
#include "gpu/histo/stream_kernels.h"
#include "recon/base/error.h"

namespace tof::device {

namespace {

[[noreturn]] void refuse() {
    throw InternalError("the stream kernels were not built");
}

}  // namespace

bool streamBuilt() {
    return false;
}
int streamPlanes(int /*nz*/) {
    return 0;
}
int streamGroups(int /*planes*/) {
    return 0;
}
std::size_t streamSharedLimit(const cudaDeviceProp& /*card*/) {
    return 0;
}
void prepareStream(std::size_t /*sharedBytes*/) {
    refuse();
}
void scaleRadial(cudaStream_t /*stream*/, DeviceSpan<float> /*radial*/, DeviceSpan<const float> /*scale*/) {
    refuse();
}
void listSourceRows(cudaStream_t /*stream*/, const StreamView& /*view*/, const int (&/*size*/)[3],
                    DeviceSpan<std::uint16_t> /*rows*/) {
    refuse();
}
void splitForStream(Launch /*launch*/, const StreamWork& /*work*/, int /*planes*/) {
    refuse();
}
void projectStream(Launch /*launch*/, const StreamWork& /*work*/, int /*planes*/, std::size_t /*sharedBytes*/,
                   int /*blocks*/, Gather /*gather*/) {
    refuse();
}
const void* streamFunction(Gather /*gather*/) {
    refuse();
}
int streamThreads() {
    refuse();
}

}  // namespace tof::device
