// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/host_estimates.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/error.h"
#include "recon/base/parallel.h"
#include "recon/kernel/kernel_tables.h"
#include "recon/kernel/low_rank.h"
#include "recon/systems/histo/spectrum.h"

namespace tof {

namespace {

// Nanoseconds of one thread, from the tables of docs/measurements/performance.md.
constexpr double kPlaneOfFilter = 2;       ///< a voxel of a z-filtered copy, written and read
constexpr double kSampleOfVolume = 6;      ///< a sample of the padded grid, there and back, of a small one
constexpr double kSampleOfLarge = 14;      ///< a sample beyond the caches
constexpr double kSampleOfPlane = 2;       ///< a sample of a plane that fits the second-level cache
constexpr double kSampleOfLargePlane = 6;  ///< a sample of one that does not
constexpr double kRemaking = 0.6;          ///< spectra made anew, of what the projection takes
constexpr double kLargeTable = 8e6;        ///< bytes of a view's weights that no cache holds
constexpr double kLargeVolume = 16e6;      ///< bytes
constexpr double kLargePlane = 512e3;      ///< bytes

double multiplyAddsPerNs(InstructionSet set) {
    switch (set) {
        case InstructionSet::Avx512: return 55;
        case InstructionSet::Avx2: return 30;
        case InstructionSet::Baseline: break;
    }
    return 11;
}

/// Nanoseconds of one thread for a view.
double columnNs(const DirectModel& model, const View& view, InstructionSet set) {
    const KernelOutline outline(model.kernel, model.lattice, view);
    const auto voxels = static_cast<double>(model.lattice.voxels());
    auto sums = static_cast<double>(outline.taps().size());
    double filtering = 0;
    if (!view.tilted()) {  // a tap stands for a run along z, read from a copy of the volume that is filtered
                           // so
        const auto flat = std::count_if(outline.taps().begin(), outline.taps().end(),
                                        [](const KernelTap& tap) { return tap.z == 0; });
        sums = static_cast<double>(flat);
        filtering = kPlaneOfFilter * reachOf(outline.taps())[2] * voxels;
    }
    const double rows = model.kernel.invariant() ? 1 : outline.rows();
    const double slower = rows * sums * sizeof(float) > kLargeTable ? 2 : 1;
    return slower * sums * voxels / multiplyAddsPerNs(set) + filtering;
}

/// Rank of the sum that the kernel is taken as: 1 for an invariant one, 0 where few terms do not do.
std::size_t rankOf(const DirectModel& model, double error) {
    if (model.kernel.invariant()) {
        return 1;
    }
    try {
        return LowRankKernel(model.kernel, model.lattice, {model.views.front()}, error, ThreadPool()).rank();
    } catch (const BadInput&) {
        return 0;
    }
}

double fourierNs(const DirectModel& model, const EngineOptions& options, const View& view, std::size_t rank) {
    const auto reach = reachOf(KernelOutline(model.kernel, model.lattice, view).taps());
    const auto size = paddedSize(model.lattice.size, reach, options.padding);
    const double plane = static_cast<double>(size[0]) * size[1];
    const double samples = plane * size[2];
    const double volume =
        samples * (samples * sizeof(float) > kLargeVolume ? kSampleOfLarge : kSampleOfVolume);
    if (model.kernel.invariant()) {
        return volume;
    }
    constexpr double kPair = 2 * sizeof(float);
    const double terms = static_cast<double>(rank + 1) * (size[2] / 2 + 1) * plane;
    const double all = samples * kSampleOfVolume +
                       terms * (plane * kPair > kLargePlane ? kSampleOfLargePlane : kSampleOfPlane);
    const double kept = kSpectraBytes / (static_cast<double>(model.views.size()) * terms * kPair);
    return all * (1 + kRemaking * std::max(0.0, 1 - kept));
}

/// Mean over the views in milliseconds; of views beyond the first dozen every so many.
template <class Ns>
double meanMs(const DirectModel& model, int threads, const Ns& ns) {
    constexpr std::size_t kMost = 12;
    const std::size_t step = std::max<std::size_t>(1, model.views.size() / kMost) | 1U;
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < model.views.size(); i += step, ++count) {
        sum += ns(model.views[i]);
    }
    return 1e-6 * sum / count / threads;
}

}  // namespace

double columnEstimate_ms(const DirectModel& model, int threads, InstructionSet set) {
    return meanMs(model, threads, [&](const View& view) { return columnNs(model, view, set); });
}

double fourierEstimate_ms(const DirectModel& model, const EngineOptions& options, int threads) {
    const std::size_t rank = rankOf(model, options.kernelError);
    if (rank == 0) {
        return 0;
    }
    return meanMs(model, threads, [&](const View& view) { return fourierNs(model, options, view, rank); });
}

}  // namespace tof
