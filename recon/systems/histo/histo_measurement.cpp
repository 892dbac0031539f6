// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/histo_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/kernel/kernel_tables.h"
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

/// How many planes above or below itself a voxel has to do with.
int axialReach(const KernelSpec& kernel, const Lattice& lattice, const std::vector<View>& views) {
    int reach = 0;
    for (const View& view : views) {
        const KernelOutline outline(kernel, lattice, view);
        for (const KernelTap& tap : outline.taps()) {
            reach = std::max(reach, std::abs(tap.z));
        }
    }
    return std::min(reach, lattice.size[2]);
}

/// The measurement's own data, of one rank.
RankShare shareOf(HistoData data, RankDivision division) {
    const auto mine = std::make_shared<const HistoMeasurement>(std::move(data));
    return {std::move(division), [mine](const RunSettings& settings) { return mine->model(settings); },
            [mine](const RunSettings& settings, const SourcePlace& place) {
                return mine->source(settings, place);
            }};
}

HistoData withoutArrays(const HistoData& all) {
    HistoData data;
    data.lattice = all.lattice;
    data.views = all.views;
    data.hash = all.hash;
    return data;
}

RankShare shareOfViews(const HistoData& all, const RankRequest& request) {
    const std::vector<int> owners = ownersOfParts(request);
    RankDivision division;
    division.wholeParts = true;
    division.pieces.resize(owners.size());
    std::vector<std::size_t> mine;
    HistoData data = withoutArrays(all);
    data.views.clear();
    for (std::size_t view = 0; view < owners.size(); ++view) {
        if (owners[view] == request.rank) {
            division.pieces[view] = {{mine.size()}, mine.size()};
            mine.push_back(view);
            data.views.push_back(all.views[view]);
        }
    }
    data.counts = slicesOf(all.counts, mine, all.voxels());
    data.mult = slicesOf(all.mult, mine, all.voxels());
    data.add = slicesOf(all.add, mine, all.voxels());
    data.att = slicesOf(all.att, mine, all.voxels());
    return shareOf(std::move(data), std::move(division));
}

/// Planes [offset, offset + size) of every view; `filling` in place of those that are not the rank's own.
std::vector<float> planesOf(const std::vector<float>& all, std::size_t views, const AxialSlab& slab,
                            std::optional<float> filling) {
    std::vector<float> planes;
    if (all.empty()) {
        return planes;
    }
    planes.reserve(views * slab.size());
    for (std::size_t view = 0; view < views; ++view) {
        const auto from =
            all.begin() + static_cast<std::ptrdiff_t>(view * slab.whole().voxels() + slab.offset());
        planes.insert(planes.end(), from, from + static_cast<std::ptrdiff_t>(slab.size()));
        if (filling) {
            const auto begin = planes.end() - static_cast<std::ptrdiff_t>(slab.size());
            const auto own = begin + static_cast<std::ptrdiff_t>(slab.ownOffset());
            std::fill(begin, own, *filling);
            std::fill(own + static_cast<std::ptrdiff_t>(slab.ownSize()), planes.end(), *filling);
        }
    }
    return planes;
}

RankShare shareOfPlanes(const HistoData& all, const RankRequest& request) {
    const RunSettings& settings = request.settings;
    if (settings.spectrum == Spectrum::Analytic || settings.padding.mode == Padding::Mode::Off) {
        throw WrongUse(
            "kernels that reach round the whole image cannot be divided into slabs; take --spectrum sampled "
            "and --pad auto, or blocks of more views than there are ranks (--subsets)");
    }
    const AxialSlab slab(all.lattice, axialReach(settings.kernel(), all.lattice, all.views), request.rank,
                         request.size);
    RankDivision division;
    division.slab = slab;
    const std::size_t views = all.views.size();
    for (std::size_t view = 0; view < views; ++view) {
        division.pieces.push_back({{view}, view});
    }
    HistoData data = withoutArrays(all);
    data.lattice = slab.lattice();
    // Counts of the halo are the neighbours'; mult and att of it are projected from and back to own planes.
    data.counts = planesOf(all.counts, views, slab, 0.0F);
    data.mult = planesOf(all.mult, views, slab, std::nullopt);
    data.add = planesOf(all.add, views, slab, 0.0F);
    data.att = planesOf(all.att, views, slab, std::nullopt);
    return shareOf(std::move(data), std::move(division));
}

}  // namespace

RankShare HistoMeasurement::share(const RankRequest& request) const {
    return everyRankHasParts(request) ? shareOfViews(*data_, request) : shareOfPlanes(*data_, request);
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
    volume.units = quantity == DataQuantity::Counts ? "events/voxel"
                   : factor                         ? "probability"
                                                    : "counts/voxel";
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
    std::vector<double> totals;
    totals.reserve(data_->views.size());
    for (std::size_t v = 0; v < data_->views.size(); ++v) {
        const auto counts = data_->counts.begin() + static_cast<std::ptrdiff_t>(v * data_->voxels());
        totals.push_back(std::accumulate(counts, counts + static_cast<std::ptrdiff_t>(data_->voxels()), 0.0));
    }
    return totals;
}

std::shared_ptr<const HistoData> histoData(const Measurement* measurement) {
    const auto* const histo = dynamic_cast<const HistoMeasurement*>(measurement);
    return histo != nullptr ? histo->data() : nullptr;
}

}  // namespace tof
