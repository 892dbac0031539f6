// SPDX-License-Identifier: Apache-2.0
// A block per plane of a kernel, a warp per y; each value is the host's own function, in double. Half a warp
// takes one of the points along y, whose rays lie in shared memory, and its lanes the points along z of those
// voxels that the rays may reach.
#include "gpu/panel/matrix_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_matrix_kernels {

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / kWarp;
constexpr int kHalf = kWarp / 2;  ///< lanes; at least as many as points along z, 16
static_assert(kHalf >= 16);

/// The voxels of one y of a slab, by a warp.
class SlabRow {
  public:
    __device__ SlabRow(const PanelVoxels& voxels, const PanelPair& pair, const MatrixSlab& slab,
                       PanelRays* rays, int y, float* to)
        : voxels_(voxels),
          pair_(pair),
          slab_(slab),
          rays_(rays),
          lane_(static_cast<int>(threadIdx.x) % kWarp),
          half_(lane_ / kHalf),
          y_(y),
          to_(to + y) {}

    __device__ void fill() {
        for (int z = lane_; z < slab_.countZ; z += kWarp) {
            to_[z * slab_.countY] = 0;
        }
        const int pointsY = voxels_.alongY[slab_.nearY].count;
        for (int i = 0; i < voxels_.alongX.count; ++i) {
            for (int j = 0; j < pointsY; j += 2) {
                addTwo(i, j + half_, j + half_ < pointsY);
            }
        }
    }

  private:
    /// Point j of this half of the warp, where it has one.
    __device__ void addTwo(int i, int j, bool has) {
        __syncwarp();
        if (has && lane_ % kHalf == 0) {
            panelVoxelRays(pair_, voxels_, slab_, i, j, slab_.firstY + y_, rays_[half_]);
        }
        __syncwarp();
        PanelStrip strip;
        if (has) {
            strip = panelVoxelStrip(pair_, voxels_, slab_, i, rays_[half_]);
        }
        const int points = voxels_.alongZ[slab_.nearZ].count;
        const int atOnce = kHalf / points;
        const int mine = lane_ % kHalf;
        for (int z0 = strip.first; __any_sync(kAllLanes, z0 <= strip.last); z0 += atOnce) {
            const int z = z0 + mine / points;
            const bool active = mine < atOnce * points && z <= strip.last;
            const double share =
                active ? panelPointShare(pair_, voxels_, slab_, i, mine % points, z, rays_[half_]) : 0;
            double mean = 0;
            for (int k = 0; k < points; ++k) {  // in the host's order
                mean += __shfl_sync(kAllLanes, share, lane_ + k);
            }
            for (int half = 0; half < 2; ++half) {
                __syncwarp();
                if (active && mine % points == 0 && half_ == half) {
                    to_[(z - slab_.firstZ) * slab_.countY] += panelVoxelShare(voxels_, slab_, i, j, mean);
                }
            }
        }
    }

    const PanelVoxels& voxels_;
    const PanelPair& pair_;
    const MatrixSlab& slab_;
    PanelRays* rays_;  ///< those of both halves
    int lane_;
    int half_;
    int y_;
    float* to_;  ///< value of z = 0
};

__global__ void __launch_bounds__(kThreads)
    slabKernel(const __grid_constant__ PanelVoxels voxels, const PanelPair* pairs, const MatrixSlab* slabs,
               float* values) {
    __shared__ PanelRays sm_rays[kWarps][2];
    const MatrixSlab slab = slabs[blockIdx.x];
    const PanelPair pair = pairs[slab.kernel];
    float* const to = values + (slab.offset - slabs[0].offset);
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    for (int y = warp; y < slab.countY; y += kWarps) {
        SlabRow(voxels, pair, slab, sm_rays[warp], y, to).fill();
    }
}

}  // namespace in_matrix_kernels
using namespace in_matrix_kernels;

void fillSlabs(cudaStream_t stream, const PanelVoxels& voxels, DeviceSpan<const PanelPair> pairs,
               DeviceSpan<const MatrixSlab> slabs, DeviceSpan<float> values) {
    slabKernel<<<static_cast<unsigned>(slabs.size()), kThreads, 0, stream>>>(voxels, pairs.get(), slabs.get(),
                                                                             values.get());
    checkLaunch("panel matrix");
}

}  // namespace tof::device
