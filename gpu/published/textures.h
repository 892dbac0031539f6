// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/space/cuda_check.h"
#include "gpu/space/cuda_owned.h"

namespace tof {

/// A 3-D array of floats behind a texture that is zero outside.
class VolumeTexture {
  public:
    VolumeTexture(int nx, int ny, int nz);
    /// Copies a volume [z][y][x].
    void fill(DeviceSpan<const float> from, cudaStream_t stream) const;
    [[nodiscard]] cudaTextureObject_t get() const { return texture_.get(); }
    [[nodiscard]] std::size_t bytes() const {
        return extent_.width * extent_.height * extent_.depth * sizeof(float);
    }

  private:
    cudaExtent extent_;
    OwnedArray array_;
    OwnedTexture texture_;
};

/// A 2-D texture over an id map, rows `pitch` elements apart; 0 outside.
[[nodiscard]] OwnedTexture makeIdTexture(DeviceSpan<const std::int32_t> ids, int nx, int ny, int pitch);

}  // namespace tof
