// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/spectrum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/options.h"

namespace tof {

namespace {

/// Transform of two voxels' sides of h mm at f cycles per mm.
double ofTwoSides(double f, double h) {
    const double x = kPi * f * h;
    return x == 0 ? 1 : std::sin(x) * std::sin(x) / (x * x);
}

/// Signed frequency index of DFT sample k of n.
int signedIndex(int k, int n) {
    return 2 * k > n ? k - n : k;
}

}  // namespace

AnalyticSpectrum::AnalyticSpectrum(const KernelSpec& spec, const Lattice& lattice, const View& view,
                                   std::array<int, 3> size)
    : size_(size) {
    const ViewAxes axes = view.axes();
    const std::array<Vec3, 3> directions{axes.u, axes.r, axes.a};
    const std::array<double, 3> sigmas{spec.sigmaTof_mm(), radialFwhm(spec, 0) / kFwhmPerSigma,
                                       spec.sigmaAxial_mm()};
    for (std::size_t d = 0; d < 3; ++d) {
        const std::array<double, 3> e{directions[d].x, directions[d].y, directions[d].z};
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                q_[i][j] += 2 * kPi * kPi * sigmas[d] * sigmas[d] * e[i] * e[j];
            }
        }
        step_[d] = 1.0 / (size[d] * lattice.spacing_mm[d]);
        side_[d] = spec.sampling == KernelSampling::Voxel ? lattice.spacing_mm[d] : 0;
    }
}

double AnalyticSpectrum::value(double fx, double fy, double fz) const {
    const double diagonal = q_[0][0] * fx * fx + q_[1][1] * fy * fy + q_[2][2] * fz * fz;
    const double mixed = q_[0][1] * fx * fy + q_[0][2] * fx * fz + q_[1][2] * fy * fz;
    return std::exp(-diagonal - 2 * mixed);
}

double AnalyticSpectrum::at(int kx, int ky, int kz) const {
    const std::array<int, 3> k{kx, ky, kz};
    std::array<double, 3> f{};
    std::array<int, 3> signs{};  // 2 where both signs of the frequency are the same sample
    for (std::size_t d = 0; d < 3; ++d) {
        f[d] = signedIndex(k[d], size_[d]) * step_[d];
        signs[d] = 2 * k[d] == size_[d] ? 2 : 1;
    }
    double sum = 0;
    for (int i = 0; i < signs[0]; ++i) {
        for (int j = 0; j < signs[1]; ++j) {
            for (int l = 0; l < signs[2]; ++l) {
                sum += value(i == 0 ? f[0] : -f[0], j == 0 ? f[1] : -f[1], l == 0 ? f[2] : -f[2]);
            }
        }
    }
    const double gaussian = sum / (signs[0] * signs[1] * signs[2]);
    return gaussian * ofTwoSides(f[0], side_[0]) * ofTwoSides(f[1], side_[1]) * ofTwoSides(f[2], side_[2]);
}

std::vector<Strategy> fourierStrategies(const std::string& system) {
    if (system != DirectModel::kSystem) {
        return {};
    }
    return {{"fft", toTranslate("Word", "products of Fourier transforms")}};
}

std::variant<const DirectModel*, Unsupported> fourierModel(const SystemModel& model,
                                                           const EngineOptions& options) {
    if (!options.strategy.empty() && options.strategy != "fft") {
        return Unsupported{fmt::format("it has no strategy '{}'; its one strategy is fft", options.strategy)};
    }
    const auto* direct = model.as<DirectModel>();
    if (direct == nullptr) {
        return Unsupported{"it has no projector for this system; take engine cpu or cuda"};
    }
    if (!direct->kernel.invariant() && options.spectrum == Spectrum::Analytic) {
        return Unsupported{fmt::format(
            "the analytic spectrum is of one symmetric kernel and {} varies; take the sampled spectrum",
            direct->kernel.name.empty() ? "this kernel" : "kernel '" + direct->kernel.name + "'")};
    }
    return direct;
}

int quickPlaneSize(int n) {
    // A part of the whole work grows with the size alone; the root is taken, as planes have two sides.
    const auto cost = [](int size) {
        const double slower = size % 16 == 0  ? 1.0
                              : size % 8 == 0 ? (size % 27 == 0 ? 1.25 : 1.12)
                              : size % 4 == 0 ? 1.15
                                              : 1.4;
        return slower * size;
    };
    int best = smoothSize(n);
    const int end = best + best / 2 + 16;
    for (int size = best; size <= end; size = smoothSize(size + 1)) {
        if (cost(size) < cost(best)) {
            best = size;
        }
    }
    return best;
}

std::array<int, 3> reachOf(const std::vector<KernelTap>& taps) {
    std::array<int, 3> reach{};
    for (const KernelTap tap : taps) {
        reach = {std::max(reach[0], std::abs(tap.x)), std::max(reach[1], std::abs(tap.y)),
                 std::max(reach[2], std::abs(tap.z))};
    }
    return reach;
}

std::array<int, 3> paddedSize(const std::array<int, 3>& size, const std::array<int, 3>& reach,
                              const Padding& padding) {
    std::array<int, 3> result = size;
    for (std::size_t d = 0; d < 3; ++d) {
        if (padding.mode == Padding::Mode::Auto) {
            result[d] = smoothSize(size[d] + reach[d]);
        } else if (padding.mode == Padding::Mode::ByHand) {
            const int added = padding.voxels[d];
            if (added < 0 || added > 65535 - size[d]) {
                throw WrongUse(
                    fmt::format("a padding of {} voxels is not between 0 and {}", added, 65535 - size[d]));
            }
            result[d] = size[d] + added;
        }
    }
    return result;
}

}  // namespace tof
