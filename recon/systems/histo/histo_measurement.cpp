// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/histo_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

namespace {

/// Angles closer than this are one.
constexpr double kSameAngle_deg = 1e-6;

std::vector<double> distinct(std::vector<double> degrees) {
    std::vector<double> kept;
    for (const double angle : degrees) {
        const auto same = [&](double other) { return std::abs(other - angle) < kSameAngle_deg; };
        if (std::none_of(kept.begin(), kept.end(), same)) {
            kept.push_back(angle);
        }
    }
    std::sort(kept.begin(), kept.end());
    return kept;
}

std::size_t nearest(const std::vector<double>& angles, double degrees) {
    const auto nearer = [&](double a, double b) { return std::abs(a - degrees) < std::abs(b - degrees); };
    return static_cast<std::size_t>(std::min_element(angles.begin(), angles.end(), nearer) - angles.begin());
}

}  // namespace

std::string HistoMeasurement::system() const {
    return DirectModel::kSystem;
}

EventTally HistoMeasurement::events() const {
    return {static_cast<double>(data_->kept),
            static_cast<double>(data_->kept + data_->outside + data_->rejected)};
}

std::size_t HistoMeasurement::memoryBytes() const {
    return (data_->counts.size() + data_->mult.size() + data_->add.size()) * sizeof(float);
}

std::vector<std::size_t> HistoMeasurement::order(std::uint64_t seed) const {
    return geometricOrder(data_->views, seed);
}

SystemModel HistoMeasurement::model(const RunSettings& settings) const {
    return DirectModel{data_->lattice, data_->views, settings.kernel()};
}

nlohmann::ordered_json HistoMeasurement::describe(const RunSettings& settings) const {
    return {{"kernel", nlohmann::ordered_json::parse(settings.kernel().toJson())}};
}

std::shared_ptr<DataSource> HistoMeasurement::source(const RunSettings& settings,
                                                     const SourcePlace& place) const {
    return sourceOfParts(partsOf(data_), place, sensitivityKey(*this, settings, place, data_->hash));
}

ViewLayout HistoMeasurement::layout() const {
    std::vector<double> azimuths;
    std::vector<double> tilts;
    for (const View& view : data_->views) {
        azimuths.push_back(view.phi / kRadPerDeg);
        tilts.push_back(view.theta / kRadPerDeg);
    }
    ViewLayout layout;
    layout.axes[0] = {"azimuth", distinct(azimuths), {}, {}};
    layout.axes[1] = {"tilt", distinct(tilts), {}, {}};
    const std::vector<double>& across = layout.axes[0].values;
    const std::vector<double>& up = layout.axes[1].values;
    layout.views.assign(across.size() * up.size(), std::nullopt);
    for (std::size_t v = 0; v < data_->views.size(); ++v) {
        layout.views[nearest(up, tilts[v]) * across.size() + nearest(across, azimuths[v])] = v;
    }
    // The untilted view is the one that reads like a slice.
    layout.axes[1].start = static_cast<int>(nearest(up, 0));
    return layout;
}

std::vector<std::size_t> HistoMeasurement::viewCounts() const {
    const ViewLayout all = layout();
    return {all.axes[0].values.size(), all.axes[1].values.size()};
}

bool HistoMeasurement::shows(DataQuantity quantity) const {
    return (quantity != DataQuantity::Mult || !data_->mult.empty()) &&
           (quantity != DataQuantity::Add || !data_->add.empty());
}

const float* HistoMeasurement::valuesOf(std::size_t view, const std::vector<float>& array) const {
    if (view >= data_->views.size()) {
        throw WrongUse(fmt::format("view {}: the data have {} views", view, data_->views.size()));
    }
    return array.empty() ? nullptr : array.data() + view * data_->voxels();
}

Volume HistoMeasurement::view(std::size_t view, DataQuantity quantity) const {
    requireMeasured(quantity);
    const std::vector<float>& array = quantity == DataQuantity::Counts ? data_->counts
                                      : quantity == DataQuantity::Mult ? data_->mult
                                                                       : data_->add;
    const float* const values = valuesOf(view, array);
    Volume volume(data_->lattice, quantity == DataQuantity::Mult ? 1.0F : 0.0F);
    volume.units = quantity == DataQuantity::Counts ? "events/voxel"
                   : quantity == DataQuantity::Mult ? "probability"
                                                    : "counts/voxel";
    if (values != nullptr) {
        volume.data.assign(values, values + data_->voxels());
    }
    return volume;
}

Volume HistoMeasurement::expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                  const EngineRegistry& engines) const {
    requireLattice(*this, image);
    const float* const mult = valuesOf(view, data_->mult);
    const float* const add = valuesOf(view, data_->add);
    const std::shared_ptr<const Engine> engine = engines.choose(settings.engine);
    EngineOptions options = settings.engineOptions();
    options.background = true;
    options.measurePlans = false;  // one projection is not worth the search
    const std::shared_ptr<Space> space = engine->makeSpace(options);
    const auto projector = requireProjector(
        *engine, DirectModel{data_->lattice, {data_->views[view]}, settings.kernel()}, space, options);
    Array x = space->allocate(data_->voxels());
    Array p = space->allocate(data_->voxels());
    space->upload(image.data, x.view());
    projector->forward(0, x.view(), p.view());
    Volume expected(data_->lattice, 0.0F);
    expected.units = "events/voxel";
    space->download(p.view(), expected.data);
    for (std::size_t i = 0; i < expected.data.size(); ++i) {
        expected.data[i] =
            (mult != nullptr ? mult[i] : 1.0F) * expected.data[i] + (add != nullptr ? add[i] : 0.0F);
    }
    return expected;
}

std::vector<double> HistoMeasurement::viewTotals() const {
    std::vector<double> totals;
    totals.reserve(data_->views.size());
    for (std::size_t v = 0; v < data_->views.size(); ++v) {
        const float* const counts = valuesOf(v, data_->counts);
        totals.push_back(std::accumulate(counts, counts + data_->voxels(), 0.0));
    }
    return totals;
}

std::shared_ptr<const HistoData> histoData(const Measurement* measurement) {
    const auto* const histo = dynamic_cast<const HistoMeasurement*>(measurement);
    return histo != nullptr ? histo->data() : nullptr;
}

}  // namespace tof
