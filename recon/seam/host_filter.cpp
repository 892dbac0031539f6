// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "recon/base/error.h"
#include "recon/seam/host_space.h"
#include "recon/seam/image_filter.h"

namespace tof {

namespace {

class HostFilter : public ImageFilter {
  public:
    HostFilter(HostSpace& space, const Blur& blur)
        : pool_(space.pool()),
          size_(blur.size),
          grid_(filterGrid(blur.size)),
          transform_(grid_, pool_),
          real_(space.allocate(transform_.reals())),
          pairs_(space.allocate(2 * transform_.pairs())),
          factors_(space.allocate(transform_.pairs())) {
        transform(blur.response);
        const float all = std::abs(spectrum()[0]);
        const auto half = static_cast<std::size_t>(grid_[0] / 2 + 1);
        for (std::size_t i = 0; i < transform_.pairs(); ++i) {
            const std::size_t line = i / half;
            const std::array<int, 3> k{static_cast<int>(i % half), static_cast<int>(line) % grid_[1],
                                       static_cast<int>(line) / grid_[1]};
            float factor = inverseFactor(std::abs(spectrum()[i]) / all, blur.steps) / all;
            for (std::size_t d = 0; d < 3; ++d) {
                factor *= gaussianShare(k[d], grid_[d], blur.sigma[d]);
            }
            factors_.view().data[i] = factor;
        }
    }

    void apply(MutableView image) override {
        transform(image);
        for (std::size_t i = 0; i < transform_.pairs(); ++i) {
            spectrum()[i] *= factors_.view().data[i];
        }
        transform_.backward(spectrum(), real_.view().data);
        forEachRow([&](std::size_t row, float* onGrid) {
            std::copy_n(onGrid, size_[0], image.data + row * static_cast<std::size_t>(size_[0]));
        });
    }

  private:
    RealTransform::Pair* spectrum() {
        return reinterpret_cast<RealTransform::Pair*>(pairs_.view().data);  // as std::complex allows
    }

    /// Calls visit(number, where it lies on the grid) for every row of the image.
    template <typename Visit>
    void forEachRow(const Visit& visit) {
        std::size_t row = 0;
        for (int z = 0; z < size_[2]; ++z) {
            for (int y = 0; y < size_[1]; ++y, ++row) {
                const std::size_t line = static_cast<std::size_t>(z) * static_cast<std::size_t>(grid_[1]) +
                                         static_cast<std::size_t>(y);
                visit(row, real_.view().data + line * static_cast<std::size_t>(grid_[0]));
            }
        }
    }

    void transform(ConstView image) {
        std::fill_n(real_.view().data, real_.size(), 0.0F);
        forEachRow([&](std::size_t row, float* onGrid) {
            std::copy_n(image.data + row * static_cast<std::size_t>(size_[0]), size_[0], onGrid);
        });
        transform_.forward(real_.view().data, spectrum());
    }

    const ThreadPool& pool_;
    std::array<int, 3> size_;
    std::array<int, 3> grid_;
    RealTransform transform_;
    Array real_;
    Array pairs_;
    Array factors_;
};

}  // namespace

std::unique_ptr<ImageFilter> HostSpace::inverseFilter(const Blur& blur) {
    return std::make_unique<HostFilter>(*this, blur);
}

}  // namespace tof
