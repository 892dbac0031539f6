// SPDX-License-Identifier: Apache-2.0
#include "gpu/cufft/cufft_filter.h"

#include "gpu/cufft/cufft_plans.h"
#include "recon/systems/histo/fourier_grid.h"

namespace tof {

namespace {

class CufftFilter : public ImageFilter {
  public:
    CufftFilter(CudaSpace& space, const Blur& blur)
        : space_(space),
          grid_{filterGrid(blur.size)},
          shape_(gridPair(blur.size, grid_.size)),
          plans_(CufftLibrary::open(), space, grid_.size),
          real_(space.buffer<float>(grid_.reals(), "the grid of a filter")),
          pairs_(space.buffer<float2>(grid_.pairs(), "the transform of a filter")),
          factors_(space.buffer<float>(grid_.pairs(), "the factors of a filter")) {
        device::InverseShape inverse{{}, {}, blur.steps, grid_.scale()};
        std::copy(grid_.size.begin(), grid_.size.end(), inverse.grid);
        std::copy(blur.sigma.begin(), blur.sigma.end(), inverse.sigma);
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
    void transform(ConstView image) {
        device::padToGrid(space_.launch(), onDevice(image), shape_, real_.span());
        plans_.forward(real_.get(), pairs_.get());
    }

    CudaSpace& space_;
    FourierGrid grid_;
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
