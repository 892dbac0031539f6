// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/line_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/base/view.h"
#include "recon/simulate/point_spread.h"
#include "recon/sources/list_source.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/line_settings.h"

namespace tof {

namespace {

constexpr int kTilts = 9;
constexpr int kAzimuths = 180;

/// Slope of the steepest line through the centre: lines beyond it are in the outermost classes.
double steepest(const LineData& data) {
    double low = 0;
    double high = 0;
    double radius = 0;
    for (const Vec3& p : data.events->points) {
        low = std::min(low, p.z);
        high = std::max(high, p.z);
        radius = std::max(radius, std::hypot(p.x, p.y));
    }
    return radius > 0 ? (high - low) / (2 * radius) : 0;
}

std::size_t tiltClasses(double steepestSlope) {
    return steepestSlope > 0 ? kTilts : 1;
}

/// A line as it passes the axis.
struct Passage {
    double phi = 0;    ///< azimuth, 0 <= phi < pi
    double s_mm = 0;   ///< signed distance along r of that azimuth
    double z_mm = 0;   ///< where it is nearest the axis
    double slope = 0;  ///< dz per mm across, towards phi
};

/// False for a line along the axis, which has no azimuth.
bool passageOf(Vec3 a, Vec3 b, Passage& passage) {
    Vec3 d{b.x - a.x, b.y - a.y, b.z - a.z};
    if (d.y < 0 || (d.y == 0 && d.x < 0)) {
        d = {-d.x, -d.y, -d.z};
    }
    const double across = std::hypot(d.x, d.y);
    if (!(across > 0)) {
        return false;
    }
    const double along = (a.x * d.x + a.y * d.y) / across;
    passage.phi = std::atan2(d.y, d.x);
    passage.s_mm = (a.y * d.x - a.x * d.y) / across;
    passage.slope = d.z / across;
    passage.z_mm = a.z - along * passage.slope;
    return true;
}

std::size_t classOf(double slope, double steepestSlope) {
    const std::size_t classes = tiltClasses(steepestSlope);
    if (classes == 1) {
        return 0;
    }
    const double place = 0.5 * (slope / steepestSlope + 1) * static_cast<double>(classes);
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(classes) - 1));
}

/// Calls visit(passage, class, counts) for every line.
template <typename Visit>
void forEachLine(const LineData& data, const Visit& visit) {
    const double slope = steepest(data);
    const LineEvents& events = *data.events;
    Passage passage;
    for (std::size_t i = 0; i < events.pairs.size(); ++i) {
        if (passageOf(events.points[events.pairs[i][0]], events.points[events.pairs[i][1]], passage)) {
            visit(passage, classOf(passage.slope, slope), data.counts.empty() ? 1.0F : data.counts[i]);
        }
    }
}

Lattice viewLattice(const Lattice& image) {
    const double width = image.size[0] * image.spacing_mm[0];
    const double height = image.size[1] * image.spacing_mm[1];
    const double step = image.spacing_mm[0];
    const int beside = static_cast<int>(0.5 * std::max(width, height) / step);
    Lattice lattice = Lattice::centred({2 * beside + 1, kAzimuths, image.size[2]},
                                       {step, height / kAzimuths, image.spacing_mm[2]});
    lattice.origin_mm.z = image.origin_mm.z;
    return lattice;
}

/// Middles of the classes, degrees, ascending.
std::vector<double> tiltsOf(const LineData& data) {
    const double slope = steepest(data);
    const std::size_t classes = tiltClasses(slope);
    std::vector<double> degrees;
    for (std::size_t c = 0; c < classes; ++c) {
        const double place = (static_cast<double>(c) + 0.5) / static_cast<double>(classes);
        degrees.push_back(std::atan(slope * (2 * place - 1)) / kRadPerDeg);
    }
    return degrees;
}

/// Lines of one rank, with what is known of each.
struct OwnLines {
    LineEvents lines;
    std::vector<float> counts;
    std::vector<float> mult;
    std::vector<float> add;
};

/// Parts of each of so many blocks of a list, none larger than usual.
std::size_t usualPieces(std::size_t events, std::size_t blocks) {
    constexpr std::size_t kMost = std::size_t{5} << 20U;
    return (events + blocks * kMost - 1) / (blocks * kMost);
}

/// Elements [from, to); of nothing nothing.
template <typename T>
void append(const std::vector<T>& all, std::size_t from, std::size_t to, std::vector<T>& out) {
    if (!all.empty()) {
        out.insert(out.end(), all.begin() + static_cast<std::ptrdiff_t>(from),
                   all.begin() + static_cast<std::ptrdiff_t>(to));
    }
}

/// Line integrals by an engine.
std::vector<float> integralsBy(const SourcePlace& place, const LineModel& model, const Volume& volume) {
    EngineOptions options = place.options;
    options.strategy.clear();  // that of the run may follow lines in another way
    Space& space = *place.placed.space;
    const std::unique_ptr<Projector> projector =
        requireProjector(place.engine, model, place.placed.space, options);
    Array image = space.allocate(projector->imageSize());
    space.upload(volume.data, image.view());
    std::vector<std::size_t> firsts(projector->parts() + 1);
    for (std::size_t part = 0; part < projector->parts(); ++part) {
        firsts[part + 1] = firsts[part] + projector->dataSize(part);
    }
    std::vector<float> integrals = largeArray<float>(firsts.back(), place.pool());
    for (std::size_t part = 0; part < projector->parts(); ++part) {
        place.heed();
        const std::size_t size = projector->dataSize(part);
        Array along = space.allocate(size);
        projector->forward(part, image.view(), along.view());
        space.download(along.view(), std::span(integrals).subspan(firsts[part], size));
    }
    return integrals;
}

/// What follows the attenuation of a list's possible lines: a device's engine, or none where host memory is
/// all the same.
LineIntegrals integralsOn(const SourcePlace& place) {
    if (place.placed.space->hostMemory()) {
        return {};
    }
    return
        [&place](const LineModel& model, const Volume& volume) { return integralsBy(place, model, volume); };
}

}  // namespace

std::string LineMeasurement::kind() const {
    return "lines";
}

std::string LineMeasurement::system() const {
    return LineModel::kSystem;
}

ScannerText LineMeasurement::scannerJson() const {
    return data_->scannerJson();
}

std::string LineMeasurement::units() const {
    return data_->absolute ? kEmissionsPerVoxel : kCountsPerMm;
}

EventTally LineMeasurement::events() const {
    const auto lines = static_cast<double>(data_->events->pairs.size());
    return {lines, hasCounts() ? 0 : lines + static_cast<double>(data_->rejected)};
}

std::shared_ptr<const LineHistogram> LineMeasurement::histogram() const {
    std::call_once(histogramMade_, [&] {
        histogram_ = std::make_shared<const LineHistogram>(
            lineHistogram(*data_->events, data_->counts, data_->mult, data_->add));
    });
    return histogram_;
}

std::shared_ptr<const LineEvents> LineMeasurement::lines() const {
    return hasCounts() ? histogram()->lines : data_->events;
}

std::size_t LineMeasurement::memoryBytes() const {
    const LineEvents& held = *lines();
    const std::size_t ofLines = held.points.size() * sizeof(Vec3) +
                                held.pairs.size() * sizeof(held.pairs.front()) +
                                held.dt_ps.size() * sizeof(float);
    if (hasCounts()) {
        const LineHistogram& parted = *histogram();
        return ofLines + (parted.counts.size() + parted.mult.size() + parted.add.size()) * sizeof(float);
    }
    return ofLines + (data_->mult.size() + data_->add.size()) * sizeof(float);
}

std::vector<std::size_t> LineMeasurement::order(std::uint64_t seed) const {
    return spreadOrder(lines()->parts(), seed);
}

std::shared_ptr<const PointSpread> LineMeasurement::spread(
    const RunSettings& settings, const std::function<void(double)>& progress) const {
    if (!goesByScanner(settings)) {
        return nullptr;
    }
    const std::shared_ptr<const Scanner>& scanner = data_->possible.scanner;
    if (scanner == nullptr) {
        throw WrongUse(
            "these data do not bring the scanner whose crystals psf-model 'scanner' goes by; take 'even' "
            "and a width (psf)");
    }
    std::call_once(spread_->made, [&] {
        const ThreadPool pool(settings.threads);
        spread_->spread = std::make_shared<const PointSpread>(pointSpreadOf(*scanner, pool, progress));
    });
    return spread_->spread;
}

LineModel LineMeasurement::modelOn(const Lattice& lattice, const RunSettings& settings) const {
    return lineModel(lattice, settings, spread(settings, {}));
}

std::shared_ptr<const LineMeasurement> LineMeasurement::ofThisScanner(LineData data) const {
    auto other = std::make_shared<LineMeasurement>(std::move(data));
    other->spread_ = spread_;
    return other;
}

void LineMeasurement::prepare(const RunSettings& settings, const SetUp& setUp) const {
    static_cast<void>(spread(settings, [&](double share) { setUp.progress("point spread", share); }));
}

SystemModel LineMeasurement::model(const RunSettings& settings) const {
    LineModel model = modelOn(data_->lattice, settings);
    model.lines = lines();
    return model;
}

std::shared_ptr<const Measurement> LineMeasurement::onLattice(const Lattice& lattice) const {
    LineData data = *data_;
    fitVoxels(data, lattice);
    return ofThisScanner(std::move(data));
}

std::shared_ptr<const Measurement> LineMeasurement::inBlocks(std::size_t blocks) const {
    constexpr std::size_t kFewest = 100000;
    constexpr std::size_t kLargeLattice = std::size_t{1} << 24U;
    const LineEvents& events = *data_->events;
    const std::size_t parts = events.parts();
    const std::size_t most = events.pairs.size() / kFewest;
    if (hasCounts() || !events.firsts.empty() || blocks == 0 || most < std::min(blocks, parts + 1)) {
        return nullptr;
    }
    const std::size_t alike = std::min(blocks, most);
    const std::size_t asked = alike * usualPieces(events.pairs.size(), alike);
    const bool serve = parts % alike == 0 && (parts <= asked || data_->lattice.voxels() < kLargeLattice);
    if (serve) {
        return nullptr;
    }
    LineData data = *data_;
    const ThreadPool pool;
    auto own = std::make_shared<LineEvents>();
    own->points = events.points;
    own->pairs = largeCopy(events.pairs, pool);
    own->dt_ps = largeCopy(events.dt_ps, pool);
    own->tof = events.tof;
    own->eventsPerPart = (events.pairs.size() + asked - 1) / asked;
    data.events = std::move(own);
    return ofThisScanner(std::move(data));
}

nlohmann::ordered_json LineMeasurement::describe(const RunSettings& settings) const {
    nlohmann::ordered_json described = describeLines(settings);
    // These lines expect what the factor was made for: CASToR's histograms, and factors of its lists.
    if (!data_->absolute && data_->calibration != 1 && (hasCounts() || !data_->possible.mult.empty())) {
        described["calibration_factor"] = data_->calibration;
    }
    return described;
}

std::vector<float> LineMeasurement::sensitivity(const RunSettings& settings, const SourcePlace& place) const {
    const AllLines all = allLines(*data_, place.pool(), integralsOn(place));
    LineModel model = modelOn(data_->lattice, settings);
    model.lines = all.lines;
    if (!data_->michelogram) {
        model.radialRays = 1;
        model.axialRays = 1;
    }
    const std::shared_ptr<Space>& space = place.placed.space;
    const std::unique_ptr<Projector> projector = requireProjector(place.engine, model, space, place.options);
    const std::unique_ptr<DataSource> source =
        placedSource(all.data, space, space->bytesFree(), place.options.threads);
    std::vector<std::size_t> parts(projector->parts());
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    const auto ranks = static_cast<std::size_t>(place.ranks->size());
    const auto rank = static_cast<std::size_t>(place.ranks->rank());
    Array scratch = space->allocate(projector->dataSize(0));
    Array image = space->allocate(projector->imageSize());
    // The sum of hundreds of parts depends on who adds which in its sixth digit, unless it goes on in double:
    // not so that of a few, which one rank adds up.
    constexpr std::size_t kAddedInFloat = 8;
    std::vector<float> sensitivity(image.size());
    std::vector<double> sum(image.size());
    for (std::size_t begin = rank * kAddedInFloat; begin < parts.size(); begin += ranks * kAddedInFloat) {
        const std::size_t count = std::min(kAddedInFloat, parts.size() - begin);
        backMult(*projector, *source, std::span<const std::size_t>(parts).subspan(begin, count),
                 scratch.view(), {}, image.view(), place.heed);
        space->download(image.view(), sensitivity);
        std::transform(sum.begin(), sum.end(), sensitivity.begin(), sum.begin(),
                       [](double before, float more) { return before + static_cast<double>(more); });
    }
    place.ranks->sum(sum);
    std::transform(sum.begin(), sum.end(), sensitivity.begin(),
                   [](double value) { return static_cast<float>(value); });
    return sensitivity;
}

std::shared_ptr<DataSource> LineMeasurement::source(const RunSettings& settings,
                                                    const SourcePlace& place) const {
    const std::string key = sensitivityKey(*this, settings, place, data_->hash);
    if (hasCounts()) {
        return sourceOfParts(partsOf(histogram()), place, key);
    }
    if (settings.algorithm().algorithm->residuals == Residuals::OfUpdate) {
        throw WrongUse(
            "algorithm '{}' needs bins, those without counts included, and a list has events alone; bin the "
            "list into sinograms or histo-images, or take another algorithm",
            settings.algorithmName);
    }
    SensitivityCache* const cache = place.sensitivities.get();
    const std::string keyOfList = "list " + key;
    std::optional<std::vector<float>> known =
        cache != nullptr ? cache->find(keyOfList) : std::optional<std::vector<float>>();
    if (!known) {
        known = sensitivity(settings, place);
        if (cache != nullptr) {
            cache->put(keyOfList, *known);
        }
    }
    return std::make_shared<ListSource>(data_->events, *known, data_->mult, data_->add,
                                        data_->possible.totalAdd, place.placed.space);
}

std::shared_ptr<const Measurement> LineMeasurement::frameAlone(std::size_t frame) const {
    const FramedCounts& frames = *data_->frames;
    LineData own = someLines(*data_, frames.frames.at(frame).voxels);
    own.frames = nullptr;
    if (frames.moved()) {
        own.possible.poses = frames.frames[frame].moved.shares;
        own.hash += fmt::format(" frame {}", frames.alikeTo(frame));  // sensitivities are of its own poses
    }
    auto lines = std::make_shared<LineEvents>(*own.events);
    const std::size_t parts = data_->events->parts();
    lines->eventsPerPart = std::max<std::size_t>((lines->pairs.size() + parts - 1) / parts, 1);
    own.events = std::move(lines);
    const double share = frames.addShareOf(frame);
    const double more = frames.moreRandomsOf(frame);
    const std::vector<std::uint32_t>& which = frames.frames[frame].voxels;
    own.possible.totalAdd = share * own.possible.totalAdd + more * frames.totalRandoms;
    for (std::size_t i = 0; i < own.add.size(); ++i) {
        const double randoms = more != 0 ? static_cast<double>((*frames.randoms)[which[i]]) : 0.0;
        own.add[i] = static_cast<float>(share * static_cast<double>(own.add[i]) + more * randoms);
    }
    return ofThisScanner(std::move(own));
}

RankShare LineMeasurement::share(const RankRequest& request) const {
    const std::shared_ptr<const LineEvents> all = lines();
    std::vector<std::size_t> sizes;
    for (std::size_t part = 0; part < all->parts(); ++part) {
        sizes.push_back(all->partSize(part));
    }
    const std::vector<PartStretch> stretches = evenStretches(request, sizes);
    // The largest first, as LineEvents wants them.
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t two) {
        return stretches[one].size() > stretches[two].size();
    });
    RankDivision division;
    division.pieces.resize(sizes.size());
    auto own = std::make_shared<OwnLines>();
    own->lines.points = all->points;
    own->lines.tof = all->tof;
    own->lines.eventsPerPart = stretches[order.front()].size();
    const std::vector<float>& counts = hasCounts() ? histogram()->counts : data_->counts;
    const std::vector<float>& mult = hasCounts() ? histogram()->mult : data_->mult;
    const std::vector<float>& add = hasCounts() ? histogram()->add : data_->add;
    for (const std::size_t part : order) {
        const PartStretch& stretch = stretches[part];
        division.pieces[part].whole = stretch.whole;
        if (stretch.size() > 0) {
            const std::size_t parts = own->lines.firsts.size();
            division.pieces[part] = {{parts}, parts, stretch.whole};
            own->lines.firsts.push_back(own->lines.pairs.size());
            const std::size_t from = all->firstOf(part) + stretch.begin;
            const std::size_t to = all->firstOf(part) + stretch.end;
            append(all->pairs, from, to, own->lines.pairs);
            append(all->dt_ps, from, to, own->lines.dt_ps);
            append(counts, from, to, own->counts);
            append(mult, from, to, own->mult);
            append(add, from, to, own->add);
        }
    }
    if (own->lines.pairs.empty()) {
        throw WrongUse(
            fmt::format("{} events are too few for {} ranks; start fewer", all->pairs.size(), request.size));
    }
    const WholeList whole{all->pairs.size(), all->eventsPerPart};
    return {std::move(division),
            [this, own](const RunSettings& settings) -> SystemModel {
                LineModel model = modelOn(data_->lattice, settings);
                model.lines = std::shared_ptr<const LineEvents>(own, &own->lines);
                return model;
            },
            [this, own, whole](const RunSettings& settings,
                               const SourcePlace& place) -> std::shared_ptr<DataSource> {
                const std::shared_ptr<const LineEvents> mine(own, &own->lines);
                if (hasCounts()) {
                    return sourceOfParts({own->counts,
                                          own->mult,
                                          own->add,
                                          mine->parts(),
                                          mine->eventsPerPart,
                                          own,
                                          {},
                                          own->lines.firsts},
                                         place, {});
                }
                return std::make_shared<ListSource>(mine, sensitivity(settings, place), own->mult, own->add,
                                                    data_->possible.totalAdd, place.placed.space, whole);
            }};
}

ViewLayout LineMeasurement::layout() const {
    ViewLayout layout;
    auto& [tilts, times] = layout.axes;
    tilts = {"tilt", tiltsOf(*data_), {}, {}};
    tilts.start = static_cast<int>(tilts.values.size()) / 2;  // the flat ones
    times = {"time bin", {0}, {}, 0};                         // all in one
    for (std::size_t view = 0; view < tilts.values.size(); ++view) {
        layout.views.emplace_back(view);
    }
    return layout;
}

std::vector<std::size_t> LineMeasurement::viewCounts() const {
    return {};
}

bool LineMeasurement::shows(DataQuantity quantity) const {
    return quantity == DataQuantity::Counts;
}

Volume LineMeasurement::view(std::size_t tilt, DataQuantity quantity) const {
    if (!shows(quantity)) {
        throw WrongUse(quantityName(quantity) + ": lines of response are shown as counts alone");
    }
    const std::size_t classes = tiltClasses(steepest(*data_));
    if (tilt >= classes) {
        throw WrongUse(fmt::format("tilt {}: the lines are sorted into {}", tilt, classes));
    }
    Volume volume(viewLattice(data_->lattice), 0.0F);
    const Lattice& lattice = volume.lattice;
    forEachLine(*data_, [&](const Passage& line, std::size_t itsClass, float counts) {
        if (itsClass != tilt) {
            return;
        }
        const auto x =
            static_cast<int>(std::lround((line.s_mm - lattice.origin_mm.x) / lattice.spacing_mm[0]));
        const int y = std::min(static_cast<int>(line.phi / kPi * kAzimuths), kAzimuths - 1);
        const auto z =
            static_cast<int>(std::lround((line.z_mm - lattice.origin_mm.z) / lattice.spacing_mm[2]));
        if (lattice.contains(x, y, z)) {
            volume.at(x, y, z) += counts;
        }
    });
    volume.units = "events/bin";
    return volume;
}

Volume LineMeasurement::expected(std::size_t /*view*/, const Volume& /*image*/,
                                 const RunSettings& /*settings*/, const EngineRegistry& /*engines*/) const {
    throw WrongUse("lines of response are shown as counts alone; bin them into sinograms for the rest");
}

std::vector<double> LineMeasurement::viewTotals() const {
    std::vector<double> totals(tiltClasses(steepest(*data_)), 0.0);
    forEachLine(*data_, [&](const Passage&, std::size_t itsClass, float counts) {
        totals[itsClass] += static_cast<double>(counts);
    });
    return totals;
}

}  // namespace tof
