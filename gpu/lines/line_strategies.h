// SPDX-License-Identifier: Apache-2.0
// How the lines of a model are projected on a card: one class per way, each in a file of its own.
#pragma once

#include <cstddef>
#include <memory>

#include "gpu/lines/line_part.h"
#include "gpu/space/cuda_space.h"
#include "gpu/space/cuda_strategy.h"
#include "gpu/space/device_span.h"
#include "recon/seam/space.h"
#include "recon/systems/lines/line_model.h"
#include "recon/systems/lines/line_table.h"

namespace tof {

/// Both maps of a model's parts, without the blur of its image. Work is queued on the stream of the space
/// that it was made for, which outlives it.
class LineStrategy {
  public:
    LineStrategy() = default;
    virtual ~LineStrategy() = default;
    LineStrategy(const LineStrategy&) = delete;
    LineStrategy& operator=(const LineStrategy&) = delete;

    virtual void forward(std::size_t part, DeviceSpan<const float> image, DeviceSpan<float> p) = 0;
    virtual void back(std::size_t part, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) = 0;
    /// Projector::recordable()
    [[nodiscard]] virtual bool recordable() const { return true; }
    /// Device memory in use.
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// What strategies are made from; all of it outlives them.
struct LineWork {
    const LineModel& model;
    const LineTable& lines;
    CudaSpace& space;
};

/// A row: what a strategy's name stands for.
struct LineStrategyRow : CudaStrategy {
    RayMethod method = RayMethod::Siddon;
    std::unique_ptr<LineStrategy> (*make)(const LineWork&) = nullptr;
};

/// Atomic additions of floats; events in single precision where the image is small enough.
[[nodiscard]] std::unique_ptr<LineStrategy> makeAtomicLines(const LineWork& work);
/// Sums in fixed point: the same bits every time. By the fastest of the ways below that serves the model.
[[nodiscard]] std::unique_ptr<LineStrategy> makeFixedLines(const LineWork& work);

/// A kernel that queues image += F^T p.
using PlainBack = void (*)(cudaStream_t, const device::LinePart&, DeviceSpan<const float> p,
                           DeviceSpan<float> image);
/// Straight into the image, in double precision.
[[nodiscard]] std::unique_ptr<LineStrategy> makePlainLines(const LineWork& work, PlainBack back);

// Ways for some models only; null for others.

/// Michelograms whose planes share their transverse paths, if the tables fit a quarter of the free memory.
[[nodiscard]] std::unique_ptr<LineStrategy> makeStackLines(const LineWork& work);
/// Lists that device memory has room for, by pieces of events in tiles of the image.
[[nodiscard]] std::unique_ptr<LineStrategy> makeTileLines(const LineWork& work);
/// Lists of any length, by the same, brought part by part.
[[nodiscard]] std::unique_ptr<LineStrategy> makeStreamedLines(const LineWork& work);
/// Michelograms, by the single-precision paths of events.
[[nodiscard]] std::unique_ptr<LineStrategy> makeBinLines(const LineWork& work);
/// Lists, by atomic additions to squares of 2 x 2 columns.
[[nodiscard]] std::unique_ptr<LineStrategy> makeBrickLines(const LineWork& work);

}  // namespace tof
