// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/gaussian_filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr double kReach = 4;  ///< sigma

/// The weights of a Gaussian about the middle of voxel 0: its share in the voxels 0, 1, ... on either side.
std::vector<float> weightsFor(double sigma_mm, double spacing_mm) {
    const int reach = static_cast<int>(std::ceil(kReach * sigma_mm / spacing_mm));
    const auto below = [&](double voxels) {
        return 0.5 * std::erfc(-voxels * spacing_mm / sigma_mm / std::numbers::sqrt2);
    };
    std::vector<float> weights;
    for (int i = 0; i <= reach; ++i) {
        weights.push_back(static_cast<float>(below(i + 0.5) - below(i - 0.5)));
    }
    return weights;
}

/// For every place along an axis: one over the sum of the weights that lie inside.
std::vector<float> scalesFor(const std::vector<float>& weights, int size) {
    const int reach = static_cast<int>(weights.size()) - 1;
    std::vector<float> scales;
    for (int i = 0; i < size; ++i) {
        float sum = 0;
        for (int m = std::max(-reach, -i); m <= std::min(reach, size - 1 - i); ++m) {
            sum += weights[static_cast<std::size_t>(std::abs(m))];
        }
        scales.push_back(1 / sum);
    }
    return scales;
}

/// Filters along one axis: values `stride` apart, in rows of `run` neighbours that have the same place.
void filterAxis(const Lattice& lattice, std::size_t axis, double sigma_mm, const ThreadPool& pool,
                std::vector<float>& data) {
    const std::vector<float> weights = weightsFor(sigma_mm, lattice.spacing_mm[axis]);
    const int size = lattice.size[axis];
    const std::vector<float> scales = scalesFor(weights, size);
    const int reach = static_cast<int>(weights.size()) - 1;
    std::size_t stride = 1;
    for (std::size_t k = 0; k < axis; ++k) {
        stride *= static_cast<std::size_t>(lattice.size[k]);
    }
    const std::size_t slab = stride * static_cast<std::size_t>(size);
    // Lines that lie beside each other go together: memory is read in order.
    constexpr std::size_t kBeside = 64;
    const std::size_t groups = (stride + kBeside - 1) / kBeside;
    pool.forRange(data.size() / slab * groups, 16, [&](std::size_t begin, std::size_t end) {
        std::vector<float> line;
        for (std::size_t group = begin; group < end; ++group) {
            const std::size_t at = group % groups * kBeside;
            const std::size_t run = std::min(kBeside, stride - at);
            float* const first = data.data() + group / groups * slab + at;
            line.resize(run * static_cast<std::size_t>(size));
            for (int i = 0; i < size; ++i) {
                const float* from = first + static_cast<std::size_t>(i) * stride;
                std::copy(from, from + run, line.begin() + static_cast<std::ptrdiff_t>(run) * i);
            }
            for (int i = 0; i < size; ++i) {
                float* const out = first + static_cast<std::size_t>(i) * stride;
                std::fill(out, out + run, 0.0F);
                for (int m = std::max(-reach, -i); m <= std::min(reach, size - 1 - i); ++m) {
                    const float w =
                        weights[static_cast<std::size_t>(std::abs(m))] * scales[static_cast<std::size_t>(i)];
                    const float* from = line.data() + static_cast<std::size_t>(i + m) * run;
                    for (std::size_t x = 0; x < run; ++x) {
                        out[x] += w * from[x];
                    }
                }
            }
        }
    });
}

}  // namespace

Volume gaussianFiltered(const Volume& volume, double fwhm_mm, const ThreadPool& pool) {
    constexpr double kMost_mm = 1000;
    if (!(fwhm_mm >= 0 && fwhm_mm <= kMost_mm)) {
        throw WrongUse("post filter: FWHM {} mm; 0 to 1000 mm are possible", fwhm_mm);
    }
    Volume out = volume;
    if (fwhm_mm == 0) {
        return out;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        filterAxis(out.lattice, axis, fwhm_mm / kFwhmPerSigma, pool, out.data);
    }
    return out;
}

}  // namespace tof
