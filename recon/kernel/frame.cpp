// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/kernel/voxel_average.h"

namespace tof {

namespace {

constexpr std::size_t kMaxTaps = 4'000'000;
constexpr double kMaxIds = 1e6;
constexpr double kMaxColumns = 64e6;  // rows of voxels looked at while the support is searched
constexpr double kMaxOffset = std::numeric_limits<std::int16_t>::max();

/// How far k standard deviations of both Gaussians reach at |s| = s_mm.
double reachOfTwo(const Asymmetry& form, double cutoff, double sigma, double s_mm) {
    const double apart = form.shiftAt(s_mm) * sigma;
    const double first = form.firstAt(s_mm, sigma);
    return std::max(cutoff * sigma + std::abs(first),
                    cutoff * form.ratioAt(s_mm) * sigma + std::abs(first + apart));
}

double radialReach(const KernelSpec& spec, int radialIds) {
    double reach = 0;
    if (!spec.measured.empty()) {
        for (const MeasuredProfile& profile : spec.measured) {
            reach = std::max({reach, std::abs(profile.q_mm.front()), std::abs(profile.q_mm.back())});
        }
        return reach;
    }
    for (int id = 0; id < radialIds; ++id) {
        const double sigma = radialFwhm(spec, id) / kFwhmPerSigma;
        reach = std::max(reach, spec.cutoff * sigma);
        if (spec.asymmetry) {
            reach = std::max(reach,
                             reachOfTwo(*spec.asymmetry, spec.cutoff, sigma, (id + 0.5) * spec.id_step_mm));
        }
    }
    return reach;
}

/// Half-axes for a kernel that holds the voxel: their squares grow by k^2 times the variance that a source
/// and a target voxel add in that direction, as those of Gaussians do.
SupportAxes withVoxel(const SupportAxes& support, double cutoff, const Lattice& lattice,
                      const ViewAxes& axes) {
    const auto grown = [&](double reach, Vec3 axis) {
        return std::sqrt(reach * reach + cutoff * cutoff * voxelVariance(lattice, axis));
    };
    return {grown(support.tof, axes.u), grown(support.radial, axes.r), grown(support.axial, axes.a)};
}

[[noreturn]] void refuseTaps(const KernelSpec& spec) {
    throw BadInput(
        fmt::format("kernel '{}' has more than {} taps on this lattice; reduce its widths or its cutoff, "
                    "or take larger voxels",
                    spec.name, kMaxTaps));
}

/// Ids of all columns, and how many there are.
void mapIds(const KernelSpec& spec, const Lattice& lattice, KernelFrame& frame) {
    const auto nx = static_cast<std::size_t>(lattice.size[0]);
    const auto ny = static_cast<std::size_t>(lattice.size[1]);
    std::vector<double> distance(nx * ny);
    double farthest = 0;
    for (std::size_t y = 0; y < ny; ++y) {
        for (std::size_t x = 0; x < nx; ++x) {
            const double s = radialDistance(lattice.centre(static_cast<double>(x), static_cast<double>(y), 0),
                                            frame.axes.r);
            distance[y * nx + x] = s;
            farthest = std::max(farthest, std::abs(s));
        }
    }
    if (!(farthest / spec.id_step_mm < kMaxIds)) {
        throw BadInput(
            fmt::format("kernel '{}': field 'id_step_mm' is {:g}, more than {:g} steps to the edge of the "
                        "lattice; take wider steps or smaller voxels",
                        spec.name, spec.id_step_mm, kMaxIds));
    }
    frame.radialIds = radialId(farthest, spec.id_step_mm) + 1;
    frame.rows = spec.sided() ? 2 * frame.radialIds + 1 : frame.radialIds;
    frame.ids.resize(nx * ny);
    std::transform(distance.begin(), distance.end(), frame.ids.begin(), [&](double s) {
        return kernelId(s, spec.id_step_mm, frame.radialIds, spec.sided() ? Sides::Both : Sides::One);
    });
}

/// Finds the offsets inside the support ellipsoid, in order of z, y, x.
class TapSearch {
  public:
    TapSearch(const KernelSpec& spec, const Lattice& lattice, KernelFrame& frame)
        : spec_(spec), lattice_(lattice), frame_(frame) {}

    /// Fills `half` and `taps`.
    void run() {
        const double hx = halfWidth({1, 0, 0}, 0);
        const double hy = halfWidth({0, 1, 0}, 1);
        const double hz = halfWidth({0, 0, 1}, 2);
        if (!(std::max({hx, hy, hz}) < kMaxOffset) || (2 * hy + 1) * (2 * hz + 1) > kMaxColumns) {
            refuseTaps(spec_);
        }
        frame_.half = {static_cast<int>(hx), static_cast<int>(hy), static_cast<int>(hz)};
        for (int z = -frame_.half[2]; z <= frame_.half[2]; ++z) {
            for (int y = -frame_.half[1]; y <= frame_.half[1]; ++y) {
                addRow(y, z);
            }
        }
    }

  private:
    void addRow(int y, int z) {
        const auto [first, last] = candidates(y, z);
        for (int x = first; x <= last; ++x) {
            const Vec3 tqa = offsetAlong(frame_.axes, lattice_, x, y, z);
            if (!insideSupport(tqa.x, tqa.y, tqa.z, frame_.support)) {
                continue;
            }
            if (frame_.taps.size() == kMaxTaps) {
                refuseTaps(spec_);
            }
            frame_.taps.push_back(
                {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y), static_cast<std::int16_t>(z)});
        }
    }
    /// Offset along u, r, a in units of the half-axes: the support is the unit ball.
    [[nodiscard]] Vec3 scaled(Vec3 tqa) const {
        const SupportAxes& support = frame_.support;
        return {tqa.x / support.tof, tqa.y / support.radial, tqa.z / support.axial};
    }
    [[nodiscard]] double halfWidth(Vec3 axis, std::size_t k) const {
        const SupportAxes& support = frame_.support;
        const Vec3 reach{support.tof * dot(axis, frame_.axes.u), support.radial * dot(axis, frame_.axes.r),
                         support.axial * dot(axis, frame_.axes.a)};
        return std::floor(norm(reach) * (1 + 1e-9) / lattice_.spacing_mm[k]) + 1;
    }
    /// A range of x that holds every tap of the row (y, z): the chord of a slightly larger ball. It only
    /// saves time; insideSupport decides.
    [[nodiscard]] std::pair<int, int> candidates(int y, int z) const {
        const Vec3 step = scaled(offsetAlong(frame_.axes, lattice_, 1, 0, 0));
        const Vec3 start = scaled(offsetAlong(frame_.axes, lattice_, 0, y, z));
        const double a = dot(step, step);
        const double b = dot(step, start);
        const double discriminant = b * b - a * (dot(start, start) - (1 + 1e-6));
        if (!(discriminant >= 0)) {
            return {0, -1};
        }
        const double root = std::sqrt(discriminant);
        return {static_cast<int>(std::floor((-b - root) / a)), static_cast<int>(std::ceil((-b + root) / a))};
    }

    const KernelSpec& spec_;
    const Lattice& lattice_;
    KernelFrame& frame_;
};

/// Without support and taps.
KernelFrame frameOf(const KernelSpec& spec, const Lattice& lattice, const View& view) {
    spec.validate();
    KernelFrame frame;
    frame.axes = view.axes();
    mapIds(spec, lattice, frame);
    return frame;
}

}  // namespace

double radialFwhm(const KernelSpec& spec, int id) {
    return spec.radial.at((id + 0.5) * spec.id_step_mm);
}

Vec3 offsetAlong(const ViewAxes& axes, const Lattice& lattice, int x, int y, int z) {
    const Vec3 m{x * lattice.spacing_mm[0], y * lattice.spacing_mm[1], z * lattice.spacing_mm[2]};
    return {dot(m, axes.u), dot(m, axes.r), dot(m, axes.a)};
}

SupportAxes kernelSupport(const KernelSpec& spec, const Lattice& lattice, const ViewAxes& axes,
                          int radialIds) {
    const SupportAxes support{spec.cutoff * spec.sigmaTof_mm(), radialReach(spec, radialIds),
                              spec.cutoff * spec.sigmaAxial_mm()};
    return spec.sampling == KernelSampling::Voxel ? withVoxel(support, spec.cutoff, lattice, axes) : support;
}

KernelFrame makeKernelFrame(const KernelSpec& spec, const Lattice& lattice, const View& view) {
    KernelFrame frame = frameOf(spec, lattice, view);
    frame.support = kernelSupport(spec, lattice, frame.axes, frame.radialIds);
    TapSearch(spec, lattice, frame).run();
    return frame;
}

KernelFrame makeKernelFrameBeside(const KernelSpec& spec, const Lattice& lattice, const View& view,
                                  const KernelFrame& other) {
    KernelFrame frame;
    frame.axes = view.axes();
    frame.radialIds = other.radialIds;
    frame.rows = other.rows;
    frame.ids = other.ids;
    frame.support = kernelSupport(spec, lattice, frame.axes, frame.radialIds);
    TapSearch(spec, lattice, frame).run();
    return frame;
}

KernelFrame makeKernelFrameWithin(const KernelSpec& spec, const Lattice& lattice, const View& view,
                                  const SupportAxes& support) {
    KernelFrame frame = frameOf(spec, lattice, view);
    frame.support = support;
    TapSearch(spec, lattice, frame).run();
    return frame;
}

}  // namespace tof
