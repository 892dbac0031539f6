// SPDX-License-Identifier: Apache-2.0
#include "recon/engines/fftw/fftw_projector.h"

#include <algorithm>

namespace tof {

namespace {

constexpr std::size_t kKeepBytes = std::size_t{1}
                                   << 30U;  // 120 unpadded views of 144 x 144 x 48 take 0.24 GiB
constexpr std::size_t kGrain = std::size_t{1} << 15U;

}  // namespace

FftwProjector::FftwProjector(const DirectModel& direct, std::shared_ptr<HostSpace> space,
                             const EngineOptions& options)
    : HistoProjector(direct),
      space_(std::move(space)),
      kind_(options.spectrum),
      grid_{paddedSize(model().lattice.size, largestReach(sampledKernels(model(), space_->pool())),
                       options.padding)},
      real_(space_->allocate(grid_.reals())),
      transformed_(space_->allocate(2 * grid_.pairs())),
      plans_(std::make_unique<FftPlans>(grid_.size, space_->pool(), planSearch(options), real_.view().data,
                                        transformed_.view().data)),
      spectra_(
          *space_, model().views.size(), grid_.pairs(), kKeepBytes,
          [this](std::size_t view, MutableView spectrum) { makeSpectrum(model().views[view], spectrum); }) {}

std::size_t FftwProjector::memoryBytes() const {
    return (real_.size() + transformed_.size() + spectra_.floats()) * sizeof(float);
}

void FftwProjector::forward(std::size_t part, ConstView x, MutableView p) {
    const ConstView spectrum = spectra_.of(part);  // first: making one uses the work arrays
    transform(x);
    filter(spectrum);
    transformBack(p, {}, Write::Overwrite);
}

void FftwProjector::backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) {
    const ConstView spectrum = spectra_.of(part);
    transform(p);
    filter(spectrum);
    transformBack(x, att, write);
}

void FftwProjector::makeSpectrum(const View& view, MutableView spectrum) {
    if (kind_ == Spectrum::Sampled) {
        makeSampled(view, spectrum);
    } else {
        fillAnalytic(model(), view, grid_, space_->pool(), {spectrum.data, spectrum.size});
    }
}

void FftwProjector::makeSampled(const View& view, MutableView spectrum) {
    const SampledKernel kernel = sampledKernel(model(), view);
    space_->fill(real_.view(), 0);
    for (std::size_t i = 0; i < kernel.taps.size(); ++i) {
        real_.view().data[grid_.place(kernel.taps[i])] += kernel.values[i];
    }
    plans_->forward(real_.view().data, transformed_.view().data);
    const float* const pairs = transformed_.view().data;
    space_->pool().forRange(spectrum.size, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            spectrum.data[i] = grid_.scale() * pairs[2 * i];
        }
    });
}

void FftwProjector::pad(ConstView from) {
    const auto& n = model().lattice.size;
    const auto nx = static_cast<std::size_t>(n[0]);
    const auto gx = static_cast<std::size_t>(grid_.size[0]);
    space_->pool().forRange(grid_.lines(), 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t line = begin; line < end; ++line) {
            const int y = static_cast<int>(line) % grid_.size[1];
            const int z = static_cast<int>(line) / grid_.size[1];
            float* const out = real_.view().data + line * gx;
            const bool inside = y < n[1] && z < n[2];
            const float* const in = inside ? from.data + model().lattice.index(0, y, z) : nullptr;
            std::fill(inside ? std::copy(in, in + nx, out) : out, out + gx, 0.0F);
        }
    });
}

void FftwProjector::crop(MutableView to, ConstView factors, Write write) const {
    const auto& n = model().lattice.size;
    const auto nx = static_cast<std::size_t>(n[0]);
    const auto lines = static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
    space_->pool().forRange(lines, 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t line = begin; line < end; ++line) {
            const std::size_t y = line % static_cast<std::size_t>(n[1]);
            const std::size_t z = line / static_cast<std::size_t>(n[1]);
            const float* const in = real_.view().data + (z * static_cast<std::size_t>(grid_.size[1]) + y) *
                                                            static_cast<std::size_t>(grid_.size[0]);
            float* const out = to.data + line * nx;
            for (std::size_t x = 0; x < nx; ++x) {
                const float value = factors.empty() ? in[x] : factors.data[line * nx + x] * in[x];
                out[x] = write == Write::Add ? out[x] + value : value;
            }
        }
    });
}

void FftwProjector::filter(ConstView spectrum) {
    float* const pairs = transformed_.view().data;
    space_->pool().forRange(spectrum.size, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            pairs[2 * i] *= spectrum.data[i];
            pairs[2 * i + 1] *= spectrum.data[i];
        }
    });
}

void FftwProjector::transform(ConstView from) {
    const bool asItIs = grid_.size == model().lattice.size && FftPlans::aligned(from.data);
    if (!asItIs) {
        pad(from);
    }
    plans_->forward(asItIs ? from.data : real_.view().data, transformed_.view().data);
}

void FftwProjector::transformBack(MutableView to, ConstView factors, Write write) {
    const bool asItIs = grid_.size == model().lattice.size && factors.empty() && write == Write::Overwrite &&
                        FftPlans::aligned(to.data);
    plans_->backward(transformed_.view().data, asItIs ? to.data : real_.view().data);
    if (!asItIs) {
        crop(to, factors, write);
    }
}

}  // namespace tof
