// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/kernel_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::size_t kMaxTaps = 4'000'000;
constexpr std::size_t kMaxValues = std::size_t{1} << 28U;  // 1 GiB of floats in one view's table
constexpr double kMaxIds = 1e6;
constexpr double kMaxColumns = 64e6;  // rows of voxels looked at while the support is searched
constexpr double kMaxOffset = std::numeric_limits<std::int16_t>::max();

double alongAndAxial(const KernelSpec& spec, double T, double A) {
    return gaussianAt(T, spec.sigmaTof_mm()) * gaussianAt(A, spec.sigmaAxial_mm());
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

[[noreturn]] void refuseTaps(const KernelSpec& spec) {
    throw BadInput(
        fmt::format("kernel '{}' has more than {} taps on this lattice; reduce its widths or its cutoff, "
                    "or take larger voxels",
                    spec.name, kMaxTaps));
}

/// Finds the offsets inside the support ellipsoid, in order of z, y, x.
class TapSearch {
  public:
    TapSearch(const KernelSpec& spec, const Lattice& lattice, const ViewAxes& axes,
              const SupportAxes& support)
        : spec_(spec), lattice_(lattice), axes_(axes), support_(support) {}

    /// Fills `taps` and their components along u, r, a.
    void run(std::vector<KernelTap>& taps, std::vector<Vec3>& offsets) const {
        const double hy = halfWidth({0, 1, 0}, 1);
        const double hz = halfWidth({0, 0, 1}, 2);
        if (!(std::max({halfWidth({1, 0, 0}, 0), hy, hz}) < kMaxOffset) ||
            (2 * hy + 1) * (2 * hz + 1) > kMaxColumns) {
            refuseTaps(spec_);
        }
        for (int z = -static_cast<int>(hz); z <= static_cast<int>(hz); ++z) {
            for (int y = -static_cast<int>(hy); y <= static_cast<int>(hy); ++y) {
                const auto [first, last] = candidates(y, z);
                for (int x = first; x <= last; ++x) {
                    const Vec3 tqa = components(x, y, z);
                    if (!insideSupport(tqa.x, tqa.y, tqa.z, support_)) {
                        continue;
                    }
                    if (taps.size() == kMaxTaps) {
                        refuseTaps(spec_);
                    }
                    taps.push_back({static_cast<std::int16_t>(x), static_cast<std::int16_t>(y),
                                    static_cast<std::int16_t>(z)});
                    offsets.push_back(tqa);
                }
            }
        }
    }

  private:
    [[nodiscard]] Vec3 components(int x, int y, int z) const {
        const Vec3 m{x * lattice_.spacing_mm[0], y * lattice_.spacing_mm[1], z * lattice_.spacing_mm[2]};
        return {dot(m, axes_.u), dot(m, axes_.r), dot(m, axes_.a)};
    }
    /// Offset along u, r, a in units of the half-axes: the support is the unit ball.
    [[nodiscard]] Vec3 scaled(Vec3 tqa) const {
        return {tqa.x / support_.tof, tqa.y / support_.radial, tqa.z / support_.axial};
    }
    [[nodiscard]] double halfWidth(Vec3 axis, std::size_t k) const {
        const Vec3 reach{support_.tof * dot(axis, axes_.u), support_.radial * dot(axis, axes_.r),
                         support_.axial * dot(axis, axes_.a)};
        return std::floor(norm(reach) * (1 + 1e-9) / lattice_.spacing_mm[k]) + 1;
    }
    /// A range of x that holds every tap of the row (y, z): the chord of a slightly larger ball. It only
    /// saves time; insideSupport decides.
    [[nodiscard]] std::pair<int, int> candidates(int y, int z) const {
        const Vec3 step = scaled(components(1, 0, 0));
        const Vec3 start = scaled(components(0, y, z));
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
    const ViewAxes& axes_;
    const SupportAxes& support_;
};

/// True when a row holds the same values as the one before: the width has not changed and neither has the
/// side.
bool repeatsPrevious(const KernelSpec& spec, int row, int radialIds) {
    const int id = row % radialIds;
    return spec.measured.empty() && id > 0 && radialFwhm(spec, id) == radialFwhm(spec, id - 1);
}

}  // namespace

double radialFwhm(const KernelSpec& spec, int id) {
    return spec.radial.at((id + 0.5) * spec.id_step_mm);
}

double kernelValue(const KernelSpec& spec, int row, int radialIds, double T, double Q, double A) {
    return alongAndAxial(spec, T, A) * radialFactor(RadialArrays(spec, radialIds).model(), row, Q);
}

RadialArrays::RadialArrays(const KernelSpec& spec, int radialIds) {
    model_.radialIds = radialIds;
    model_.sided = spec.sided();
    model_.idStep_mm = spec.id_step_mm;
    if (spec.asymmetry) {
        model_.asymmetric = true;
        model_.ratio = spec.asymmetry->ratio;
        model_.shift = spec.asymmetry->shift;
        model_.weight = spec.asymmetry->weight;
    }
    model_.profiles = static_cast<int>(spec.measured.size());
    for (const MeasuredProfile& profile : spec.measured) {
        s.push_back(profile.s_mm);
        first.push_back(static_cast<int>(q.size()));
        q.insert(q.end(), profile.q_mm.begin(), profile.q_mm.end());
        w.insert(w.end(), profile.w.begin(), profile.w.end());
    }
    first.push_back(static_cast<int>(q.size()));
    for (int id = 0; id < radialIds; ++id) {
        sigma.push_back(radialFwhm(spec, id) / kFwhmPerSigma);
    }
}

RadialModel RadialArrays::model() const {
    RadialModel result = model_;
    result.sigma = sigma.data();
    result.s = s.data();
    result.first = first.data();
    result.q = q.data();
    result.w = w.data();
    return result;
}

SupportAxes supportAxes(const KernelSpec& spec, int radialIds) {
    return {spec.cutoff * spec.sigmaTof_mm(), radialReach(spec, radialIds),
            spec.cutoff * spec.sigmaAxial_mm()};
}

void KernelOutline::mapIds(const Lattice& lattice, const ViewAxes& axes) {
    const auto nx = static_cast<std::size_t>(lattice.size[0]);
    const auto ny = static_cast<std::size_t>(lattice.size[1]);
    std::vector<double> distance(nx * ny);
    double farthest = 0;
    for (std::size_t y = 0; y < ny; ++y) {
        for (std::size_t x = 0; x < nx; ++x) {
            const double s =
                radialDistance(lattice.centre(static_cast<double>(x), static_cast<double>(y), 0), axes.r);
            distance[y * nx + x] = s;
            farthest = std::max(farthest, std::abs(s));
        }
    }
    if (!(farthest / spec_.id_step_mm < kMaxIds)) {
        throw BadInput(
            fmt::format("kernel '{}': field 'id_step_mm' is {:g}, more than {:g} steps to the edge of the "
                        "lattice; take wider steps or smaller voxels",
                        spec_.name, spec_.id_step_mm, kMaxIds));
    }
    radialIds_ = radialId(farthest, spec_.id_step_mm) + 1;
    rows_ = spec_.sided() ? 2 * radialIds_ + 1 : radialIds_;
    ids_.resize(nx * ny);
    std::transform(distance.begin(), distance.end(), ids_.begin(),
                   [&](double s) { return kernelId(s, spec_.id_step_mm, radialIds_, spec_.sided()); });
}

KernelOutline::KernelOutline(const KernelSpec& spec, const Lattice& lattice, const View& view) : spec_(spec) {
    spec_.validate();
    const ViewAxes axes = view.axes();
    mapIds(lattice, axes);
    support_ = supportAxes(spec_, radialIds_);
    std::vector<Vec3> offsets;  // components along u, r, a
    TapSearch(spec_, lattice, axes, support_).run(taps_, offsets);
    along_.resize(offsets.size());
    std::transform(offsets.begin(), offsets.end(), along_.begin(),
                   [&](Vec3 tqa) { return alongAndAxial(spec_, tqa.x, tqa.z); });
    // The radial distance does not depend on z, so taps above one another share the radial factor, bit for
    // bit.
    distances_.resize(offsets.size());
    std::transform(offsets.begin(), offsets.end(), distances_.begin(), [](Vec3 tqa) { return tqa.y; });
    std::sort(distances_.begin(), distances_.end());
    distances_.erase(std::unique(distances_.begin(), distances_.end()), distances_.end());
    which_.resize(offsets.size());
    std::transform(offsets.begin(), offsets.end(), which_.begin(), [&](Vec3 tqa) {
        return static_cast<std::uint32_t>(std::lower_bound(distances_.begin(), distances_.end(), tqa.y) -
                                          distances_.begin());
    });
    weights_.assign(distances_.size(), 0.0);
    for (std::size_t i = 0; i < taps_.size(); ++i) {
        weights_[which_[i]] += along_[i];
    }
}

void KernelOutline::refuseZero(int id) const {
    throw BadInput(fmt::format("kernel '{}' is zero at every voxel for |s| near {:g} mm; widen it",
                               spec_.name, (id % radialIds_ + 0.5) * spec_.id_step_mm));
}

RadialArrays KernelOutline::arrays() const {
    return {spec_, radialIds_};
}

void KernelOutline::fillRow(const RadialModel& model, int id, std::span<float> out) const {
    std::vector<double> factors(distances_.size());
    std::transform(distances_.begin(), distances_.end(), factors.begin(),
                   [&](double q) { return radialFactor(model, id, q); });
    double sum = 0;
    for (std::size_t i = 0; i < taps_.size(); ++i) {
        sum += tap(factors, i);
    }
    if (!(sum > 0)) {
        refuseZero(id);
    }
    for (std::size_t i = 0; i < taps_.size(); ++i) {
        out[i] = static_cast<float>(tap(factors, i) / sum);
    }
}

std::vector<float> KernelOutline::row(int id) const {
    std::vector<float> values(taps_.size());
    const RadialArrays radial = arrays();
    fillRow(radial.model(), id, values);
    return values;
}

std::vector<double> KernelOutline::factorsOf(int id) const {
    const RadialArrays radial = arrays();
    const RadialModel model = radial.model();
    std::vector<double> factors(distances_.size());
    double sum = 0;
    for (std::size_t d = 0; d < factors.size(); ++d) {
        factors[d] = radialFactor(model, id, distances_[d]);
        sum += factors[d] * weights_[d];
    }
    if (!(sum > 0)) {
        refuseZero(id);
    }
    for (double& f : factors) {
        f /= sum;
    }
    return factors;
}

KernelTables buildKernelTables(const KernelSpec& spec, const Lattice& lattice, const View& view) {
    KernelOutline outline(spec, lattice, view);
    const std::size_t taps = outline.taps_.size();
    const auto rows = static_cast<std::size_t>(outline.rows_);
    if (taps > kMaxValues / rows) {
        throw BadInput(
            fmt::format("kernel '{}' needs a table of {} ids of {} values on this lattice, too large; take a "
                        "wider id_step_mm, a smaller cutoff or larger voxels",
                        spec.name, rows, taps));
    }
    KernelTables tables;
    tables.values.resize(rows * taps);
    const RadialArrays radial = outline.arrays();
    const RadialModel model = radial.model();
    for (int row = 0; row < outline.rows_; ++row) {
        const std::span<float> out(tables.values.data() + static_cast<std::size_t>(row) * taps, taps);
        if (repeatsPrevious(spec, row, outline.radialIds_)) {
            std::copy(out.data() - taps, out.data(), out.data());
        } else {
            outline.fillRow(model, row, out);
        }
    }
    tables.radialIds = outline.radialIds_;
    tables.rows = outline.rows_;
    tables.support = outline.support_;
    tables.taps = std::move(outline.taps_);
    tables.ids = std::move(outline.ids_);
    return tables;
}

}  // namespace tof
