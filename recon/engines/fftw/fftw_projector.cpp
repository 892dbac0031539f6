// SPDX-License-Identifier: Apache-2.0
#include "recon/engines/fftw/fftw_projector.h"

#include <algorithm>

#include "recon/systems/histo/spectrum.h"

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
      grid_(paddedSize(model().lattice.size, reach(), options.padding)),
      real_(space_->allocate(FftPlans::reals(grid_))),
      transformed_(space_->allocate(2 * FftPlans::complexes(grid_))),
      plans_(std::make_unique<FftPlans>(grid_, space_->pool(), planSearch(options), real_.view().data,
                                        transformed_.view().data)) {
    const std::size_t samples = FftPlans::complexes(grid_);
    const std::size_t share = std::min(kKeepBytes, space_->bytesFree() / 2);
    const std::size_t kept = std::min(model().views.size(), share / (samples * sizeof(float)));
    for (std::size_t part = 0; part < kept; ++part) {
        keptSpectra_.push_back(space_->allocate(samples));
        makeSpectrum(part, keptSpectra_.back().view());
    }
    if (kept < model().views.size()) {
        lastSpectrum_ = space_->allocate(samples);
    }
}

std::array<int, 3> FftwProjector::reach() const {
    std::vector<std::array<int, 3>> reaches(model().views.size());
    space_->pool().forRange(reaches.size(), 1, [&](std::size_t i, std::size_t) {
        reaches[i] = reachOf(buildKernelTables(model().kernel, model().lattice, model().views[i]).taps);
    });
    std::array<int, 3> largest{};
    for (const auto& r : reaches) {
        for (std::size_t d = 0; d < 3; ++d) {
            largest[d] = std::max(largest[d], r[d]);
        }
    }
    return largest;
}

std::size_t FftwProjector::memoryBytes() const {
    std::size_t floats = real_.size() + transformed_.size() + lastSpectrum_.size();
    for (const Array& spectrum : keptSpectra_) {
        floats += spectrum.size();
    }
    return floats * sizeof(float);
}

void FftwProjector::forward(std::size_t part, ConstView x, MutableView p) {
    const ConstView spectrum = spectrumOf(part);  // first: making one uses the work arrays
    transform(x);
    filter(spectrum);
    transformBack(p, {}, Write::Overwrite);
}

void FftwProjector::backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) {
    const ConstView spectrum = spectrumOf(part);
    transform(p);
    filter(spectrum);
    transformBack(x, att, write);
}

void FftwProjector::makeSpectrum(std::size_t part, MutableView spectrum) {
    if (kind_ == Spectrum::Sampled) {
        makeSampled(model().views[part], spectrum);
    } else {
        makeAnalytic(model().views[part], spectrum);
    }
    const float scale = 1.0F / static_cast<float>(FftPlans::reals(grid_));
    space_->pool().forRange(spectrum.size, kGrain, [&](std::size_t begin, std::size_t end) {
        std::transform(spectrum.data + begin, spectrum.data + end, spectrum.data + begin,
                       [scale](float s) { return s * scale; });
    });
}

void FftwProjector::makeSampled(const View& view, MutableView spectrum) {
    const KernelTables tables = buildKernelTables(model().kernel, model().lattice, view);
    space_->fill(real_.view(), 0);
    float* const samples = real_.view().data;
    const auto row = tables.row(0);
    const auto wrapped = [&](int offset, std::size_t d) {
        return static_cast<std::size_t>(((offset % grid_[d]) + grid_[d]) % grid_[d]);
    };
    for (std::size_t i = 0; i < tables.taps.size(); ++i) {
        const KernelTap tap = tables.taps[i];
        const std::size_t line = wrapped(tap.z, 2) * static_cast<std::size_t>(grid_[1]) + wrapped(tap.y, 1);
        // A kernel longer than the grid meets itself: that is what the unpadded transform means.
        samples[line * static_cast<std::size_t>(grid_[0]) + wrapped(tap.x, 0)] += row[i];
    }
    plans_->forward(samples, transformed_.view().data);
    const float* const pairs = transformed_.view().data;
    for (std::size_t i = 0; i < spectrum.size; ++i) {
        spectrum.data[i] = pairs[2 * i];
    }
}

void FftwProjector::makeAnalytic(const View& view, MutableView spectrum) const {
    const AnalyticSpectrum analytic(model().kernel, model().lattice, view, grid_);
    const int half = grid_[0] / 2 + 1;
    const auto lines = static_cast<std::size_t>(grid_[1]) * static_cast<std::size_t>(grid_[2]);
    space_->pool().forRange(lines, 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t line = begin; line < end; ++line) {
            const int ky = static_cast<int>(line) % grid_[1];
            const int kz = static_cast<int>(line) / grid_[1];
            float* const out = spectrum.data + line * static_cast<std::size_t>(half);
            for (int kx = 0; kx < half; ++kx) {
                out[kx] = static_cast<float>(analytic.at(kx, ky, kz));
            }
        }
    });
}

ConstView FftwProjector::spectrumOf(std::size_t part) {
    if (part < keptSpectra_.size()) {
        return keptSpectra_[part].view();
    }
    makeSpectrum(part, lastSpectrum_.view());
    return lastSpectrum_.view();
}

void FftwProjector::pad(ConstView from) {
    const auto& n = model().lattice.size;
    const auto nx = static_cast<std::size_t>(n[0]);
    const auto gx = static_cast<std::size_t>(grid_[0]);
    const auto lines = static_cast<std::size_t>(grid_[1]) * static_cast<std::size_t>(grid_[2]);
    space_->pool().forRange(lines, 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t line = begin; line < end; ++line) {
            const int y = static_cast<int>(line) % grid_[1];
            const int z = static_cast<int>(line) / grid_[1];
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
            const float* const in = real_.view().data + (z * static_cast<std::size_t>(grid_[1]) + y) *
                                                            static_cast<std::size_t>(grid_[0]);
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
    const bool asItIs = grid_ == model().lattice.size && FftPlans::aligned(from.data);
    if (!asItIs) {
        pad(from);
    }
    plans_->forward(asItIs ? from.data : real_.view().data, transformed_.view().data);
}

void FftwProjector::transformBack(MutableView to, ConstView factors, Write write) {
    const bool asItIs = grid_ == model().lattice.size && factors.empty() && write == Write::Overwrite &&
                        FftPlans::aligned(to.data);
    plans_->backward(transformed_.view().data, asItIs ? to.data : real_.view().data);
    if (!asItIs) {
        crop(to, factors, write);
    }
}

}  // namespace tof
