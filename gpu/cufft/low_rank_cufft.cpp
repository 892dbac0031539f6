// SPDX-License-Identifier: Apache-2.0
#include "gpu/cufft/low_rank_cufft.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/cufft/cufft_kernels.h"
#include "gpu/cufft/cufft_plans.h"
#include "recon/kernel/low_rank.h"
#include "recon/systems/histo/histo_projector.h"
#include "recon/systems/histo/spectrum.h"

namespace tof {

namespace {

class LowRankCufftProjector : public HistoProjector {
  public:
    LowRankCufftProjector(const DirectModel& direct, std::shared_ptr<CudaSpace> space,
                          std::shared_ptr<const CufftLibrary> library, const EngineOptions& options)
        : HistoProjector(direct),
          space_(std::move(space)),
          kernel_(direct.kernel, direct.lattice, direct.views, options.kernelError, space_->pool()) {
        std::array<int, 3> reach{};
        for (const LowRankView& view : kernel_.views()) {
            const auto mine = reachOf(view.taps);
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
        term_ = space_->buffer<float2>(pairs_, "the spectrum of cuFFT");
        sum_ = space_->buffer<float2>(pairs_, "the spectrum of cuFFT");
        image_ = space_->buffer<float>(model().lattice.voxels(), "a sum of back projections");
        plans_ = std::make_unique<CufftPlans>(std::move(library), *space_, grid_);
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

    /// A kernel longer than the grid meets itself: what falls on one place is added up here.
    void placeView(const LowRankView& from, DeviceView& to) {
        const auto wrapped = [&](int offset, std::size_t d) {
            return ((offset % grid_[d]) + grid_[d]) % grid_[d];
        };
        std::vector<std::uint32_t> places(from.taps.size());
        std::transform(from.taps.begin(), from.taps.end(), places.begin(), [&](const KernelTap& tap) {
            return static_cast<std::uint32_t>((wrapped(tap.z, 2) * grid_[1] + wrapped(tap.y, 1)) * grid_[0] +
                                              wrapped(tap.x, 0));
        });
        std::vector<std::uint32_t> each = places;
        std::sort(each.begin(), each.end());
        each.erase(std::unique(each.begin(), each.end()), each.end());
        std::vector<float> values(kernel_.rank() * each.size(), 0.0F);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto place = static_cast<std::size_t>(
                std::lower_bound(each.begin(), each.end(), places[i]) - each.begin());
            for (std::size_t k = 0; k < kernel_.rank(); ++k) {
                values[k * each.size() + place] += from.values[k * places.size() + i];
            }
        }
        to.at = space_->uploaded(each, "the taps of a kernel");
        to.values = space_->uploaded(values, "the terms of a kernel");
        to.shares = space_->uploaded(from.shares, "the shares of a kernel's terms");
        to.ids = space_->uploaded(from.ids, "the ids of a kernel");
        to.rows = from.rows;
        space_->finish();
    }

    [[nodiscard]] device::Spectrum kindOf(std::size_t term) const {
        return odd(term) ? device::Spectrum::Imaginary : device::Spectrum::Real;
    }
    [[nodiscard]] bool odd(std::size_t term) const { return term >= kernel_.evenTerms(); }
    [[nodiscard]] std::size_t spectrumFloats() const { return kernel_.rank() * pairs_; }
    [[nodiscard]] DeviceSpan<float> spectrumOf(std::size_t view, std::size_t term) const {
        const std::size_t place = view < kept_ ? view : kept_;
        return spectra_.span().part((place * kernel_.rank() + term) * pairs_, pairs_);
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
        const float scale = 1.0F / static_cast<float>(reals_);
        for (std::size_t k = 0; k < kernel_.rank(); ++k) {
            check(cudaMemsetAsync(real_.get(), 0, real_.bytes(), space_->stream()),
                  "clear the grid of cuFFT");
            device::placeValues(space_->stream(), v.at.span(),
                                v.values.span().part(k * v.at.size(), v.at.size()), real_.span());
            plans_->forward(real_.get(), term_.get());
            (odd(k) ? device::takeImaginary : device::takeReal)(space_->stream(), term_.span(), scale,
                                                                spectrumOf(view, k));
        }
    }

    std::shared_ptr<CudaSpace> space_;
    LowRankKernel kernel_;
    std::array<int, 3> grid_{};
    device::GridPair shape_;
    std::size_t reals_ = 0;
    std::size_t pairs_ = 0;
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
