// SPDX-License-Identifier: Apache-2.0
#include "gpu/published/textures.h"

namespace tof {

namespace {

OwnedTexture makeTexture(const cudaResourceDesc& resource) {
    cudaTextureDesc how{};
    for (cudaTextureAddressMode& mode : how.addressMode) {
        mode = cudaAddressModeBorder;
    }
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    check(cudaCreateTextureObject(&texture, &resource, &how, nullptr), "create a texture");
    return OwnedTexture(texture);
}

}  // namespace

VolumeTexture::VolumeTexture(int nx, int ny, int nz)
    : extent_{static_cast<std::size_t>(nx), static_cast<std::size_t>(ny), static_cast<std::size_t>(nz)} {
    const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t array = nullptr;
    check(cudaMalloc3DArray(&array, &format, extent_, 0), "allocate a 3-D texture",
          {extent_.width, extent_.height, extent_.depth});
    array_ = OwnedArray(array);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    texture_ = makeTexture(resource);
}

void VolumeTexture::fill(DeviceSpan<const float> from, cudaStream_t stream) const {
    cudaMemcpy3DParms copy{};
    // The runtime does not write through the source pointer; its type only lacks the const.
    copy.srcPtr = {const_cast<float*>(from.get()), extent_.width * sizeof(float), extent_.width,
                   extent_.height};
    copy.dstArray = array_.get();
    copy.extent = extent_;
    copy.kind = cudaMemcpyDeviceToDevice;
    check(cudaMemcpy3DAsync(&copy, stream), "copy a volume into a texture",
          {extent_.width, extent_.height, extent_.depth});
}

OwnedTexture makeIdTexture(DeviceSpan<const std::int32_t> ids, int nx, int ny, int pitch) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<std::int32_t*>(ids.get());
    resource.res.pitch2D.desc = {32, 0, 0, 0, cudaChannelFormatKindSigned};
    resource.res.pitch2D.width = static_cast<std::size_t>(nx);
    resource.res.pitch2D.height = static_cast<std::size_t>(ny);
    resource.res.pitch2D.pitchInBytes = static_cast<std::size_t>(pitch) * sizeof(std::int32_t);
    return makeTexture(resource);
}

}  // namespace tof
