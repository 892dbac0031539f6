// SPDX-License-Identifier: Apache-2.0
#include "gpu/cufft/cufft_projector.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gpu/cufft/cufft_kernels.h"
#include "gpu/cufft/cufft_plans.h"
#include "recon/systems/histo/histo_projector.h"
#include "recon/systems/histo/spectrum.h"

namespace tof {

namespace {

bool aligned(const float* data) {
    return reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}

class CufftProjector : public HistoProjector {
  public:
    CufftProjector(const DirectModel& direct, std::shared_ptr<CudaSpace> space,
                   std::shared_ptr<const CufftLibrary> library, const EngineOptions& options)
        : HistoProjector(direct),
          space_(std::move(space)),
          kind_(options.spectrum),
          kernels_(sampledKernels()) {
        std::array<int, 3> reach{};
        for (const Sampled& kernel : kernels_) {
            const auto mine = reachOf(kernel.taps);
            for (std::size_t d = 0; d < 3; ++d) {
                reach[d] = std::max(reach[d], mine[d]);
            }
        }
        grid_ = paddedSize(model().lattice.size, reach, options.padding);
        for (std::size_t d = 0; d < 3; ++d) {
            shape_.size[d] = model().lattice.size[d];
            shape_.grid[d] = grid_[d];
        }
        const std::size_t lines = static_cast<std::size_t>(grid_[1]) * static_cast<std::size_t>(grid_[2]);
        reals_ = lines * static_cast<std::size_t>(grid_[0]);
        pairs_ = lines * static_cast<std::size_t>(grid_[0] / 2 + 1);
        real_ = space_->buffer<float>(reals_, "the grid of cuFFT");
        transformed_ = space_->buffer<float2>(pairs_, "the spectrum of cuFFT");
        plans_ = std::make_unique<CufftPlans>(std::move(library), *space_, grid_);
        spectra_ = space_->buffer<float>(pairs_ * model().views.size(), "the spectra of the kernels");
        for (std::size_t view = 0; view < model().views.size(); ++view) {
            if (kind_ == Spectrum::Sampled) {
                makeSampled(view);
            } else {
                makeAnalytic(view);
            }
        }
        space_->finish();
        kernels_.clear();
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
    struct Sampled {
        std::vector<KernelTap> taps;
        std::vector<float> values;
    };

    std::vector<Sampled> sampledKernels() const {
        std::vector<Sampled> all(model().views.size());
        space_->pool().forRange(all.size(), 1, [&](std::size_t v, std::size_t) {
            // One row suffices: every row of an invariant kernel is the same.
            Lattice pixel = model().lattice;
            pixel.size = {1, 1, 1};
            pixel.origin_mm = {0, 0, 0};
            const KernelTables tables = buildKernelTables(model().kernel, pixel, model().views[v]);
            const auto row = tables.row(0);
            all[v] = {tables.taps, {row.begin(), row.end()}};
        });
        return all;
    }

    [[nodiscard]] float scale() const { return 1.0F / static_cast<float>(reals_); }

    void makeSampled(std::size_t view) {
        const Sampled& kernel = kernels_[view];
        std::vector<std::uint32_t> at;
        for (const KernelTap& tap : kernel.taps) {
            const auto wrapped = [&](int offset, std::size_t d) {
                return ((offset % grid_[d]) + grid_[d]) % grid_[d];
            };
            at.push_back(static_cast<std::uint32_t>(
                (wrapped(tap.z, 2) * grid_[1] + wrapped(tap.y, 1)) * grid_[0] + wrapped(tap.x, 0)));
        }
        if (places_.size() < at.size()) {
            places_ = space_->buffer<std::uint32_t>(at.size() * 2, "a sampled kernel");
            values_ = space_->buffer<float>(at.size() * 2, "a sampled kernel");
        }
        places_.uploadFrom(at, space_->stream());
        values_.uploadFrom(kernel.values, space_->stream());
        check(cudaMemsetAsync(real_.get(), 0, real_.bytes(), space_->stream()), "clear the grid of cuFFT");
        device::scatterValues(space_->stream(), places_.span().part(0, at.size()),
                              values_.span().part(0, at.size()), real_.span());
        plans_->forward(real_.get(), transformed_.get());
        device::takeReal(space_->stream(), transformed_.span().part(0, pairs_), scale(), spectrumOf(view));
    }

    void makeAnalytic(std::size_t view) {
        const AnalyticSpectrum analytic(model().kernel, model().lattice, model().views[view], grid_);
        std::vector<float> spectrum(pairs_);
        const int half = grid_[0] / 2 + 1;
        space_->pool().forRange(
            static_cast<std::size_t>(grid_[1] * grid_[2]), 16, [&](std::size_t begin, std::size_t end) {
                for (std::size_t line = begin; line < end; ++line) {
                    const int ky = static_cast<int>(line) % grid_[1];
                    const int kz = static_cast<int>(line) / grid_[1];
                    for (int kx = 0; kx < half; ++kx) {
                        spectrum[line * static_cast<std::size_t>(half) + static_cast<std::size_t>(kx)] =
                            scale() * static_cast<float>(analytic.at(kx, ky, kz));
                    }
                }
            });
        check(cudaMemcpyAsync(spectrumOf(view).get(), spectrum.data(), pairs_ * sizeof(float),
                              cudaMemcpyHostToDevice, space_->stream()),
              "copy a spectrum to the device", {pairs_});
    }

    [[nodiscard]] DeviceSpan<float> spectrumOf(std::size_t view) const {
        return spectra_.span().part(view * pairs_, pairs_);
    }

    void transform(ConstView from) {
        const float* input = from.data;
        if (grid_ != model().lattice.size || !aligned(from.data)) {
            device::padToGrid(space_->launch(), onDevice(from), shape_, real_.span());
            input = real_.get();
        }
        plans_->forward(input, transformed_.get());
    }
    void filter(std::size_t part) {
        device::filterPairs(space_->launch(), spectrumOf(part), transformed_.span().part(0, pairs_));
    }
    /// Times `factors`, unless they are empty.
    void transformBack(MutableView to, ConstView factors, Write write) {
        if (grid_ == model().lattice.size && factors.empty() && write == Write::Overwrite &&
            aligned(to.data)) {
            plans_->backward(transformed_.get(), to.data);
            return;
        }
        plans_->backward(transformed_.get(), real_.get());
        device::cropFromGrid(space_->launch(), real_.span(), onDevice(factors), shape_, onDevice(to), write);
    }

    std::shared_ptr<CudaSpace> space_;
    Spectrum kind_;
    std::vector<Sampled> kernels_;
    std::array<int, 3> grid_{};
    device::GridPair shape_;
    std::size_t reals_ = 0;
    std::size_t pairs_ = 0;
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
