// SPDX-License-Identifier: Apache-2.0
// The published ways to project, each in a file of its own.
#pragma once

#include <memory>
#include <vector>

#include "gpu/histo/cuda_histo_projector.h"
#include "gpu/panel/panel_strategies.h"
#include "gpu/published/published_kernels.h"

namespace tof {

/// The published kernels on texture memory: a thread per voxel (`tlp`), or 16 voxels per thread (`ilp`).
enum class TextureKernel { Tlp, Ilp };
[[nodiscard]] std::unique_ptr<Projector> makeTextureProjector(const DirectModel& model,
                                                              std::shared_ptr<CudaSpace> space,
                                                              TextureKernel kernel);
/// The kernels of paper 002: lists in shared memory, or a thread per cloud point and reductions.
enum class ListKernel { SharedList, TextureReduce };
[[nodiscard]] std::unique_ptr<Projector> makeListProjector(const DirectModel& model,
                                                           std::shared_ptr<CudaSpace> space,
                                                           ListKernel kernel);
/// Resampling along the view's axes and convolution line by line; approximate, symmetric kernels only.
[[nodiscard]] std::unique_ptr<Projector> makeTwoStageProjector(const DirectModel& model,
                                                               std::shared_ptr<CudaSpace> space);
/// An algorithm of paper 004. `threads`: of a block, a power of two up to 128.
[[nodiscard]] std::unique_ptr<PanelStrategy> makePublishedLines(const PanelModel& model, CudaSpace& space,
                                                                device::Published how, int threads);
/// `lor`, `symmetric` and `symmetric-shared`, with atomic back projection. `threads`: as above.
[[nodiscard]] std::vector<PanelStrategyRow> publishedPanelStrategies(int threads = device::kPublishedThreads);

}  // namespace tof
