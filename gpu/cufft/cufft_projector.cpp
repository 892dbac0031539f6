// SPDX-License-Identifier: Apache-2.0
#include "gpu/cufft/cufft_projector.h"

#include <cstdint>
#include <vector>

#include "gpu/cufft/cufft_plans.h"
#include "recon/systems/histo/fourier_grid.h"
#include "recon/systems/histo/histo_projector.h"

namespace tof {

namespace {

bool aligned(const float* data) {
    return reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}

class CufftProjector : public HistoProjector {
  public:
    CufftProjector(const DirectModel& direct, std::shared_ptr<CudaSpace> space,
                   std::shared_ptr<const CufftLibrary> library, const EngineOptions& options)
        : HistoProjector(direct), space_(std::move(space)), size_(model().lattice.size) {
        const std::vector<SampledKernel> kernels = sampledKernels(model(), space_->pool());
        grid_.size = paddedSize(size_, largestReach(kernels), options.padding);
        shape_ = gridPair(size_, grid_.size);
        real_ = space_->buffer<float>(grid_.reals(), "the grid of cuFFT");
        transformed_ = space_->buffer<float2>(grid_.pairs(), "the spectrum of cuFFT");
        plans_ = std::make_unique<CufftPlans>(std::move(library), *space_, grid_.size);
        spectra_ = space_->buffer<float>(grid_.pairs() * kernels.size(), "the spectra of the kernels");
        for (std::size_t view = 0; view < kernels.size(); ++view) {
            if (options.spectrum == Spectrum::Sampled) {
                makeSampled(view, kernels[view]);
            } else {
                makeAnalytic(view);
            }
        }
        space_->finish();
    }

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t memoryBytes() const override {
        return real_.bytes() + transformed_.bytes() + spectra_.bytes() + plans_->bytes();
    }
    void forward(std::size_t part, ConstView x, MutableView p) override {
        transform(x);
        filter(part);
        transformBack(p, {}, Write::Overwrite);
    }
    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) override {
        transform(p);
        filter(part);
        transformBack(x, att, write);
    }

  private:
    void makeSampled(std::size_t view, const SampledKernel& kernel) {
        const GridValues sampled = gridValues(grid_, kernel.taps, kernel.values);
        const std::size_t n = sampled.places.size();
        if (places_.size() < n) {
            places_ = space_->buffer<std::uint32_t>(n * 2, "a sampled kernel");
            values_ = space_->buffer<float>(n * 2, "a sampled kernel");
        }
        places_.uploadFrom(sampled.places, space_->stream());
        values_.uploadFrom(sampled.values, space_->stream());
        check(cudaMemsetAsync(real_.get(), 0, real_.bytes(), space_->stream()), "clear the grid of cuFFT");
        device::placeValues(space_->stream(), places_.span().part(0, n), values_.span().part(0, n),
                            real_.span());
        plans_->forward(real_.get(), transformed_.get());
        device::takePart(space_->stream(), transformed_.span(), device::Spectrum::Real, grid_.scale(),
                         spectrumOf(view));
    }

    void makeAnalytic(std::size_t view) {
        std::vector<float> spectrum(grid_.pairs());
        fillAnalytic(model(), model().views[view], grid_, space_->pool(), spectrum);
        check(cudaMemcpyAsync(spectrumOf(view).get(), spectrum.data(), spectrum.size() * sizeof(float),
                              cudaMemcpyHostToDevice, space_->stream()),
              "copy a spectrum to the device", {spectrum.size()});
    }

    [[nodiscard]] DeviceSpan<float> spectrumOf(std::size_t view) const {
        return spectra_.span().part(view * grid_.pairs(), grid_.pairs());
    }

    void transform(ConstView from) {
        const float* input = from.data;
        if (grid_.size != size_ || !aligned(from.data)) {
            device::padToGrid(space_->launch(), onDevice(from), shape_, real_.span());
            input = real_.get();
        }
        plans_->forward(input, transformed_.get());
    }
    void filter(std::size_t part) {
        device::filterPairs(space_->launch(), spectrumOf(part), transformed_.span());
    }
    /// Times `factors`, unless they are empty.
    void transformBack(MutableView to, ConstView factors, Write write) {
        if (grid_.size == size_ && factors.empty() && write == Write::Overwrite && aligned(to.data)) {
            plans_->backward(transformed_.get(), to.data);
            return;
        }
        plans_->backward(transformed_.get(), real_.get());
        device::cropFromGrid(space_->launch(), real_.span(), onDevice(factors), shape_, onDevice(to), write);
    }

    std::shared_ptr<CudaSpace> space_;
    std::array<int, 3> size_;
    FourierGrid grid_;
    device::GridPair shape_;
    DeviceBuffer<float> real_;
    DeviceBuffer<float2> transformed_;
    std::unique_ptr<CufftPlans> plans_;
    DeviceBuffer<float> spectra_;
    DeviceBuffer<std::uint32_t> places_;
    DeviceBuffer<float> values_;
};

}  // namespace

std::unique_ptr<Projector> makeCufftProjector(const DirectModel& model, std::shared_ptr<CudaSpace> space,
                                              std::shared_ptr<const CufftLibrary> library,
                                              const EngineOptions& options) {
    return std::make_unique<CufftProjector>(model, std::move(space), std::move(library), options);
}

}  // namespace tof
