// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/kernel_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::size_t kMaxValues = std::size_t{1} << 28U;  // 1 GiB of floats in one view's table

double alongAndAxial(const KernelSpec& spec, double T, double A) {
    return gaussianAt(T, spec.sigmaTof_mm()) * gaussianAt(A, spec.sigmaAxial_mm());
}

/// Sigma of the narrowest Gaussian among the radial profiles.
double narrowestRadial_mm(const KernelSpec& spec, int radialIds) {
    double narrowest = spec.radial.at(0) / kFwhmPerSigma;
    for (int id = 0; id < radialIds; ++id) {
        const double s = (id + 0.5) * spec.id_step_mm;
        const double second = spec.asymmetry ? std::min(1.0, spec.asymmetry->ratioAt(s)) : 1.0;
        narrowest = std::min(narrowest, radialFwhm(spec, id) / kFwhmPerSigma * second);
    }
    return narrowest;
}

}  // namespace

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
        model_.ratioSlope = spec.asymmetry->ratio_slope;
        model_.shiftSlope = spec.asymmetry->shift_slope;
        model_.recentred = spec.asymmetry->centre_mm.has_value();
        model_.centreSlope = spec.asymmetry->centre_slope;
        model_.centre_mm = spec.asymmetry->centre_mm.value_or(0);
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

KernelOutline::KernelOutline(const KernelSpec& spec, const Lattice& lattice, const View& view)
    : spec_(spec), frame_(makeKernelFrame(spec, lattice, view)) {
    std::vector<Vec3> offsets(frame_.taps.size());
    std::transform(frame_.taps.begin(), frame_.taps.end(), offsets.begin(), [&](const KernelTap& tap) {
        return offsetAlong(frame_.axes, lattice, tap.x, tap.y, tap.z);
    });
    if (spec_.sampling == KernelSampling::Voxel) {
        voxel_.emplace(spec_, lattice, view, narrowestRadial_mm(spec_, frame_.radialIds));
        terms_ = voxel_->terms();
    }
    fillAlong(lattice, offsets);
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
    weights_.assign(distances_.size() * terms_, 0.0);
    for (std::size_t i = 0; i < frame_.taps.size(); ++i) {
        for (std::size_t m = 0; m < terms_; ++m) {
            weights_[which_[i] * terms_ + m] += along_[i * terms_ + m];
        }
    }
}

void KernelOutline::fillAlong(const Lattice& lattice, const std::vector<Vec3>& offsets) {
    along_.resize(offsets.size() * terms_);
    if (!voxel_) {
        std::transform(offsets.begin(), offsets.end(), along_.begin(),
                       [&](Vec3 tqa) { return alongAndAxial(spec_, tqa.x, tqa.z); });
        return;
    }
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const KernelTap& tap = frame_.taps[i];
        voxel_->along(
            {tap.x * lattice.spacing_mm[0], tap.y * lattice.spacing_mm[1], tap.z * lattice.spacing_mm[2]},
            std::span(along_).subspan(i * terms_, terms_));
    }
}

std::vector<double> KernelOutline::plainFactorsOf(const RadialModel& model, int id) const {
    std::vector<double> factors(distances_.size() * terms_);
    for (std::size_t d = 0; d < distances_.size(); ++d) {
        if (voxel_) {
            voxel_->radial(model, id, distances_[d], std::span(factors).subspan(d * terms_, terms_));
        } else {
            factors[d] = radialFactor(model, id, distances_[d]);
        }
    }
    return factors;
}

void KernelOutline::refuseZero(int id) const {
    throw BadInput(fmt::format("kernel '{}' is zero at every voxel for |s| near {:g} mm; widen it",
                               spec_.name, (id % frame_.radialIds + 0.5) * spec_.id_step_mm));
}

RadialArrays KernelOutline::radial() const {
    return {spec_, frame_.radialIds};
}

bool KernelOutline::repeatsPrevious(int id) const {
    const int radialId = id % frame_.radialIds;
    const bool lined = spec_.asymmetry && spec_.asymmetry->changes();
    return spec_.measured.empty() && !lined && radialId > 0 &&
           radialFwhm(spec_, radialId) == radialFwhm(spec_, radialId - 1);
}

void KernelOutline::refuseLarge(std::size_t rowLength) const {
    if (rowLength > kMaxValues / static_cast<std::size_t>(frame_.rows)) {
        throw BadInput(
            fmt::format("kernel '{}' needs a table of {} ids of {} values on this lattice, too large; take a "
                        "wider id_step_mm, a smaller cutoff or larger voxels",
                        spec_.name, frame_.rows, rowLength));
    }
}

void KernelOutline::fillRow(const RadialModel& model, int id, std::span<float> out) const {
    const std::vector<double> factors = plainFactorsOf(model, id);
    double sum = 0;
    for (std::size_t i = 0; i < frame_.taps.size(); ++i) {
        sum += tap(factors, i);
    }
    if (!(sum > 0)) {
        refuseZero(id);
    }
    for (std::size_t i = 0; i < frame_.taps.size(); ++i) {
        out[i] = static_cast<float>(tap(factors, i) / sum);
    }
}

std::vector<float> KernelOutline::row(int id) const {
    std::vector<float> values(frame_.taps.size());
    const RadialArrays arrays = radial();
    fillRow(arrays.model(), id, values);
    return values;
}

double KernelOutline::sumOf(const std::vector<double>& factors) const {
    double sum = 0;
    for (std::size_t d = 0; d < factors.size(); ++d) {
        sum += factors[d] * weights_[d];
    }
    return sum;
}

std::vector<double> KernelOutline::largestAlong() const {
    std::vector<double> largest(distances_.size(), 0.0);
    for (std::size_t i = 0; i < frame_.taps.size(); ++i) {
        largest[which_[i]] = std::max(largest[which_[i]], along_[i * terms_]);
    }
    return largest;
}

std::vector<double> KernelOutline::factorsOf(int id) const {
    const RadialArrays arrays = radial();
    return factorsOf(arrays.model(), id);
}

std::vector<double> KernelOutline::factorsOf(const RadialModel& model, int id) const {
    std::vector<double> factors = plainFactorsOf(model, id);
    const double sum = sumOf(factors);
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
    const std::size_t taps = outline.frame_.taps.size();
    outline.refuseLarge(taps);
    KernelTables tables;
    tables.values.resize(static_cast<std::size_t>(outline.frame_.rows) * taps);
    const RadialArrays radial = outline.radial();
    const RadialModel model = radial.model();
    for (int row = 0; row < outline.frame_.rows; ++row) {
        const std::span<float> out(tables.values.data() + static_cast<std::size_t>(row) * taps, taps);
        if (outline.repeatsPrevious(row)) {
            std::copy(out.data() - taps, out.data(), out.data());
        } else {
            outline.fillRow(model, row, out);
        }
    }
    tables.radialIds = outline.frame_.radialIds;
    tables.rows = outline.frame_.rows;
    tables.support = outline.frame_.support;
    tables.taps = std::move(outline.frame_.taps);
    tables.ids = std::move(outline.frame_.ids);
    return tables;
}

}  // namespace tof
