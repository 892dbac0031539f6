// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/kernel_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/core/constants.h"
#include "recon/core/error.h"

namespace tof {

namespace {

constexpr std::size_t kMaxTaps = 4'000'000;

double gaussian(double distance, double sigma) {
    const double scaled = distance / sigma;
    return std::exp(-0.5 * scaled * scaled);
}

/// w(q) of one profile: straight lines between the points, zero outside.
double profileAt(const MeasuredProfile& profile, double q) {
    const auto& x = profile.q_mm;
    if (q < x.front() || q > x.back()) {
        return 0;
    }
    const auto upper = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), q) - x.begin()));
    const double fraction = (q - x[upper - 1]) / (x[upper] - x[upper - 1]);
    return (1 - fraction) * profile.w[upper - 1] + fraction * profile.w[upper];
}

double measuredAt(const std::vector<MeasuredProfile>& profiles, double s, double q) {
    const auto upper =
        std::find_if(profiles.begin(), profiles.end(), [&](const auto& p) { return p.s_mm >= s; });
    if (upper == profiles.begin()) {
        return profileAt(profiles.front(), q);
    }
    if (upper == profiles.end()) {
        return profileAt(profiles.back(), q);
    }
    const auto lower = upper - 1;
    const double fraction = (s - lower->s_mm) / (upper->s_mm - lower->s_mm);
    return (1 - fraction) * profileAt(*lower, q) + fraction * profileAt(*upper, q);
}

/// Radial profile at distance q towards the FOV centre, for the bin of radial id `id`.
double radialProfile(const KernelSpec& spec, int id, double inwards) {
    const double s = (id + 0.5) * spec.id_step_mm;
    if (!spec.measured.empty()) {
        return measuredAt(spec.measured, s, inwards);
    }
    const double sigma = spec.radial.at(s) / kFwhmPerSigma;
    if (!spec.asymmetry) {
        return gaussian(inwards, sigma);
    }
    // Weights are shares of area, so each Gaussian is divided by its own width.
    const auto& [ratio, shift, weight] = *spec.asymmetry;
    return weight * gaussian(inwards, sigma) +
           (1 - weight) / ratio * gaussian(inwards - shift * sigma, ratio * sigma);
}

double radialReach(const KernelSpec& spec, int radialIds) {
    double reach = 0;
    if (!spec.measured.empty()) {
        for (const MeasuredProfile& profile : spec.measured) {
            reach = std::max({reach, std::abs(profile.q_mm.front()), std::abs(profile.q_mm.back())});
        }
        return reach;
    }
    double widest = 0;
    for (int id = 0; id < radialIds; ++id) {
        widest = std::max(widest, radialFwhm(spec, id) / kFwhmPerSigma);
    }
    reach = spec.cutoff * widest;
    if (spec.asymmetry) {
        reach =
            std::max(reach, spec.cutoff * spec.asymmetry->ratio * widest + spec.asymmetry->shift * widest);
    }
    return reach;
}

int halfWidth(Vec3 axis, const ViewAxes& axes, const SupportAxes& support, double spacing) {
    const double t = support.tof * dot(axis, axes.u);
    const double q = support.radial * dot(axis, axes.r);
    const double a = support.axial * dot(axis, axes.a);
    return static_cast<int>(std::floor(std::sqrt(t * t + q * q + a * a) * (1 + 1e-9) / spacing)) + 1;
}

}  // namespace

double radialFwhm(const KernelSpec& spec, int id) {
    return spec.radial.at((id + 0.5) * spec.id_step_mm);
}

double kernelValue(const KernelSpec& spec, int row, int radialIds, double T, double Q, double A) {
    const double along = gaussian(T, spec.sigmaTof_mm()) * gaussian(A, spec.sigmaAxial_mm());
    if (!spec.sided()) {
        return along * radialProfile(spec, row, Q);
    }
    // The centre lies at -r for s > 0, at +r for s < 0; on the centre line both halves count alike.
    if (row == 2 * radialIds) {
        return along * 0.5 * (radialProfile(spec, 0, Q) + radialProfile(spec, 0, -Q));
    }
    return row < radialIds ? along * radialProfile(spec, row, -Q)
                           : along * radialProfile(spec, row - radialIds, Q);
}

KernelTables buildKernelTables(const KernelSpec& spec, const Lattice& lattice, const View& view) {
    spec.validate();
    const ViewAxes axes = view.axes();
    const auto nx = static_cast<std::size_t>(lattice.size[0]);
    const auto ny = static_cast<std::size_t>(lattice.size[1]);

    KernelTables tables;
    std::vector<double> distance(nx * ny);
    int largest = 0;
    for (std::size_t y = 0; y < ny; ++y) {
        for (std::size_t x = 0; x < nx; ++x) {
            const Vec3 p = lattice.centre(static_cast<double>(x), static_cast<double>(y), 0);
            const double s = p.x * axes.r.x + p.y * axes.r.y;
            distance[y * nx + x] = s;
            largest = std::max(largest, radialId(s, spec.id_step_mm));
        }
    }
    tables.radialIds = largest + 1;
    tables.rows = spec.sided() ? 2 * tables.radialIds + 1 : tables.radialIds;
    tables.ids.resize(nx * ny);
    std::transform(distance.begin(), distance.end(), tables.ids.begin(),
                   [&](double s) { return kernelId(s, spec.id_step_mm, tables.radialIds, spec.sided()); });

    tables.support = {spec.cutoff * spec.sigmaTof_mm(), radialReach(spec, tables.radialIds),
                      spec.cutoff * spec.sigmaAxial_mm()};
    const std::array<int, 3> half{halfWidth({1, 0, 0}, axes, tables.support, lattice.spacing_mm[0]),
                                  halfWidth({0, 1, 0}, axes, tables.support, lattice.spacing_mm[1]),
                                  halfWidth({0, 0, 1}, axes, tables.support, lattice.spacing_mm[2])};
    std::vector<Vec3> offsets;  // components along u, r, a
    for (int z = -half[2]; z <= half[2]; ++z) {
        for (int y = -half[1]; y <= half[1]; ++y) {
            for (int x = -half[0]; x <= half[0]; ++x) {
                const Vec3 m{x * lattice.spacing_mm[0], y * lattice.spacing_mm[1], z * lattice.spacing_mm[2]};
                const Vec3 tqa{dot(m, axes.u), dot(m, axes.r), dot(m, axes.a)};
                if (!insideSupport(tqa.x, tqa.y, tqa.z, tables.support)) {
                    continue;
                }
                if (tables.taps.size() == kMaxTaps) {
                    throw BadInput(
                        fmt::format("kernel '{}' has more than {} taps on this lattice; reduce its widths "
                                    "or its cutoff, or take larger voxels",
                                    spec.name, kMaxTaps));
                }
                tables.taps.push_back({static_cast<std::int16_t>(x), static_cast<std::int16_t>(y),
                                       static_cast<std::int16_t>(z)});
                offsets.push_back(tqa);
            }
        }
    }

    const std::size_t taps = tables.taps.size();
    tables.values.resize(static_cast<std::size_t>(tables.rows) * taps);
    std::vector<double> exact(taps);
    for (int row = 0; row < tables.rows; ++row) {
        double sum = 0;
        for (std::size_t i = 0; i < taps; ++i) {
            exact[i] = kernelValue(spec, row, tables.radialIds, offsets[i].x, offsets[i].y, offsets[i].z);
            sum += exact[i];
        }
        if (!(sum > 0)) {
            throw BadInput(fmt::format("kernel '{}' is zero at every voxel for |s| near {:g} mm; widen it",
                                       spec.name, (row % tables.radialIds + 0.5) * spec.id_step_mm));
        }
        float* const out = tables.values.data() + static_cast<std::size_t>(row) * taps;
        for (std::size_t i = 0; i < taps; ++i) {
            out[i] = static_cast<float>(exact[i] / sum);
        }
    }
    return tables;
}

}  // namespace tof
