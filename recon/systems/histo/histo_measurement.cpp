// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/histo_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/parallel.h"
#include "recon/data/framed_counts.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

namespace {

/// Angles closer than this are one.
constexpr double kSameAngle_deg = 1e-6;

std::vector<double> distinct(const std::vector<double>& degrees) {
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

/// What the rank keeps of an array of the whole.
std::vector<float> keptOf(const std::vector<float>& all, std::size_t voxels, const HistoShare& share) {
    if (!share.division.slab) {
        return slicesOf(all, share.views, voxels);
    }
    const AxialSlab& slab = *share.division.slab;
    std::vector<float> planes;
    for (std::size_t begin = 0; begin < all.size(); begin += voxels) {
        const auto from = all.begin() + static_cast<std::ptrdiff_t>(begin + slab.offset());
        planes.insert(planes.end(), from, from + static_cast<std::ptrdiff_t>(slab.size()));
    }
    return planes;
}

}  // namespace

RankShare shareOf(HistoShare share) {
    const auto mine = std::make_shared<const HistoMeasurement>(std::move(share.own));
    return {std::move(share.division), [mine](const RunSettings& settings) { return mine->model(settings); },
            [mine](const RunSettings& settings, const SourcePlace& place) {
                return mine->source(settings, place);
            }};
}

RankShare HistoMeasurement::share(const RankRequest& request) const {
    HistoShare share = histoShare(*data_, request);
    share.own.hash = hash();
    const std::size_t voxels = data_->voxels();
    share.own.counts = keptOf(data_->counts, voxels, share);
    share.own.mult = keptOf(data_->mult, voxels, share);
    share.own.add = keptOf(data_->add, voxels, share);
    share.own.att = keptOf(data_->att, voxels, share);
    leaveOutHalo(share);
    return shareOf(std::move(share));
}

std::string HistoMeasurement::system() const {
    return DirectModel::kSystem;
}

EventTally HistoMeasurement::events() const {
    return {static_cast<double>(data_->kept),
            static_cast<double>(data_->kept + data_->outside + data_->rejected)};
}

std::vector<std::size_t> HistoMeasurement::order(std::uint64_t seed) const {
    return geometricOrder(data_->views, seed);
}

SystemModel HistoMeasurement::model(const RunSettings& settings) const {
    return DirectModel{data_->lattice, data_->views, settings.kernel(), !data_->att.empty()};
}

nlohmann::ordered_json HistoMeasurement::describe(const RunSettings& settings) const {
    return {{"kernel", settings.kernel().json()}};
}

std::shared_ptr<DataSource> HistoMeasurement::source(const RunSettings& settings,
                                                     const SourcePlace& place) const {
    // The hash may take a while yet, and is nobody's where sensitivities are not kept.
    const std::string key =
        place.sensitivities != nullptr ? sensitivityKey(*this, settings, place, hash()) : std::string();
    return sourceOfParts(partsOf(data_), place, key);
}

/// Where something moved, each frame has efficiencies of its own.
bool HistoMeasurement::framesStandAlone() const {
    return data_->frames != nullptr && data_->frames->moved();
}

HistoData HistoMeasurement::dataOfFrame(std::size_t frame, const ThreadPool& pool) const {
    const FramedCounts& frames = *data_->frames;
    const FrameCounts& one = frames.frames.at(frame);
    HistoData own;
    own.lattice = data_->lattice;
    own.views = data_->views;
    own.hash = hash() + fmt::format(" frame {}", frames.alikeTo(frame));
    own.counts.resize(data_->counts.size());
    one.expandInto(own.counts, own.voxels(), pool);
    own.mult = one.moved.eff != nullptr ? one.moved.eff->expanded(own.lattice, own.views, pool) : data_->mult;
    own.att = data_->att;
    own.add = data_->add;
    const double share = frames.addShareOf(frame);
    const double more = frames.moreRandomsOf(frame);
    for (std::size_t i = 0; i < own.add.size(); ++i) {
        const double randoms = more != 0 ? static_cast<double>((*frames.randoms)[i]) : 0.0;
        own.add[i] = static_cast<float>(share * static_cast<double>(own.add[i]) + more * randoms);
    }
    own.kept = one.kept;
    own.duration_s = one.measured_s();
    return own;
}

std::shared_ptr<const Measurement> HistoMeasurement::frameAlone(std::size_t frame) const {
    return std::make_shared<const HistoMeasurement>(dataOfFrame(frame, ThreadPool()));
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

void HistoMeasurement::requireView(std::size_t view) const {
    if (view >= data_->views.size()) {
        throw WrongUse(fmt::format("view {}: the data have {} views", view, data_->views.size()));
    }
}

Volume HistoMeasurement::view(std::size_t view, DataQuantity quantity) const {
    const std::span<const float> array = measured(quantity);
    requireView(view);
    const bool factor = quantity == DataQuantity::Mult || quantity == DataQuantity::Att;
    Volume volume(data_->lattice, factor ? 1.0F : 0.0F);
    volume.units = factor ? "probability" : "events/voxel";
    if (!array.empty()) {
        std::copy_n(&array[view * data_->voxels()], data_->voxels(), volume.data.begin());
    }
    return volume;
}

Volume HistoMeasurement::attenuated(Volume image, std::size_t view) const {
    const std::size_t begin = view * data_->voxels();
    for (std::size_t i = 0; !data_->att.empty() && i < image.data.size(); ++i) {
        image.data[i] *= data_->att[begin + i];
    }
    return image;
}

Volume HistoMeasurement::expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                  const EngineRegistry& engines) const {
    requireLattice(*this, image);
    requireView(view);
    Volume expected(data_->lattice, 0.0F);
    expected.units = "events/voxel";
    const Volume seen = attenuated(image, view);
    expected.data = projected(seen, DirectModel{data_->lattice, {data_->views[view]}, settings.kernel()},
                              settings, engines);
    correct(expected, *this, view);
    return expected;
}

std::vector<double> HistoMeasurement::viewTotals() const {
    std::vector<double> totals(data_->views.size());
    ThreadPool().forRange(totals.size(), 1, [&](std::size_t view, std::size_t) {
        const auto counts = data_->counts.begin() + static_cast<std::ptrdiff_t>(view * data_->voxels());
        totals[view] = std::accumulate(counts, counts + static_cast<std::ptrdiff_t>(data_->voxels()), 0.0);
    });
    return totals;
}

std::shared_ptr<const HistoData> histoData(const Measurement* measurement) {
    const auto* const histo = dynamic_cast<const HistoMeasurement*>(measurement);
    return histo != nullptr ? histo->data() : nullptr;
}

}  // namespace tof
