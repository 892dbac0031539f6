// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "recon/seam/engine.h"
#include "recon/seam/host_space.h"
#include "recon/systems/lines/line_blur.h"
#include "recon/systems/lines/line_table.h"
#include "recon/systems/lines/line_walk.h"
#include "recon/systems/lines/stack_cpu.h"

namespace tof {

/// Lines of response on host threads. Planes that share their transverse paths are left to StackCpu; else
/// back projection fills a fixed number of partial images, each from a fixed range of the data, and adds them
/// in order: the same bits for any number of threads.
class CpuLineProjector : public Projector {
  public:
    CpuLineProjector(const LineModel& model, std::shared_ptr<HostSpace> space);

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t imageSize() const override { return model_.lattice.voxels(); }
    [[nodiscard]] std::size_t parts() const override { return lines_.parts(); }
    [[nodiscard]] std::size_t dataSize(std::size_t part) const override { return lines_.partSize(part); }
    [[nodiscard]] std::size_t memoryBytes() const override;
    void forward(std::size_t part, ConstView x, MutableView p) override;
    void back(std::size_t part, ConstView p, MutableView x, Write write) override;

  private:
    void backSharp(std::size_t part, ConstView p, Write write, float* target);
    void pad(const float* image);
    void scatter(std::size_t part, ConstView p, std::size_t chunk);
    [[nodiscard]] std::size_t chunkLimit(std::size_t part, std::size_t chunk) const;

    LineModel model_;
    std::shared_ptr<HostSpace> space_;
    LineTable lines_;
    LineWalk walk_;
    std::optional<StackCpu> stack_;
    std::size_t chunks_;
    Array partial_;  ///< [chunk][voxel with margin]; what back projection adds up, then for the blur
    Array padded_;   ///< the image to project with its margin; empty where planes share their paths
    std::optional<LineBlur> blur_;
    Array blurred_;
    Array blurScratch_;
};

/// The cpu engine's projector for this system. Strategies: `siddon`, `joseph`; none: the model's method.
[[nodiscard]] ProjectorOrWhyNot makeCpuProjector(const LineModel& model, std::shared_ptr<HostSpace> space,
                                                 const EngineOptions& options);

}  // namespace tof
