// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/screen.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/kinetics/parametric_images.h"

namespace tof::ui {

namespace {

/// The largest SD over mean that a background is taken to have: an analytic image of few counts has 1.3.
constexpr double kMostNoise = 3;

/// So many voxels are measured while the window waits: that takes 10 ms with voxels of 2 mm and 80 ms with
/// those of 1 mm, in which the sphere of a peak holds a thousand. Ten million take seconds.
constexpr double kManyVoxels = 50'000;

/// About how many voxels of a lattice are looked at for an ROI: those of a region, or all that the bounds of
/// a shape hold.
double voxelsOf(const Roi& roi, const Lattice& lattice) {
    const auto& spacing = lattice.spacing_mm;
    if (roi.shape == Roi::Shape::Region) {
        const auto& own = roi.region->lattice.spacing_mm;
        const double larger = own[0] * own[1] * own[2] / (spacing[0] * spacing[1] * spacing[2]);
        return static_cast<double>(roi.region->voxels()) * larger;
    }
    const auto [low, high] = roiBounds(roi);
    double voxels = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!isFlat(roi.shape) || axis != planeFrame(roi.plane).normal) {
            voxels *= std::clamp((high[axis] - low[axis]) / spacing[axis], 1.0,
                                 static_cast<double>(lattice.size[axis]));
        }
    }
    return voxels;
}

/// Whether each row of the figures is that of the ROI at its place.
bool areOf(const Figures& figures, const std::vector<Roi>& rois) {
    return std::equal(figures.rois.begin(), figures.rois.end(), rois.begin(), rois.end(),
                      [](const RoiFigures& row, const Roi& roi) { return row.name == roi.name; });
}

/// What may not be said of images of a kind is not there.
Figures onlyWhatCounts(Figures figures, const KindRow& which) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    if (!which.truth) {
        figures.trueCrc = figures.overshoot = none;
        for (RoiFigures& roi : figures.rois) {
            roi.trueCrc = roi.overshoot = none;
        }
    }
    if (!which.contrast) {
        figures.crc = figures.crcSd = figures.noise = figures.nsr = none;
        for (RoiFigures& roi : figures.rois) {
            roi.crc = roi.contrastRecovery = none;
            roi.hasCrc = roi.hasContrastRecovery = false;
        }
    }
    return figures;
}

}  // namespace

Screen::Screen(ViewModel& view, RunList& runs, const RoiModel& rois, const OpenStudy& study,
               const Uptakes& uptakes, const Calibrations& calibrations, TaskQueue& tasks,
               std::shared_ptr<ImageFacts> facts)
    : view_(view),
      runs_(runs),
      rois_(rois),
      study_(study),
      uptakes_(uptakes),
      calibrations_(calibrations),
      tasks_(tasks),
      facts_(std::move(facts)),
      ranging_(tasks.threading()),
      sampling_(tasks.threading()),
      averaging_(tasks.threading()),
      measuring_(tasks.threading()) {
    connect(&runs_, &RunList::changed, this, [this] {
        fetchMissing();
        averageFrames();
        refresh();
    });
    connect(&view_, &ViewModel::changed, this, [this] {
        const RunItem* item = runs_.onScreen();
        const bool otherLook =
            item != nullptr && item->lattice().voxels() > 0 && lookKey(*item) != view_.lookKey();
        if (otherLook || (view_.followsSource() && !view_.rangeSource())) {
            refresh();
        }
    });
}

Screen::~Screen() {
    stop();
}

void Screen::stop() {
    stopped_ = true;
    wish_.end();
    measuringWish_.end();
    sampling_.join();
    ranging_.join();
    averaging_.join();
    measuring_.join();
}

// ---- units ----

double Screen::duration_s(const RunItem& item) const {
    const auto& data = study_.measurement();
    const double measured_s = data != nullptr ? data->duration_s() : 0;
    const bool known =
        measured_s > 0 && std::all_of(runs_.items().begin(), runs_.items().end(), [&](const auto& i) {
            return i->volume() == nullptr || i->units() != item.units() || i->dataHash() == data->hash();
        });
    return known ? measured_s : 0;
}

std::optional<DisplayUnit> Screen::suvOf(const RunItem& item, const Uptake& uptake) const {
    return suvUnit(item.units(), item.lattice(), duration_s(item), uptake);
}

DisplayUnit Screen::unitOf(const RunItem& item) const {
    if (item.statedFactor() != 1 && !calibrations_.state().shown) {
        return {1 / item.statedFactor(), {}};
    }
    const double measured_s = duration_s(item);
    const Uptakes::Entry* entry = uptakes_.of(item);
    if (entry != nullptr && entry->shown) {
        if (const auto suv = suvUnit(item.units(), item.lattice(), measured_s, entry->uptake)) {
            return *suv;
        }
    }
    if (measured_s > 0 && calibrations_.state().shown) {
        if (const double factor = calibrations_.bqMlPerStored(item, *study_.measurement()); factor > 0) {
            return {factor, "Bq/ml"};
        }
    }
    // Without SUV nobody says what the nuclide is: it is fluorine-18 then.
    return displayUnit(item.units(), item.lattice(), measured_s, units_,
                       entry != nullptr ? entry->uptake : Uptake());
}

QString Screen::whyNoActivity(const RunItem& item) const {
    const QString unit = unitOf(item).name;
    const QString off = tr("Bq/ml by calibration are switched off: Tools > Values in Bq/ml");
    if (item.statedFactor() != 1 && !calibrations_.state().shown) {
        return off;
    }
    if (item.isVolume() && unit.isEmpty()) {
        return tr("Its file does not say in which unit its values are");
    }
    if (item.isVolume() || unit.contains("Bq") || unit.startsWith(kSuv)) {
        return {};
    }
    const QString why = calibrations_.whyNot(item, study_.measurement().get());
    return why.isEmpty() ? off : why;
}

KindRow Screen::kindOf(const RunItem& item) const {
    KindRow row = kindRow(imageKind(item, &uptakes_));
    row.total = row.total && item.units() == kEmissionsPerVoxel;
    // Values around 0, as those of a difference, are no activity whatever they come from.
    const auto last = measured_.find(item.id());
    row.lost = row.kind == ImageKind::Pet && item.volume() != nullptr && last != measured_.end() &&
               item.volume() == last->second.of.volume.lock() &&
               (last->second.figures.noise <= 0 || last->second.figures.noise > kMostNoise);
    row.contrast = row.contrast && !row.lost;
    return row;
}

KindRow Screen::kind() {
    const RunItem* item = runs_.onScreen();
    return item != nullptr ? kindOf(*item) : kindRow(ImageKind::Run);
}

DisplayUnit Screen::unit() {
    const RunItem* item = runs_.onScreen();
    return item != nullptr ? unitOf(*item) : DisplayUnit{};
}

void Screen::setUnits(UnitsShown units) {
    if (units != units_) {
        units_ = units;
        refresh();
        runs_.touch();
    }
}

// ---- images ----

QString Screen::lookKey(const RunItem& item) const {
    if (!view_.linked()) {
        return "image " + item.label();
    }
    if (item.units().isEmpty()) {  // values of another file may be a million times as large
        return "image " + item.label();
    }
    const QString look = kindOf(item).look;
    if (const DisplayUnit unit = unitOf(item); unit.name.startsWith(kSuv) && unit.factor != 1) {
        // Ranges are of stored values: those of two patients do not mean the same SUV.
        return look +
               QString("%1 %2").arg(unit.name).arg(item.units() == kEmissionsPerVoxel ? 0 : unit.factor);
    }
    return look + item.units();
}

Look Screen::lookOf(const RunItem& item) const {
    const QString key = lookKey(item);
    return view_.hasLook(key) ? view_.lookOf(key) : firstLook(kindOf(item), view_.usualLook());
}

DisplayRange Screen::automaticRange(const std::shared_ptr<const Volume>& volume, DisplayRange meanwhile) {
    return rangeOf(volume).value_or(meanwhile);
}

std::optional<DisplayRange> Screen::rangeOf(const std::shared_ptr<const Volume>& volume) {
    if (tasks_.threading() == Threading::Inline) {
        return facts_->range(volume);
    }
    auto known = facts_->knownRange(volume);
    if (!known && !stopped_ && !ranging_.busy()) {  // what comes meanwhile is asked for again by the touch
        ranging_.start([facts = facts_, volume] { facts->range(volume); },
                       [this](const std::exception_ptr&) {
                           refresh();
                           runs_.touch();
                       });
    }
    return known;
}

/// The newest whole iterate, or the one that is meant; null where it is not in memory.
std::shared_ptr<const Volume> Screen::imageOf(const RangeSource& source) {
    const RunItem* item = runs_.find(source.run);
    if (item != nullptr && item->dynamic() != nullptr) {
        return item->timeMean();  // frames are compared by eye
    }
    if (item == nullptr || item->images().empty()) {
        return nullptr;
    }
    return item->kept(source.iterate > 0 ? source.iterate : item->iterates().back()).volume;
}

void Screen::refresh() {
    RunItem* item = runs_.onScreen();
    if (item == nullptr) {
        return;
    }
    if (item->lattice().voxels() > 0) {
        view_.useLook(lookKey(*item), lookOf(*item));
        view_.setUnit(unitOf(*item));
    }
    const auto volume = item->volume();
    if (volume == nullptr) {
        return;
    }
    view_.setLattice(volume->lattice);
    const auto whole = item->wholeVolume();
    auto own = rangeOf(whole != nullptr ? whole : volume);
    if (!own && view_.followsSource() && view_.range() == DisplayRange{}) {
        own = facts_->range(whole != nullptr ? whole : volume);  // no older range to show it with meanwhile
    }
    if (view_.followsSource()) {
        if (!view_.rangeSource() && whole != nullptr) {
            view_.setRangeSource({item->label(), item->isVolume() ? 0 : item->shown()});
        }
        // Before the first whole iterate there is nothing but what is on screen.
        const auto source = view_.rangeSource() ? imageOf(*view_.rangeSource()) : nullptr;
        if (source != nullptr) {
            // The values on screen stay, whatever the size of a voxel.
            const RunItem* from = runs_.find(view_.rangeSource()->run);
            const DisplayUnit unit = unitOf(*from);
            const auto known = rangeOf(source);
            const DisplayRange range = known.value_or(DisplayRange{});
            const bool same = unit.name == view_.unit().name;
            const auto here = [&](double v) { return same ? view_.unit().stored(unit.shown(v)) : v; };
            if (known) {
                view_.setAutomaticRange(
                    unit == view_.unit() ? range : DisplayRange{here(range.low), here(range.high)});
            }
        } else if (!view_.rangeSource() && own) {
            view_.setAutomaticRange(*own);
        }
    }
    if (own) {
        view_.setRangeOfShown(*own);
    }
    if (whole != nullptr) {
        view_.offer(whole);
    }
}

void Screen::fetchMissing() {
    const auto missing = [](const RunItem* item) { return item != nullptr && item->missingImage() > 0; };
    RunItem* item = runs_.selected();
    if (!missing(item)) {
        // Compare and profiles show the others, too.
        const auto& items = runs_.items();
        const auto other =
            std::find_if(items.begin(), items.end(), [&](const auto& i) { return missing(i.get()); });
        item = other != items.end() && fetching_ == std::pair{0, 0} ? other->get() : nullptr;
    }
    if (item == nullptr) {
        return;
    }
    const std::pair<int, int> wanted{item->id(), item->missingImage()};
    if (fetching_ == wanted) {
        return;
    }
    fetching_ = wanted;
    const auto image = std::make_shared<KeptImage>(item->kept(wanted.second));
    tasks_.add(
        (item->dynamic() != nullptr ? tr("Reading frame %1") : tr("Reading iterate %1")).arg(wanted.second),
        [image, facts = facts_](TaskControl& control) {
            image->volume = image->get([&control] { control.checkpoint(); });
            facts->range(image->volume);
        },
        [this, image, wanted] {
            fetching_ = {0, 0};
            if (RunItem* target = runs_.find(wanted.first)) {
                target->addImage(wanted.second, image->volume);
                runs_.trim();
                runs_.touch();
            }
        });
}

void Screen::averageFrames() {
    const auto& items = runs_.items();
    const auto found = std::find_if(items.begin(), items.end(), [](const auto& item) {
        return !(item->framesWanted() == item->framesShown());
    });
    if (found == items.end() || stopped_ || averaging_.busy()) {
        return;  // what comes meanwhile is asked for again by the touch
    }
    const RunItem& item = **found;
    const FrameRange frames = item.framesWanted();
    std::vector<KeptImage> sources;
    for (int frame = frames.first; frame <= frames.last; ++frame) {
        sources.push_back(item.kept(frame));
    }
    const auto mean = std::make_shared<Volume>();
    averaging_.start(
        [mean, sources = std::move(sources), info = *item.dynamic(), first = frames.first, wish = wish_] {
            DynamicInfo those = info;
            those.frames.erase(those.frames.begin(), those.frames.begin() + first - 1);
            std::shared_ptr<const Volume> held;
            *mean = meanOfFrames(those, 0, sources.size() - 1,
                                 [&](std::size_t frame) -> const std::vector<float>& {
                                     held = sources[frame].get(wish);
                                     return held->data;
                                 });
        },
        [this, mean, frames, id = item.id()](const std::exception_ptr& fault) {
            RunItem* target = runs_.find(id);
            if (target != nullptr && fault != nullptr) {
                target->show(frames.first);  // which is read anew, and says why it cannot be
            } else if (target != nullptr) {
                target->setMean(frames, mean);
            }
            runs_.touch();
        });
}

// ---- figures ----

bool Screen::takesLong(const Lattice& lattice) const {
    if (tasks_.threading() == Threading::Inline) {
        return false;
    }
    double voxels = 0;
    for (const Roi& roi : rois_.rois()) {
        voxels += voxelsOf(roi, lattice);
    }
    return voxels > kManyVoxels;
}

std::function<Screen::Evaluator()> Screen::evaluatorOn(const Lattice& lattice) {
    const bool here = evaluator_ != nullptr && evaluator_->lattice() == lattice;
    // It lacks a truth that was still being sampled when it was made.
    const bool whole = here && evaluator_->set().truth == rois_.set().truth;
    if (whole && evaluatorRevision_ == rois_.revision()) {
        return [ready = evaluator_] { return ready; };
    }
    return [set = roisOn(lattice), before = here ? evaluator_ : nullptr, lattice] {
        return before != nullptr ? std::make_shared<const FigureEvaluator>(set, *before)
                                 : std::make_shared<const FigureEvaluator>(set, lattice);
    };
}

Figures Screen::measureNow(int iteration, const Volume& image) {
    evaluator_ = evaluatorOn(image.lattice)();
    evaluatorRevision_ = rois_.revision();
    return evaluator_->evaluate(iteration, image.data.data());
}

std::optional<Figures> Screen::measure(int iteration, const Volume& image) {
    if (takesLong(image.lattice)) {
        return std::nullopt;
    }
    return measureNow(iteration, image);
}

void Screen::measureAway(const RunItem& item) {
    if (stopped_) {
        return;
    }
    if (!measuring_.busy()) {
        startMeasuring(item);
        return;
    }
    // What is measured for another run is wanted, too, unless it is of ROIs that are no more.
    const bool older = underWay_.revision != rois_.revision() ||
                       (underWayRun_ == item.id() && underWay_.volume.lock() != item.volume());
    if (older && !overtaken_) {
        // Live images may come faster than one is measured, and so do the places of an ROI that is dragged:
        // what took the place of another is measured to its end, so that there is something to see.
        overtaken_ = true;
        measuringWish_.end();
    }
}

void Screen::startMeasuring(const RunItem& item) {
    struct Made {
        Evaluator evaluator;
        Figures figures;
    };
    const auto made = std::make_shared<Made>();
    const auto volume = item.volume();
    underWayRun_ = item.id();
    underWay_ = {volume, rois_.revision()};
    measuringWish_ = Wish();
    measuring_.start(
        [made, volume, wish = measuringWish_, iteration = item.shownIterate(),
         evaluator = evaluatorOn(volume->lattice)] {
            wish();
            made->evaluator = evaluator();
            wish();
            made->figures = made->evaluator->evaluate(iteration, volume->data.data());
        },
        [this, made](const std::exception_ptr& fault) {
            if (stopped_) {
                return;
            }
            if (made->evaluator != nullptr && runs_.find(underWayRun_) != nullptr) {
                evaluator_ = made->evaluator;  // what it has of ROIs is taken over by the next one
                evaluatorRevision_ = underWay_.revision;
            }
            if (!isCancelled(fault)) {
                overtaken_ = false;
                takeMeasured(fault == nullptr ? std::optional(std::move(made->figures)) : std::nullopt);
            }
            runs_.touch();
        });
}

void Screen::takeMeasured(std::optional<Figures> figures) {
    const RunItem* item = runs_.find(underWayRun_);
    if (item == nullptr || measured_[item->id()].of.is(item->volume(), rois_.revision())) {
        return;  // newer ones were asked for exactly, or the ROIs hold few voxels now
    }
    if (figures) {
        keep(*item, underWay_, std::move(*figures));
    } else {
        measured_[item->id()] = {underWay_, {}};  // what failed is not tried again and again
    }
}

void Screen::keep(const RunItem& item, MeasuredOf of, Figures figures) {
    std::erase_if(measured_, [&](const auto& entry) {
        return entry.first != item.id() && runs_.find(entry.first) == nullptr;
    });
    // Without a truth that has been sampled meanwhile they are only what is shown until they are measured
    // again.
    const bool lacksTruth = evaluator_ != nullptr && evaluator_->set().truth != rois_.set().truth;
    if (lacksTruth && !sampling_.busy()) {
        of.volume.reset();
    }
    measured_[item.id()] = {std::move(of), std::move(figures)};
}

RoiSet Screen::roisOn(const Lattice& lattice) {
    RoiSet set = rois_.set();
    if (set.truth == nullptr || tasks_.threading() == Threading::Inline) {
        return set;
    }
    set.activity = facts_->knownActivity(set.truth, lattice);
    if (set.activity != nullptr) {
        return set;
    }
    if (!stopped_ && !sampling_.busy()) {
        sampling_.start([facts = facts_, wish = wish_, truth = set.truth,
                         lattice] { static_cast<void>(facts->activity(truth, lattice, wish)); },
                        [this](const std::exception_ptr&) {
                            for (auto& [run, last] : measured_) {
                                last.of.volume.reset();
                            }
                            runs_.touch();
                        });
    }
    set.truth.reset();
    return set;
}

Figures Screen::figures(const RunItem& item) {
    const auto volume = item.volume();
    if (volume == nullptr || rois_.isEmpty()) {
        return {};
    }
    const Measured& last = measured_[item.id()];
    if (!last.of.is(volume, rois_.revision())) {
        if (takesLong(volume->lattice)) {
            measureAway(item);
        } else {
            keep(item, {volume, rois_.revision()}, measureNow(item.shownIterate(), *volume));
        }
    }
    return areOf(last.figures, rois_.rois()) ? onlyWhatCounts(last.figures, kindOf(item)) : Figures{};
}

Figures Screen::figures() {
    const RunItem* item = runs_.onScreen();
    return item != nullptr ? figures(*item) : Figures{};
}

Figures Screen::exactFigures() {
    const RunItem* item = runs_.onScreen();
    const auto volume = item != nullptr ? item->volume() : nullptr;
    if (volume != nullptr && !rois_.isEmpty() && !measured_[item->id()].of.is(volume, rois_.revision())) {
        keep(*item, {volume, rois_.revision()}, measureNow(item->shownIterate(), *volume));
    }
    return figures();
}

bool Screen::figuresAreOfRois(const RunItem& item) {
    if (item.figures().empty() || item.images().empty() || rois_.isEmpty()) {
        return rois_.isEmpty();
    }
    const auto& [iteration, volume] = *item.images().rbegin();
    const Figures* stored = item.figuresOf(iteration);
    if (stored == nullptr) {
        return false;
    }
    const std::optional<Figures> measured = measure(iteration, *volume);
    if (!measured) {
        return false;
    }
    const Figures& now = *measured;
    const auto near = [](double a, double b) {
        return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-6 * std::abs(b);
    };
    return near(now.crc, stored->crc) && near(now.noise, stored->noise) && near(now.nsr, stored->nsr) &&
           std::equal(now.rois.begin(), now.rois.end(), stored->rois.begin(), stored->rois.end(),
                      [&](const RoiFigures& a, const RoiFigures& b) {
                          return a.name == b.name && near(a.statistics.mean, b.statistics.mean) &&
                                 near(a.statistics.sd, b.statistics.sd);
                      });
}

void Screen::clear() {
    evaluator_.reset();
    measured_.clear();
    measuringWish_.end();
    wish_.end();
    wish_ = Wish();  // for what is opened next
    facts_->clear();
    view_.clear();
}

}  // namespace tof::ui
