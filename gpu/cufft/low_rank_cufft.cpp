// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/cufft/cufft_plans.h"
#include "gpu/cufft/cufft_projector.h"
#include "recon/kernel/low_rank.h"
#include "recon/systems/histo/fourier_grid.h"
#include "recon/systems/histo/histo_projector.h"

namespace tof {

namespace {

class LowRankCufftProjector : public HistoProjector {
  public:
    LowRankCufftProjector(const DirectModel& direct, std::shared_ptr<CudaSpace> space,
                          std::shared_ptr<const CufftLibrary> library, const EngineOptions& options)
        : HistoProjector(direct),
          space_(std::move(space)),
          kernel_(direct.kernel, direct.lattice, direct.views, options.kernelError, space_->pool()) {
        grid_.size = paddedSize(model().lattice.size, largestReach(kernel_.views()), options.padding);
        shape_ = gridPair(model().lattice.size, grid_.size);
        real_ = space_->buffer<float>(grid_.reals(), "the grid of cuFFT");
        term_ = space_->buffer<float2>(grid_.pairs(), "the spectrum of cuFFT");
        sum_ = space_->buffer<float2>(grid_.pairs(), "the spectrum of cuFFT");
        image_ = space_->buffer<float>(model().lattice.voxels(), "a sum of back projections");
        plans_ = std::make_unique<CufftPlans>(std::move(library), *space_, grid_.size);
        views_.resize(model().views.size());
        for (std::size_t v = 0; v < views_.size(); ++v) {
            placeView(kernel_.views()[v], views_[v]);
        }
        const std::size_t bytes = spectrumFloats() * sizeof(float);
        const std::size_t kept = std::clamp<std::size_t>(space_->bytesFree() / 2 / bytes, 1, views_.size());
        spectra_ = space_->buffer<float>(kept * spectrumFloats(), "the spectra of the kernels");
        // The last place serves all views beyond those kept.
        kept_ = kept == views_.size() ? kept : kept - 1;
        for (std::size_t v = 0; v < kept_; ++v) {
            makeSpectra(v);
        }
        space_->finish();
    }

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::string note() const override { return kernel_.text(); }
    [[nodiscard]] std::size_t memoryBytes() const override {
        std::size_t bytes = real_.bytes() + term_.bytes() + sum_.bytes() + image_.bytes() + spectra_.bytes() +
                            plans_->bytes();
        for (const DeviceView& view : views_) {
            bytes += view.at.bytes() + view.values.bytes() + view.shares.bytes() + view.ids.bytes();
        }
        return bytes;
    }

    void forward(std::size_t part, ConstView x, MutableView p) override {
        requireSpectra(part);
        for (std::size_t k = 0; k < kernel_.rank(); ++k) {
            device::padWeighed(space_->launch(), onDevice(x), sharesOf(part, k), shape_, real_.span());
            plans_->forward(real_.get(), term_.get());
            device::addFiltered(space_->launch(), spectrumOf(part, k), kindOf(k), term_.span(),
                                k == 0 ? Write::Overwrite : Write::Add, sum_.span());
        }
        plans_->backward(sum_.get(), real_.get());
        device::cropFromGrid(space_->launch(), real_.span(), {}, shape_, onDevice(p), Write::Overwrite);
    }

    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) override {
        requireSpectra(part);
        device::padToGrid(space_->launch(), onDevice(p), shape_, real_.span());
        plans_->forward(real_.get(), sum_.get());
        for (std::size_t k = 0; k < kernel_.rank(); ++k) {
            device::filterConjugate(space_->launch(), spectrumOf(part, k), kindOf(k), sum_.span(),
                                    term_.span());
            plans_->backward(term_.get(), real_.get());
            device::cropWeighed(space_->launch(), real_.span(), sharesOf(part, k), shape_,
                                {k == 0, k + 1 == kernel_.rank()}, image_.span(), onDevice(att), onDevice(x),
                                write);
        }
    }

  private:
    /// What a view has on the device besides its spectra.
    struct DeviceView {
        DeviceBuffer<std::uint32_t> at;  ///< places of the taps on the grid, each once
        DeviceBuffer<float> values;      ///< [term][place]
        DeviceBuffer<float> shares;      ///< [term][row]
        DeviceBuffer<std::int32_t> ids;
        std::size_t rows = 0;
    };

    void placeView(const LowRankView& from, DeviceView& to) {
        const GridValues terms = gridValues(grid_, from.taps, from.values);
        to.at = space_->uploaded(terms.places, "the taps of a kernel");
        to.values = space_->uploaded(terms.values, "the terms of a kernel");
        to.shares = space_->uploaded(from.shares, "the shares of a kernel's terms");
        to.ids = space_->uploaded(from.ids, "the ids of a kernel");
        to.rows = from.rows;
        space_->finish();
    }

    [[nodiscard]] device::Spectrum kindOf(std::size_t term) const {
        return term >= kernel_.evenTerms() ? device::Spectrum::Imaginary : device::Spectrum::Real;
    }
    [[nodiscard]] std::size_t spectrumFloats() const { return kernel_.rank() * grid_.pairs(); }
    [[nodiscard]] DeviceSpan<float> spectrumOf(std::size_t view, std::size_t term) const {
        const std::size_t place = view < kept_ ? view : kept_;
        return spectra_.span().part((place * kernel_.rank() + term) * grid_.pairs(), grid_.pairs());
    }
    [[nodiscard]] device::ColumnShares sharesOf(std::size_t view, std::size_t term) const {
        const DeviceView& v = views_[view];
        return {v.shares.span().part(term * v.rows, v.rows), v.ids.span()};
    }
    void requireSpectra(std::size_t view) {
        if (view >= kept_) {
            makeSpectra(view);
        }
    }
    void makeSpectra(std::size_t view) {
        const DeviceView& v = views_[view];
        for (std::size_t k = 0; k < kernel_.rank(); ++k) {
            check(cudaMemsetAsync(real_.get(), 0, real_.bytes(), space_->stream()),
                  "clear the grid of cuFFT");
            device::placeValues(space_->stream(), v.at.span(),
                                v.values.span().part(k * v.at.size(), v.at.size()), real_.span());
            plans_->forward(real_.get(), term_.get());
            device::takePart(space_->stream(), term_.span(), kindOf(k), grid_.scale(), spectrumOf(view, k));
        }
    }

    std::shared_ptr<CudaSpace> space_;
    LowRankKernel kernel_;
    FourierGrid grid_;
    device::GridPair shape_;
    std::size_t kept_ = 0;  ///< views whose spectra are kept
    DeviceBuffer<float> real_;
    DeviceBuffer<float2> term_;
    DeviceBuffer<float2> sum_;
    DeviceBuffer<float> image_;
    std::unique_ptr<CufftPlans> plans_;
    std::vector<DeviceView> views_;
    DeviceBuffer<float> spectra_;
};

}  // namespace

std::unique_ptr<Projector> makeLowRankCufftProjector(const DirectModel& model,
                                                     std::shared_ptr<CudaSpace> space,
                                                     std::shared_ptr<const CufftLibrary> library,
                                                     const EngineOptions& options) {
    return std::make_unique<LowRankCufftProjector>(model, std::move(space), std::move(library), options);
}

}  // namespace tof
