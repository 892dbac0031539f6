// SPDX-License-Identifier: Apache-2.0
// What an engine offers that warps images where they lie.
#pragma once

#include <memory>

#include "recon/joined/warp.h"
#include "recon/seam/space.h"

namespace tof {

/// Warps of images in one space, by one thread. The same bits every time.
class DeviceWarps {
  public:
    DeviceWarps() = default;
    DeviceWarps(const DeviceWarps&) = delete;
    DeviceWarps& operator=(const DeviceWarps&) = delete;
    virtual ~DeviceWarps() = default;
    /// y = W x. Warps outlive this.
    virtual void apply(const Warp& warp, ConstView x, MutableView y) = 0;
    /// x = W^T y, or x += W^T y.
    virtual void transpose(const Warp& warp, ConstView y, MutableView x, Write write) = 0;
};

class WarpsImages {
  public:
    WarpsImages() = default;
    WarpsImages(const WarpsImages&) = delete;
    WarpsImages& operator=(const WarpsImages&) = delete;
    virtual ~WarpsImages() = default;
    /// `space` comes from this engine. Throws Unavailable where memory does not suffice, then or when used.
    [[nodiscard]] virtual std::unique_ptr<DeviceWarps> warps(const std::shared_ptr<Space>& space) const = 0;
};

}  // namespace tof
