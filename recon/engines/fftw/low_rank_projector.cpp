// SPDX-License-Identifier: Apache-2.0
#include "recon/engines/fftw/low_rank_projector.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>

#include "recon/base/constants.h"
#include "recon/base/instruction_set.h"
#include "recon/systems/histo/fourier_grid.h"
#include "recon/systems/histo/host_estimates.h"

namespace tof {

namespace {

constexpr auto kKeptSpectraBytes = static_cast<std::size_t>(kSpectraBytes);
constexpr std::size_t kLine = 64;  // bytes
constexpr std::size_t kPairsPerLine = kLine / (2 * sizeof(float));

std::size_t roundedUp(std::size_t n, std::size_t to) {
    return (n + to - 1) / to * to;
}

}  // namespace

LowRankProjector::Loops LowRankProjector::loops() {
#if defined(__x86_64__)
    switch (availableInstructionSets().back()) {
        case InstructionSet::Avx512:
            return {avx512::weighPairs, avx512::addWeighedPairs, avx512::turnPairs, avx512::addTurnedPairs,
                    avx512::turnPairsBack};
        case InstructionSet::Avx2:
            return {avx2::weighPairs, avx2::addWeighedPairs, avx2::turnPairs, avx2::addTurnedPairs,
                    avx2::turnPairsBack};
        case InstructionSet::Baseline: break;
    }
#endif
    return {baseline::weighPairs, baseline::addWeighedPairs, baseline::turnPairs, baseline::addTurnedPairs,
            baseline::turnPairsBack};
}

PlanePlans::Shape LowRankProjector::shapeOf(const DirectModel& model, const LowRankKernel& kernel,
                                            const Padding& padding) {
    const std::array<int, 3> reach = largestReach(kernel.views());
    PlanePlans::Shape shape;
    shape.size = paddedSize(model.lattice.size, reach, padding);
    for (std::size_t d = 0; d < 2 && padding.mode == Padding::Mode::Auto; ++d) {
        shape.size[d] = quickPlaneSize(model.lattice.size[d] + reach[d]);
    }
    shape.columns = model.lattice.size[0];
    shape.rows = model.lattice.size[1];
    shape.rowFloats = roundedUp(static_cast<std::size_t>(shape.columns), kLine / sizeof(float));
    // An odd number of cache lines: columns of a plane spread over all sets of the cache.
    shape.planeRow = roundedUp(static_cast<std::size_t>(shape.size[0]), kPairsPerLine);
    if (shape.planeRow / kPairsPerLine % 2 == 0) {
        shape.planeRow += kPairsPerLine;
    }
    return shape;
}

LowRankProjector::LowRankProjector(const DirectModel& direct, std::shared_ptr<HostSpace> space,
                                   const EngineOptions& options)
    : HistoProjector(direct),
      space_(std::move(space)),
      kernel_(direct.kernel, direct.lattice, direct.views, options.kernelError, space_->pool()),
      shape_(shapeOf(direct, kernel_, options.padding)),
      loops_(loops()),
      workers_(static_cast<std::size_t>(space_->pool().threads())) {
    const std::size_t rows = static_cast<std::size_t>(shape_.rows) * shape_.rowFloats;
    volume_ = space_->allocate(static_cast<std::size_t>(shape_.size[2]) * rows);
    transformed_ = space_->allocate(2 * planes() * rows);
    shares_ = space_->allocate(kernel_.rank() * rows);
    scratch_ = space_->allocate(workers_ * 2 * 2 * planePairs());
    plans_ = std::make_unique<PlanePlans>(shape_, planSearch(options), volume_.view().data,
                                          transformed_.view().data, scratch_.view().data);
    space_->fill(volume_.view(), 0);
    space_->fill(transformed_.view(), 0);
    space_->fill(scratch_.view(), 0);

    spectra_ = KeptSpectra(
        *space_, model().views.size(), spectrumFloats(), kKeptSpectraBytes,
        [this](std::size_t view, MutableView spectra) { makeSpectra(kernel_.views()[view], spectra); });
}

std::size_t LowRankProjector::memoryBytes() const {
    std::size_t floats =
        volume_.size() + transformed_.size() + shares_.size() + scratch_.size() + spectra_.floats();
    for (const LowRankView& view : kernel_.views()) {
        floats += view.values.size() + view.shares.size() + view.ids.size() + 2 * view.taps.size();
    }
    return floats * sizeof(float);
}

void LowRankProjector::forward(std::size_t part, ConstView x, MutableView p) {
    const float* const spectra = spectra_.of(part).data;
    spreadShares(kernel_.views()[part]);
    transformAlongZ(x);
    const std::size_t rowPairs = shape_.rowFloats;
    const auto rows = static_cast<std::size_t>(shape_.rows);
    const auto columns = static_cast<std::size_t>(shape_.columns);
    eachPlane([&](std::size_t plane, const Scratch& scratch) {
        float* const image = transformed_.view().data + 2 * plane * rows * rowPairs;
        for (std::size_t k = 0; k < kernel_.rank(); ++k) {
            const float* const shares = shares_.view().data + k * rows * rowPairs;
            std::fill(scratch.term, scratch.term + 2 * planePairs(), 0.0F);
            for (std::size_t y = 0; y < rows; ++y) {
                loops_.weigh(shares + y * rowPairs, image + 2 * y * rowPairs, columns,
                             scratch.term + 2 * y * shape_.planeRow);
            }
            plans_->forwardPlane(scratch.term);
            const float* const spectrum = spectra + (plane * kernel_.rank() + k) * planePairs();
            if (k == 0) {
                (odd(k) ? loops_.turn : loops_.weigh)(spectrum, scratch.term, planePairs(), scratch.sum);
            } else {
                (odd(k) ? loops_.addTurned : loops_.addWeighed)(spectrum, scratch.term, planePairs(),
                                                                scratch.sum);
            }
        }
        plans_->backwardPlane(scratch.sum);
        for (std::size_t y = 0; y < rows; ++y) {
            const float* const from = scratch.sum + 2 * y * shape_.planeRow;
            std::copy(from, from + 2 * columns, image + 2 * y * rowPairs);
        }
    });
    transformBackAlongZ(p, {}, Write::Overwrite);
}

void LowRankProjector::backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x,
                                      Write write) {
    const float* const spectra = spectra_.of(part).data;
    spreadShares(kernel_.views()[part]);
    transformAlongZ(p);
    const std::size_t rowPairs = shape_.rowFloats;
    const auto rows = static_cast<std::size_t>(shape_.rows);
    const auto columns = static_cast<std::size_t>(shape_.columns);
    eachPlane([&](std::size_t plane, const Scratch& scratch) {
        float* const image = transformed_.view().data + 2 * plane * rows * rowPairs;
        std::fill(scratch.sum, scratch.sum + 2 * planePairs(), 0.0F);
        for (std::size_t y = 0; y < rows; ++y) {
            const float* const from = image + 2 * y * rowPairs;
            std::copy(from, from + 2 * columns, scratch.sum + 2 * y * shape_.planeRow);
        }
        plans_->forwardPlane(scratch.sum);
        for (std::size_t k = 0; k < kernel_.rank(); ++k) {
            const float* const shares = shares_.view().data + k * rows * rowPairs;
            const float* const spectrum = spectra + (plane * kernel_.rank() + k) * planePairs();
            // The conjugate of the spectrum: -i times what is imaginary.
            (odd(k) ? loops_.turnBack : loops_.weigh)(spectrum, scratch.sum, planePairs(), scratch.term);
            plans_->backwardPlane(scratch.term);
            for (std::size_t y = 0; y < rows; ++y) {
                (k == 0 ? loops_.weigh : loops_.addWeighed)(shares + y * rowPairs,
                                                            scratch.term + 2 * y * shape_.planeRow, columns,
                                                            image + 2 * y * rowPairs);
            }
        }
    });
    transformBackAlongZ(x, att, write);
}

void LowRankProjector::makeSpectra(const LowRankView& view, MutableView spectra) {
    eachPlane([&](std::size_t plane, const Scratch& scratch) {
        makePlane(view, plane, scratch, spectra.data + plane * kernel_.rank() * planePairs());
    });
}

void LowRankProjector::makePlane(const LowRankView& view, std::size_t plane, const Scratch& scratch,
                                 float* spectra) const {
    const float scale = 1.0F / (static_cast<float>(shape_.size[0]) * static_cast<float>(shape_.size[1]) *
                                static_cast<float>(shape_.size[2]));
    for (std::size_t k = 0; k < kernel_.rank();) {
        // The spectra of even terms are real and those of odd ones imaginary: two of a kind make one plane.
        const bool two = k + 1 < kernel_.rank() && odd(k) == odd(k + 1);
        std::fill(scratch.term, scratch.term + 2 * planePairs(), 0.0F);
        placeTerms(view, plane, k, two ? 2 : 1, scratch.term);
        plans_->forwardWholePlane(scratch.term);
        float* const first = spectra + k * planePairs();
        const std::size_t mine = odd(k) ? 1 : 0;
        for (std::size_t i = 0; i < planePairs(); ++i) {
            first[i] = scale * scratch.term[2 * i + mine];
        }
        if (two) {
            float* const second = first + planePairs();
            const float sign = odd(k) ? -scale : scale;
            for (std::size_t i = 0; i < planePairs(); ++i) {
                second[i] = sign * scratch.term[2 * i + 1 - mine];
            }
        }
        k += two ? 2 : 1;
    }
}

void LowRankProjector::placeTerms(const LowRankView& view, std::size_t plane, std::size_t first,
                                  std::size_t count, float* out) const {
    const float* const a = view.values.data() + first * view.taps.size();
    const float* const b = a + view.taps.size();
    std::complex<float> turn;
    int z = 0;
    for (std::size_t i = 0; i < view.taps.size(); ++i) {
        const KernelTap tap = view.taps[i];
        if (i == 0 || tap.z != z) {  // taps are in order of z
            z = tap.z;
            const double angle = -2 * kPi * static_cast<double>(plane) * z / shape_.size[2];
            turn = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
        }
        const std::complex<float> value = std::complex<float>(a[i], count > 1 ? b[i] : 0.0F) * turn;
        float* const at =
            out + 2 * (static_cast<std::size_t>(wrappedIndex(tap.y, shape_.size[1])) * shape_.planeRow +
                       static_cast<std::size_t>(wrappedIndex(tap.x, shape_.size[0])));
        // A kernel longer than the grid meets itself: that is what the unpadded transform means.
        at[0] += value.real();
        at[1] += value.imag();
    }
}

void LowRankProjector::spreadShares(const LowRankView& view) {
    const auto columns = static_cast<std::size_t>(shape_.columns);
    const auto rows = static_cast<std::size_t>(shape_.rows);
    space_->pool().forRange(kernel_.rank() * rows, 32, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const float* const share = view.shares.data() + i / rows * view.rows;
            const std::int32_t* const ids = view.ids.data() + i % rows * columns;
            float* const out = shares_.view().data + i * shape_.rowFloats;
            for (std::size_t x = 0; x < columns; ++x) {
                out[x] = share[ids[x]];
            }
        }
    });
}

void LowRankProjector::eachPlane(const std::function<void(std::size_t, const Scratch&)>& work) {
    std::atomic<std::size_t> next{0};
    space_->pool().forRange(workers_, 1, [&](std::size_t worker, std::size_t) {
        float* const mine = scratch_.view().data + worker * 4 * planePairs();
        const Scratch scratch{mine, mine + 2 * planePairs()};
        for (std::size_t plane = next++; plane < planes(); plane = next++) {
            space_->pool().heed();
            work(plane, scratch);
        }
    });
}

void LowRankProjector::transformAlongZ(ConstView from) {
    const auto& n = model().lattice.size;
    const auto rows = static_cast<std::size_t>(shape_.rows);
    space_->pool().forRange(rows, 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t y = begin; y < end; ++y) {
            float* const volume = volume_.view().data + y * shape_.rowFloats;
            for (int z = 0; z < shape_.size[2]; ++z) {
                float* const out = volume + static_cast<std::size_t>(z) * rows * shape_.rowFloats;
                if (z < n[2]) {
                    const float* const in = from.data + model().lattice.index(0, static_cast<int>(y), z);
                    std::copy(in, in + n[0], out);
                } else {
                    std::fill(out, out + n[0], 0.0F);
                }
            }
            plans_->forwardRow(volume, transformed_.view().data + 2 * y * shape_.rowFloats);
        }
    });
}

void LowRankProjector::transformBackAlongZ(MutableView to, ConstView factors, Write write) {
    const auto& n = model().lattice.size;
    const auto rows = static_cast<std::size_t>(shape_.rows);
    space_->pool().forRange(rows, 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t y = begin; y < end; ++y) {
            float* const volume = volume_.view().data + y * shape_.rowFloats;
            plans_->backwardRow(transformed_.view().data + 2 * y * shape_.rowFloats, volume);
            for (int z = 0; z < n[2]; ++z) {
                const float* const in = volume + static_cast<std::size_t>(z) * rows * shape_.rowFloats;
                const std::size_t at = model().lattice.index(0, static_cast<int>(y), z);
                for (std::size_t x = 0; x < static_cast<std::size_t>(n[0]); ++x) {
                    const float value = factors.empty() ? in[x] : factors.data[at + x] * in[x];
                    to.data[at + x] = write == Write::Add ? to.data[at + x] + value : value;
                }
            }
        }
    });
}

}  // namespace tof
