// SPDX-License-Identifier: Apache-2.0
// The three published ways through a stored system matrix (paper 004, algorithms 1 to 3), forward and atomic
// back: launchers, callable from plain C++, which return without waiting.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/panel/panel_work.h"
#include "gpu/space/device_span.h"

namespace tof::device {

/// `lor`: a block per line. `symmetric`: a block for the lines that signs make of one, an entry is read once
/// for all of them; both leave a thread's sum in device memory, where the first thread adds them up.
/// `symmetric-shared`: sums in shared memory, added as a tree; the image is a texture.
enum class Published { Lor, Symmetric, SymmetricShared };

/// Threads of a block that the paper compares with one.
inline constexpr int kPublishedThreads = 128;
/// Blocks that take turns at the shifts of a class, or of an orientation.
inline constexpr int kPublishedBlocks = 256;

/// One part; all device memory.
struct PublishedPart {
    PanelLayout layout;
    DeviceSpan<const PanelOrientation> orientations;
    DeviceSpan<const std::uint32_t> places;  ///< PanelPlace, of the matrix as it is stored
    DeviceSpan<const float> values;
    DeviceSpan<float> sums;  ///< publishedSums() floats; not for SymmetricShared
    int threads = kPublishedThreads;
};
/// Floats that a part of so many orientations leaves its sums in.
[[nodiscard]] std::size_t publishedSums(Published how, std::size_t orientations);

/// p = F x; `measured` empty, or what was measured: lines without counts are left out and become 0. `texture`
/// holds the image for SymmetricShared.
void publishedForward(cudaStream_t stream, Published how, const PublishedPart& part,
                      DeviceSpan<const float> image, cudaTextureObject_t texture,
                      DeviceSpan<const float> measured, DeviceSpan<float> p);
/// x += F^T p by atomic additions of floats; lines whose p is 0 are left out.
void publishedBack(cudaStream_t stream, Published how, const PublishedPart& part, DeviceSpan<const float> p,
                   DeviceSpan<float> image);

/// For figures of their resources.
[[nodiscard]] const void* publishedForwardFunction(Published how);
[[nodiscard]] const void* publishedBackFunction(Published how);

}  // namespace tof::device
