// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/panel/panel_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/data/data_hash.h"
#include "recon/systems/panel/panel_matrix_file.h"

namespace tof {

namespace {

/// Data are placed once for runs of any seed: the classes of the parts do not depend on it, their order does.
constexpr std::uint64_t kPartsSeed = 1;

/// An array in the order of the parts, `filling` where a part has no line.
std::vector<float> inParts(const std::vector<float>& all, const PanelGeometry& g, const PanelParts& parts,
                           const std::vector<std::size_t>& starts, float filling) {
    if (all.empty()) {
        return {};
    }
    std::vector<float> sorted(parts.parts() * parts.partSize, filling);
    for (std::size_t part = 0; part < parts.parts(); ++part) {
        auto to = sorted.begin() + static_cast<std::ptrdiff_t>(part * parts.partSize);
        for (const int c : parts.classes[part]) {
            const auto from = all.begin() + static_cast<std::ptrdiff_t>(starts[static_cast<std::size_t>(c)]);
            to = std::copy(from, from + PanelClass::at(g, c).lors(g), to);
        }
    }
    return sorted;
}

/// Counts and corrections in the order of the parts.
struct Sorted {
    std::vector<float> counts;
    std::vector<float> mult;
    std::vector<float> add;
};

/// Those classes of each part that are the rank's, as if there were no others: neighbours have about as many
/// lines.
std::shared_ptr<const PanelParts> ownClasses(const PanelParts& all, const PanelGeometry& g,
                                             const RankRequest& request) {
    auto own = std::make_shared<PanelParts>();
    for (const std::vector<int>& classes : all.classes) {
        std::vector<int>& mine = own->classes.emplace_back();
        std::size_t size = 0;
        for (auto i = static_cast<std::size_t>(request.rank); i < classes.size();
             i += static_cast<std::size_t>(request.size)) {
            mine.push_back(classes[i]);
            size += static_cast<std::size_t>(PanelClass::at(g, classes[i]).lors(g));
        }
        own->partSize = std::max(own->partSize, size);
    }
    return own;
}

/// What makes kernels best: the engine, or host threads.
PanelKernelMaker makerOf(const SetUp& setUp) {
    const auto* const theirs = setUp.engine.offers<MakesPanelKernels>();
    return theirs != nullptr ? theirs->panelKernels(setUp.options)
                             : hostPanelKernels(setUp.options.threads, setUp.options.priority);
}

/// A matrix that has the kernel of one class alone.
PanelMatrix oneKernel(const PanelGeometry& geometry, const PanelClass& which, int threads) {
    PanelMatrix plan = panelMatrixPlan(geometry, PanelQuadrature());
    const std::array wanted{plan.ofClass[static_cast<std::size_t>(which.index(geometry))].kernel};
    struct Only : PanelKernelSink {
        void done(int kernel, PanelEntries entries) override {
            kernels[static_cast<std::size_t>(kernel)] = std::move(entries);
        }
        void checkpoint() override {}
        std::vector<PanelEntries> kernels;
    } only;
    only.kernels.resize(plan.kernels.size());
    hostPanelKernels(threads, Priority::Background)(plan, wanted, only);
    return assembled(std::move(plan), std::move(only.kernels));
}

/// -n+1 .. n-1.
std::vector<double> steps(int n) {
    std::vector<double> values;
    for (int i = 1 - n; i < n; ++i) {
        values.push_back(i);
    }
    return values;
}

}  // namespace

EventTally PanelMeasurement::events() const {
    return {static_cast<double>(data_->kept), static_cast<double>(data_->kept + data_->rejected)};
}

const std::shared_ptr<const PanelParts>& PanelMeasurement::parts() const {
    std::call_once(partsMade_, [&] {
        parts_ = std::make_shared<const PanelParts>(panelParts(data_->geometry, kPartsSeed));
    });
    return parts_;
}

const std::vector<std::size_t>& PanelMeasurement::starts() const {
    std::call_once(startsMade_, [&] { starts_ = panelClassStarts(data_->geometry); });
    return starts_;
}

std::vector<std::size_t> PanelMeasurement::order(std::uint64_t seed) const {
    std::vector<std::size_t> order(parts()->parts());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(seed);
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random() % i]);
    }
    return order;
}

std::shared_ptr<const PanelMatrix> PanelMeasurement::kept() const {
    const std::lock_guard lock(matrixMutex_);
    return matrix_;
}

std::shared_ptr<const PanelMatrix> PanelMeasurement::keep(PanelMatrix matrix) const {
    const std::lock_guard lock(matrixMutex_);
    if (matrix_ == nullptr) {
        matrix_ = std::make_shared<const PanelMatrix>(std::move(matrix));
    }
    return matrix_;
}

void PanelMeasurement::prepare(const RunSettings& /*settings*/, const SetUp& setUp) const {
    if (kept() == nullptr) {
        keep(storedPanelMatrix(data_->geometry, PanelQuadrature(), makerOf(setUp),
                               [&](double share) { setUp.progress("system matrix", share); }));
    }
}

SystemModel PanelMeasurement::model(const RunSettings& settings) const {
    std::shared_ptr<const PanelMatrix> matrix = kept();
    if (matrix == nullptr) {
        matrix = keep(storedPanelMatrix(data_->geometry, PanelQuadrature(),
                                        hostPanelKernels(settings.threads), [](double) {}));
    }
    return PanelModel{data_->lattice, std::move(matrix), parts()};
}

nlohmann::ordered_json PanelMeasurement::describe(const RunSettings& /*settings*/) const {
    return {
        {"panel_matrix", parseOrderedJson(panelMatrixOrigin(data_->geometry, PanelQuadrature()), "panel")}};
}

std::shared_ptr<DataSource> PanelMeasurement::source(const RunSettings& settings,
                                                     const SourcePlace& place) const {
    return sourceOf(*parts(), settings, place);
}

std::shared_ptr<DataSource> PanelMeasurement::sourceOf(const PanelParts& parts, const RunSettings& settings,
                                                       const SourcePlace& place) const {
    auto sorted = std::make_shared<Sorted>();
    if (place.placed.source == nullptr) {
        const PanelGeometry& g = data_->geometry;
        sorted->counts = inParts(data_->counts, g, parts, starts(), 0);
        sorted->mult = inParts(data_->mult, g, parts, starts(), 1);
        sorted->add = inParts(data_->add, g, parts, starts(), 0);
    }
    const PartedData parted{sorted->counts, sorted->mult, sorted->add, parts.parts(), parts.partSize, sorted};
    return sourceOfParts(parted, place, sensitivityKey(*this, settings, place, multHash(*data_)));
}

void PanelMeasurement::countsOfFrame(std::size_t frame, const ThreadPool& pool,
                                     std::vector<float>& counts) const {
    std::vector<float> lines;
    MeasurementOf::countsOfFrame(frame, pool, lines);
    counts = inParts(lines, data_->geometry, *parts(), starts(), 0);
}

RankShare PanelMeasurement::share(const RankRequest& request) const {
    const std::shared_ptr<const PanelParts> own = ownClasses(*parts(), data_->geometry, request);
    RankDivision division;
    for (std::size_t part = 0; part < own->parts(); ++part) {
        division.pieces.push_back(own->partSize > 0 ? RankPiece{{part}, part, false} : RankPiece{});
    }
    return {std::move(division),
            [this, own](const RunSettings& settings) -> SystemModel {
                return PanelModel{data_->lattice, model(settings).as<PanelModel>()->matrix, own};
            },
            [this, own](const RunSettings& settings, const SourcePlace& place) {
                return sourceOf(*own, settings, place);
            }};
}

ViewLayout PanelMeasurement::layout() const {
    const PanelGeometry& g = data_->geometry;
    ViewLayout layout;
    layout.axes[0] = {"step along y", steps(g.crystals[0]), {}, g.crystals[0] - 1};
    layout.axes[1] = {"step along z", steps(g.crystals[1]), {}, g.crystals[1] - 1};
    const std::size_t views = layout.axes[0].values.size() * layout.axes[1].values.size();
    for (std::size_t view = 0; view < views; ++view) {
        layout.views.emplace_back(view);
    }
    return layout;
}

std::vector<std::size_t> PanelMeasurement::viewCounts() const {
    return {static_cast<std::size_t>(2 * data_->geometry.crystals[0] - 1),
            static_cast<std::size_t>(2 * data_->geometry.crystals[1] - 1)};
}

PanelMeasurement::Place PanelMeasurement::placeOf(std::size_t view) const {
    const PanelGeometry& g = data_->geometry;
    const auto across = static_cast<std::size_t>(2 * g.crystals[0] - 1);
    if (view >= across * static_cast<std::size_t>(2 * g.crystals[1] - 1)) {
        throw WrongUse(fmt::format("view {}: two panels of {} x {} crystals have {}", view, g.crystals[0],
                                   g.crystals[1], across * static_cast<std::size_t>(2 * g.crystals[1] - 1)));
    }
    const int dy = static_cast<int>(view % across) - g.crystals[0] + 1;
    const int dz = static_cast<int>(view / across) - g.crystals[1] + 1;
    Place place;
    place.orientation = {std::abs(dy), std::abs(dz), 0, 0};
    place.sign = (dy < 0 ? 1 : 0) + (dz < 0 ? (dy != 0 ? 2 : 1) : 0);
    place.first = starts()[static_cast<std::size_t>(place.orientation.index(g))] +
                  static_cast<std::size_t>(place.sign) *
                      static_cast<std::size_t>(place.orientation.shiftsY(g) * place.orientation.shiftsZ(g));
    return place;
}

Volume PanelMeasurement::picture(const Place& place, const float* values) const {
    const PanelGeometry& g = data_->geometry;
    const Lattice lattice = Lattice::centred({1, place.orientation.shiftsY(g), place.orientation.shiftsZ(g)},
                                             {g.planes * g.planeSpacing_mm, g.pitch_mm[0], g.pitch_mm[1]});
    Volume volume(lattice, 0.0F);
    std::copy(values, values + volume.data.size(), volume.data.begin());
    volume.units = "events/bin";
    return volume;
}

Volume PanelMeasurement::view(std::size_t view, DataQuantity quantity) const {
    const std::span<const float> array = measured(quantity);
    const Place place = placeOf(view);
    if (array.empty()) {
        const std::vector<float> none(
            static_cast<std::size_t>(data_->geometry.headCrystals()),
            quantity == DataQuantity::Mult || quantity == DataQuantity::Att ? 1.0F : 0.0F);
        return picture(place, none.data());
    }
    Volume volume = picture(place, array.data() + place.first);
    volume.units = quantity == DataQuantity::Counts ? "events/bin"
                   : quantity == DataQuantity::Mult ? "1"
                                                    : "counts/bin";
    return volume;
}

Volume PanelMeasurement::expected(std::size_t view, const Volume& image, const RunSettings& settings,
                                  const EngineRegistry& engines) const {
    requireLattice(*this, image);
    const PanelGeometry& g = data_->geometry;
    const Place place = placeOf(view);
    // The class alone.
    auto alone = std::make_shared<PanelParts>();
    alone->classes = {{place.orientation.index(g)}};
    alone->partSize = static_cast<std::size_t>(place.orientation.lors(g));
    std::shared_ptr<const PanelMatrix> matrix = kept();
    if (matrix == nullptr) {
        matrix = std::make_shared<const PanelMatrix>(oneKernel(g, place.orientation, settings.threads));
    }
    const std::vector<float> all =
        projected(image, PanelModel{data_->lattice, std::move(matrix), alone}, settings, engines);
    const std::size_t first = place.first - starts()[static_cast<std::size_t>(place.orientation.index(g))];
    Volume expected = picture(place, all.data() + first);
    correct(expected, *this, view);
    expected.units = "events/bin";
    return expected;
}

std::vector<double> PanelMeasurement::viewTotals() const {
    const PanelGeometry& g = data_->geometry;
    const std::vector<std::size_t> counts = viewCounts();
    std::vector<double> totals;
    totals.reserve(counts[0] * counts[1]);
    for (std::size_t view = 0; view < counts[0] * counts[1]; ++view) {
        const Place place = placeOf(view);
        const auto from = data_->counts.begin() + static_cast<std::ptrdiff_t>(place.first);
        totals.push_back(
            std::accumulate(from, from + place.orientation.shiftsY(g) * place.orientation.shiftsZ(g), 0.0));
    }
    return totals;
}

}  // namespace tof
