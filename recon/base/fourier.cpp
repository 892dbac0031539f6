// SPDX-License-Identifier: Apache-2.0
#include "recon/base/fourier.h"

#include <algorithm>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace tof {

namespace {

constexpr std::size_t kLines = 16;  // a chunk of the pool has

std::size_t at(const std::array<int, 3>& size, std::size_t axis) {
    return static_cast<std::size_t>(size[axis]);
}

}  // namespace

int smoothSize(int n) {
    for (int candidate = std::max(n, 1);; ++candidate) {
        int rest = candidate;
        for (const int prime : {2, 3, 5, 7}) {
            while (rest % prime == 0) {
                rest /= prime;
            }
        }
        if (rest == 1) {
            return candidate;
        }
    }
}

std::size_t RealTransform::reals() const {
    return at(size_, 0) * at(size_, 1) * at(size_, 2);
}

std::size_t RealTransform::pairs() const {
    return (at(size_, 0) / 2 + 1) * at(size_, 1) * at(size_, 2);
}

void RealTransform::forward(const float* real, Pair* pairs) const {
    const std::size_t half = at(size_, 0) / 2 + 1;
    pool_.forRange(at(size_, 1) * at(size_, 2), kLines, [&](std::size_t begin, std::size_t end) {
        Eigen::FFT<float> fft({}, Eigen::FFT<float>::HalfSpectrum);
        for (std::size_t line = begin; line < end; ++line) {
            fft.fwd(pairs + line * half, real + line * at(size_, 0), size_[0]);
        }
    });
    along(1, Way::Forward, pairs);
    along(2, Way::Forward, pairs);
}

void RealTransform::backward(Pair* pairs, float* real) const {
    const std::size_t half = at(size_, 0) / 2 + 1;
    along(2, Way::Backward, pairs);
    along(1, Way::Backward, pairs);
    pool_.forRange(at(size_, 1) * at(size_, 2), kLines, [&](std::size_t begin, std::size_t end) {
        Eigen::FFT<float> fft({}, Eigen::FFT<float>::HalfSpectrum);
        for (std::size_t line = begin; line < end; ++line) {
            fft.inv(real + line * at(size_, 0), pairs + line * half, size_[0]);
        }
    });
}

void RealTransform::along(std::size_t axis, Way way, Pair* pairs) const {
    const std::size_t half = at(size_, 0) / 2 + 1;
    const std::size_t length = at(size_, axis);
    if (length == 1) {  // a sample is its transform, which the library does not know
        return;
    }
    const std::size_t step = axis == 1 ? half : half * at(size_, 1);   // from one sample to the next
    const std::size_t other = axis == 1 ? half * at(size_, 1) : half;  // from one plane of lines to the next
    const std::size_t planes = axis == 1 ? at(size_, 2) : at(size_, 1);
    pool_.forRange(planes, 1, [&](std::size_t begin, std::size_t end) {
        Eigen::FFT<float> fft;
        std::vector<Pair> line(length);
        std::vector<Pair> spectrum(length);
        for (std::size_t i = begin * half; i < end * half; ++i) {
            Pair* const first = pairs + (i / half) * other + i % half;
            for (std::size_t k = 0; k < length; ++k) {
                line[k] = first[k * step];
            }
            if (way == Way::Forward) {
                fft.fwd(spectrum.data(), line.data(), size_[axis]);
            } else {
                fft.inv(spectrum.data(), line.data(), size_[axis]);
            }
            for (std::size_t k = 0; k < length; ++k) {
                first[k * step] = spectrum[k];
            }
        }
    });
}

}  // namespace tof
