// SPDX-License-Identifier: Apache-2.0
// What the projector tests share: kernels of every family, lattices that are not round, seeded data.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/constants.h"
#include "recon/seam/engine.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/lines/line_model.h"

namespace tof::fixtures {

/// A kernel of every family of docs/model.md section 2, small enough for the reference loops.
inline std::vector<std::pair<std::string, KernelSpec>> kernelFamilies() {
    KernelSpec invariant = KernelSpec::preset("invariant");
    KernelSpec variant = KernelSpec::preset("variant1");
    KernelSpec asymmetric = invariant;
    asymmetric.asymmetry = Asymmetry{};
    KernelSpec asymmetricVariant = variant;
    asymmetricVariant.asymmetry = Asymmetry{1.5, 0.5, 0.3};
    KernelSpec measured = invariant;
    measured.measured = {{0, {-8, 0, 8}, {0, 1, 0}}, {60, {-6, 0, 14}, {0.1, 1, 0}}};
    std::vector<std::pair<std::string, KernelSpec>> families{
        {"invariant", invariant},    {"variant", variant},
        {"asymmetric", asymmetric},  {"asymmetric-variant", asymmetricVariant},
        {"measured", measured},      {"invariant-voxel", invariant},
        {"measured-voxel", measured}};
    families[5].second.sampling = KernelSampling::Voxel;
    families[6].second.sampling = KernelSampling::Voxel;
    for (auto& [name, spec] : families) {
        spec.name = name;
    }
    return families;
}

/// Views on and off the axes, with and without tilt, in every octant of azimuth.
inline std::vector<View> obliqueViews() {
    std::vector<View> views;
    double tilt = 20.0 / 3 * kRadPerDeg;
    for (const double azimuth : {0.0, 27.0, 45.0, 70.0, 90.0, 112.5, 135.0, 171.0}) {
        views.push_back({azimuth * kRadPerDeg, 0});
        views.push_back({azimuth * kRadPerDeg, tilt});
        tilt = -tilt;
    }
    return views;
}

inline std::vector<float> uniformData(std::size_t n, std::uint32_t seed, float low, float high) {
    std::mt19937 engine(seed);
    std::vector<float> data(n);
    for (float& value : data) {  // uniform_real_distribution differs between libraries
        value = low + (high - low) * static_cast<float>(engine() >> 8U) * 0x1p-24F;
    }
    return data;
}

inline double dotProduct(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    }
    return sum;
}

inline double norm2(const std::vector<float>& a) {
    return std::sqrt(dotProduct(a, a));
}

/// Largest |a - b| over the largest |b|.
template <typename A, typename B>
double relativeToMaximum(const std::vector<A>& a, const std::vector<B>& b) {
    double difference = 0;
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference = std::max(difference, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
        largest = std::max(largest, std::abs(static_cast<double>(b[i])));
    }
    return difference / largest;
}

/// A projector of `engine` with its space, and host-side calls.
struct HostData {
    std::vector<float> y;
    std::vector<float> mult;
    std::vector<float> add;
};

class HostHarness {
  public:
    HostHarness(const Engine& engine, const SystemModel& model, const EngineOptions& options)
        : space_(engine.makeSpace(options)), projector_(requireProjector(engine, model, space_, options)) {}

    [[nodiscard]] Projector& projector() { return *projector_; }
    [[nodiscard]] Space& space() { return *space_; }

    std::vector<float> forward(std::size_t part, const std::vector<float>& x) {
        Array in = space_->allocate(x.size());
        Array out = space_->allocate(projector_->dataSize(part));
        space_->upload(x, in.view());
        space_->fill(out.view(), std::numeric_limits<float>::quiet_NaN());
        projector_->forward(part, in.view(), out.view());
        std::vector<float> result(out.size());
        space_->download(out.view(), result);
        return result;
    }
    std::vector<float> back(std::size_t part, const std::vector<float>& p, Write write, std::vector<float> x,
                            const std::vector<float>& att = {}) {
        Array in = space_->allocate(p.size());
        Array factors = placed(att);
        Array out = space_->allocate(x.size());
        space_->upload(p, in.view());
        space_->upload(x, out.view());
        if (att.empty()) {
            projector_->back(part, in.view(), out.view(), write);
        } else {
            projector_->backAttenuated(part, factors.view(), in.view(), out.view(), write);
        }
        space_->download(out.view(), x);
        return x;
    }
    std::vector<float> back(std::size_t part, const std::vector<float>& p,
                            const std::vector<float>& att = {}) {
        std::vector<float> undefined(projector_->imageSize(), std::numeric_limits<float>::quiet_NaN());
        return back(part, p, Write::Overwrite, std::move(undefined), att);
    }

    /// What backDiscrepancy() makes of data; mult and add may be empty.
    std::vector<float> backDiscrepancy(std::size_t part, const HostData& data, Discrepancy kind,
                                       const std::vector<float>& x) {
        Array y = placed(data.y);
        Array mult = placed(data.mult);
        Array add = placed(data.add);
        Array in = placed(x);
        Array scratch = space_->allocate(projector_->dataSize(part));
        Array out = space_->allocate(x.size());
        projector_->backDiscrepancy(part, {y.view(), mult.view(), add.view()}, kind, in.view(),
                                    scratch.view(), out.view(), Write::Overwrite);
        std::vector<float> result(out.size());
        space_->download(out.view(), result);
        return result;
    }

  private:
    Array placed(const std::vector<float>& values) {
        Array array = space_->allocate(values.size());
        if (!values.empty()) {
            space_->upload(values, array.view());
        }
        return array;
    }

    std::shared_ptr<Space> space_;
    std::unique_ptr<Projector> projector_;
};

inline std::vector<float> product(std::vector<float> a, const std::vector<float>& b) {
    std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::multiplies<>());
    return a;
}

/// How far a projector's attenuated back projection of one part is from att times the plain one, and from
/// being adjoint to the projection of an attenuated image.
struct AttenuationFaults {
    double back = 0;  ///< relative to the largest
    double added = 0;
    double adjoint = 0;  ///< |<F(att x), y> - <x, att F^T y>| over the latter

    /// Products are rounded once more or less than here, and sums to what was there: 2^-23 each; inner
    /// products to the bar of plain maps.
    [[nodiscard]] bool small() const { return back <= 1e-6 && added <= 1e-6 && adjoint <= 1e-5; }
    [[nodiscard]] std::string text() const {
        return "back " + std::to_string(back) + ", added " + std::to_string(added) + ", adjoint " +
               std::to_string(adjoint);
    }
};
inline AttenuationFaults attenuationFaults(HostHarness& harness, std::size_t part) {
    const std::size_t n = harness.projector().imageSize();
    const auto x = uniformData(n, 51, 0, 1);
    const auto y = uniformData(n, 52, 0, 1);
    const auto before = uniformData(n, 53, 0, 1);
    const auto att = uniformData(n, 54, 0.02F, 1);
    const auto back = harness.back(part, y, att);
    const auto plainBack = product(att, harness.back(part, y));
    auto sum = before;
    std::transform(sum.begin(), sum.end(), plainBack.begin(), sum.begin(), std::plus<>());
    const double left = dotProduct(harness.forward(part, product(att, x)), y);
    const double right = dotProduct(x, back);
    return {relativeToMaximum(back, plainBack),
            relativeToMaximum(harness.back(part, y, Write::Add, before, att), sum),
            std::abs(left - right) / std::abs(right)};
}

/// Data of several kinds by turns: ordinary ones, counts where e is 1e-12 of its mean, counts
/// where nothing can be recorded, counts where nothing is expected.
inline HostData dataWithGaps(std::size_t n) {
    HostData data{uniformData(n, 61, 0.5F, 3), uniformData(n, 62, 0.3F, 1), uniformData(n, 63, 0.1F, 1)};
    for (std::size_t i = 0; i < n; ++i) {
        data.mult[i] = i % 11 == 3 ? 1e-12F : i % 11 == 7 ? 0.0F : data.mult[i];
        data.add[i] = i % 11 == 3 ? 1e-13F : data.add[i];
        data.y[i] = i % 5 == 4 ? 0.0F : data.y[i];
    }
    return data;
}

/// The largest difference, over the largest value, of backDiscrepancy() from its steps by its definition in
/// double.
inline double discrepancyFault(HostHarness& harness, std::size_t part, Discrepancy kind) {
    const std::size_t n = harness.projector().dataSize(part);
    const auto x = uniformData(harness.projector().imageSize(), 64, 0, 1);
    const HostData data = dataWithGaps(n);
    std::vector<double> e(n);
    const auto projected = harness.forward(part, x);
    for (std::size_t i = 0; i < n; ++i) {
        e[i] = static_cast<double>(data.mult[i]) * static_cast<double>(projected[i]) +
               static_cast<double>(data.add[i]);
    }
    const double floor = 1e-9 * std::accumulate(e.begin(), e.end(), 0.0) / static_cast<double>(n);
    std::vector<float> p(n);
    for (std::size_t i = 0; i < n; ++i) {
        const bool expected = data.mult[i] != 0.0F && e[i] > floor;
        const double ratio = expected ? static_cast<double>(data.y[i]) / e[i] : 0.0;
        p[i] = static_cast<float>(static_cast<double>(data.mult[i]) *
                                  (ratio - (kind == Discrepancy::RatioMinusOne ? 1.0 : 0.0)));
    }
    return relativeToMaximum(harness.backDiscrepancy(part, data, kind, x), harness.back(part, p));
}

}  // namespace tof::fixtures
