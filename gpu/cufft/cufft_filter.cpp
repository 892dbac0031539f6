// SPDX-License-Identifier: Apache-2.0
#include "gpu/cufft/cufft_filter.h"

#include "gpu/cufft/cufft_kernels.h"
#include "gpu/cufft/cufft_plans.h"

namespace tof {

namespace {

class CufftFilter : public ImageFilter {
  public:
    CufftFilter(CudaSpace& space, const Blur& blur)
        : space_(space),
          grid_(filterGrid(blur.size)),
          plans_(CufftLibrary::open(), space, grid_),
          real_(space.buffer<float>(count(grid_[0]), "the grid of a filter")),
          pairs_(space.buffer<float2>(count(grid_[0] / 2 + 1), "the transform of a filter")),
          factors_(space.buffer<float>(count(grid_[0] / 2 + 1), "the factors of a filter")) {
        device::InverseShape inverse{{}, {}, blur.steps, 1.0F / static_cast<float>(count(grid_[0]))};
        for (std::size_t d = 0; d < grid_.size(); ++d) {
            shape_.size[d] = blur.size[d];
            shape_.grid[d] = inverse.grid[d] = grid_[d];
            inverse.sigma[d] = blur.sigma[d];
        }
        transform(blur.response);
        device::invertPairs(space.launch(), pairs_.span(), inverse, factors_.span());
    }

    void apply(MutableView image) override {
        transform(image);
        device::filterPairs(space_.launch(), factors_.span(), pairs_.span());
        plans_.backward(pairs_.get(), real_.get());
        device::cropFromGrid(space_.launch(), real_.span(), {}, shape_, onDevice(image), Write::Overwrite);
    }

  private:
    /// What the grid has where its side along x is `x`.
    [[nodiscard]] std::size_t count(int x) const {
        return static_cast<std::size_t>(x) * static_cast<std::size_t>(grid_[1]) *
               static_cast<std::size_t>(grid_[2]);
    }

    void transform(ConstView image) {
        device::padToGrid(space_.launch(), onDevice(image), shape_, real_.span());
        plans_.forward(real_.get(), pairs_.get());
    }

    CudaSpace& space_;
    std::array<int, 3> grid_;
    device::GridPair shape_;
    CufftPlans plans_;
    DeviceBuffer<float> real_;
    DeviceBuffer<float2> pairs_;
    DeviceBuffer<float> factors_;
};

}  // namespace

std::unique_ptr<ImageFilter> FilteringCudaSpace::inverseFilter(const Blur& blur) {
    return std::make_unique<CufftFilter>(*this, blur);
}

}  // namespace tof
