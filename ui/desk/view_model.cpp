// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/view_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "recon/base/error.h"
#include "ui/kit/json.h"
#include "ui/kit/names.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr std::pair<Layout, const char*> kLayouts[] = {{Layout::Main, "main"},
                                                       {Layout::Row, "row"},
                                                       {Layout::Grid, "grid"},
                                                       {Layout::Single, "single"},
                                                       {Layout::Solid, "solid"}};

constexpr std::pair<ChartKind, const char*> kChartNames[] = {{ChartKind::Profile, "profile"},
                                                             {ChartKind::Histogram, "histogram"},
                                                             {ChartKind::Rois, "rois"},
                                                             {ChartKind::Solid, "solid"},
                                                             {ChartKind::Time, "time"}};

constexpr std::pair<viz::SlabMode, const char*> kSlabModes[] = {
    {viz::SlabMode::Largest, "largest"}, {viz::SlabMode::Mean, "mean"}, {viz::SlabMode::Sum, "sum"}};

nlohmann::json lookToJson(const Look& look) {
    nlohmann::json o{{"range", std::array{look.range.low, look.range.high}},
                     {"auto_range", look.isAuto},
                     {"colour_map", look.map},
                     {"colour_map_picked", look.picked},
                     {"inverted", look.inverted}};
    if (look.source) {
        o["range_of"] = look.source->run;
        o["range_of_iterate"] = look.source->iterate;
    }
    return o;
}

/// A map that nobody picked belongs to the theme of that time: `map` takes its place.
Look lookFromJson(const nlohmann::json& o, const QString& map) {
    Look look;
    look.map = map;
    look.isAuto = savedIn(o, "auto_range", true);
    const auto [low, high] = savedIn<std::array<double, 2>>(o, "range");
    if (high > low) {
        look.range = {low, high};
    } else {
        look.isAuto = true;
    }
    if (o.contains("range_of")) {
        look.source = RangeSource{savedIn(o, "range_of", QString()), savedIn(o, "range_of_iterate", 0)};
    }
    const QString saved = savedIn(o, "colour_map", map);
    const auto& maps = viz::ColourMap::all();
    if (savedIn(o, "colour_map_picked", false) &&
        std::any_of(maps.begin(), maps.end(), [&](const auto& m) { return m.id == saved.toStdString(); })) {
        look.map = saved;
        look.picked = true;
        look.inverted = savedIn(o, "inverted", false);
    }
    return look;
}

/// How far oblique slices are apart, mm.
double stepOf(const Lattice& lattice) {
    return *std::min_element(lattice.spacing_mm.begin(), lattice.spacing_mm.end());
}

/// How far one can go from a point within a box, back and on along a unit vector, mm: {<= 0, >= 0}.
std::array<double, 2> reach(const Box& box, Vec3 from, Vec3 along) {
    std::array<double, 2> ends{-std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < 3; ++i) {
        if (std::abs(along[i]) > 1e-9) {
            const double low = (box.low[i] - from[i]) / along[i];
            const double high = (box.high[i] - from[i]) / along[i];
            ends[0] = std::max(ends[0], std::min({low, high, 0.0}));
            ends[1] = std::min(ends[1], std::max({low, high, 0.0}));
        }
    }
    return ends;
}

using Flag = ViewModel::Flag;
constexpr std::pair<Flag, const char*> kFlags[] = {{Flag::Annotations, "annotations"},
                                                   {Flag::Crosshair, "crosshair"},
                                                   {Flag::ColourBar, "colour_bar"},
                                                   {Flag::Letters, "letters"},
                                                   {Flag::VoxelInfo, "voxel_info"},
                                                   {Flag::Interpolation, "interpolation"},
                                                   {Flag::Rois, "rois"},
                                                   {Flag::ScaleBar, "scale_bar"},
                                                   {Flag::Cubic, "cubic"},
                                                   {Flag::Turning, "turning"},
                                                   {Flag::DecayCorrected, "decay_corrected"},
                                                   {Flag::LogActivity, "log_activity"},
                                                   {Flag::LogTime, "log_time"}};

}  // namespace

QString layoutName(Layout layout) {
    return nameIn(kLayouts, layout);
}

Layout layoutFromName(const QString& name) {
    return valueIn(kLayouts, name, "no layout '%1'; layouts: %2");
}

ViewModel::ViewModel(QObject* parent)
    : QObject(parent), coalescer_(new Coalescer([this] { Q_EMIT changed(); }, this)) {}

void ViewModel::setLattice(const Lattice& lattice) {
    if (lattice == lattice_) {
        return;
    }
    const bool first = lattice_.voxels() == 0;
    lattice_ = lattice;
    shown_.reset();
    if (first) {
        if (!moved_) {
            fitted_ = latticeBox(lattice);
            middle_ = fitted_.middle();
            zoom_ = 1;
        }
        setCursor(std::exchange(awaited_, {}).value_or(latticeBox(lattice).middle()));
    } else {
        setCursor(cursor_);
    }
    touch();
}

void ViewModel::clear() {
    lattice_ = Lattice();
    shown_.reset();
    turn_ = viz::Turn();
    fittedOnce_ = false;
    moved_ = false;
    awaited_.reset();
    looks_.clear();
    lookKey_.clear();
    look_ = Look{{}, true, std::nullopt, look_.map, look_.inverted, look_.picked};
    rangeOfShown_ = {};
    touch();
}

void ViewModel::setCursor(Vec3 mm) {
    if (lattice_.voxels() == 0) {
        awaited_ = mm;
    }
    const Box whole = latticeBox(lattice_);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double last = whole.high[axis] - lattice_.spacing_mm[axis] * 1e-6;
        mm[axis] = std::clamp(std::isfinite(mm[axis]) ? mm[axis] : 0.0, whole.low[axis],
                              std::max(whole.low[axis], last));
    }
    if (mm.x != cursor_.x || mm.y != cursor_.y || mm.z != cursor_.z) {
        cursor_ = mm;
        touch();
    }
}

viz::Turn ViewModel::turnOf(Plane plane) const {
    const int normal = viz::planeAxes(plane, orientation_).normal;
    return viz::Turn::onto(normal, turn_.axes[static_cast<std::size_t>(normal)]);
}

viz::SliceView ViewModel::slice(Plane plane, double mmPerPixel, int width, int height) const {
    viz::SliceView v;
    v.plane = plane;
    v.orientation = orientation_;
    v.mmPerPixel = mmPerPixel;
    v.width = width;
    v.height = height;
    v.turn = turnOf(plane);
    const int normal = viz::planeAxes(plane, orientation_).normal;
    Vec3 centre = v.turn.toLocal(middle_);
    viz::setCoordinate(centre, normal, viz::coordinate(v.turn.toLocal(cursor_), normal));
    v.centre = v.turn.toWorld(centre);
    return v;
}

bool ViewModel::inSlice(Plane plane, Vec3 mm) const {
    const int normal = viz::planeAxes(plane, orientation_).normal;
    const double away = std::abs(dot(mm - cursor_, turn_.axes[static_cast<std::size_t>(normal)]));
    if (away <= slab_.thickness_mm / 2) {
        return true;
    }
    return isOblique(plane)
               ? away <= stepOf(lattice_) / 2
               : viz::nearestIndex(lattice_, normal, viz::coordinate(mm, normal)) == sliceIndex(plane);
}

int ViewModel::sliceIndex(Plane plane) const {
    const int axis = viz::planeAxes(plane, orientation_).normal;
    if (isOblique(plane)) {
        const Vec3 along = turn_.axes[static_cast<std::size_t>(axis)];
        return static_cast<int>(
            std::floor(-reach(latticeBox(lattice_), cursor_, along)[0] / stepOf(lattice_)));
    }
    return std::clamp(viz::nearestIndex(lattice_, axis, viz::coordinate(cursor_, axis)), 0,
                      std::max(0, sliceCount(plane) - 1));
}

int ViewModel::sliceCount(Plane plane) const {
    const auto axis = static_cast<std::size_t>(viz::planeAxes(plane, orientation_).normal);
    if (isOblique(plane)) {
        const double on = reach(latticeBox(lattice_), cursor_, turn_.axes[axis])[1];
        return sliceIndex(plane) + static_cast<int>(std::floor(on / stepOf(lattice_))) + 1;
    }
    return lattice_.size[axis];
}

void ViewModel::stepSlice(Plane plane, int slices) {
    const int axis = viz::planeAxes(plane, orientation_).normal;
    const int index = std::clamp(sliceIndex(plane) + slices, 0, std::max(0, sliceCount(plane) - 1));
    if (isOblique(plane)) {
        const double by = (index - sliceIndex(plane)) * stepOf(lattice_);
        setCursor(cursor_ + by * turn_.axes[static_cast<std::size_t>(axis)]);
        return;
    }
    Vec3 p = cursor_;
    viz::setCoordinate(p, axis, viz::coordinate(lattice_.centre(index, index, index), axis));
    setCursor(p);
}

void ViewModel::setRange(DisplayRange range) {
    if (!std::isfinite(range.low) || !std::isfinite(range.high)) {
        return;
    }
    const double least = std::max(1e-30, std::abs(range.low) * 1e-6);
    range.high = std::max(range.high, range.low + least);
    if (look_.isAuto || !(range == look_.range)) {
        look_.isAuto = false;
        look_.range = range;
        touch();
    }
}

DisplayRange ViewModel::rangeIn(const DisplayUnit& unit) const {
    const DisplayRange shown = shownRange();
    return unit.factor == unit_.factor ? look_.range
                                       : DisplayRange{unit.stored(shown.low), unit.stored(shown.high)};
}

void ViewModel::setUnit(const DisplayUnit& unit) {
    if (unit == unit_) {
        return;
    }
    if (!look_.isAuto && unit.name == unit_.name) {
        look_.range = rangeIn(unit);
    }
    unit_ = unit;
    touch();
}

void ViewModel::resetRange() {
    look_.isAuto = true;
    look_.source.reset();
    touch();
}

void ViewModel::setAutomaticRange(DisplayRange range) {
    if (look_.isAuto && !(range == look_.range)) {
        look_.range = range;
        touch();
    }
}

void ViewModel::offer(std::shared_ptr<const Volume> volume) {
    if (volume == shown_ || !(volume->lattice == lattice_)) {
        return;
    }
    shown_ = std::move(volume);
    if (!std::exchange(fittedOnce_, true) && !moved_) {
        resetView();
    }
}

void ViewModel::useLook(const QString& key, const Look& fresh) {
    if (key == lookKey_) {
        return;
    }
    if (!lookKey_.isEmpty()) {
        looks_[lookKey_] = look_;
        look_ = looks_.contains(key) ? looks_[key] : fresh;
        looks_.erase(key);
    } else if (fresh.picked) {
        look_ = fresh;
    }
    lookKey_ = key;
    touch();
}

Look ViewModel::lookOf(const QString& key) const {
    if (key == lookKey_) {
        return look_;
    }
    const auto it = looks_.find(key);
    return it != looks_.end() ? it->second : usualLook();
}

Look ViewModel::usualLook() const {
    Look fresh;
    fresh.map = proposedMap_;
    return fresh;
}

void ViewModel::setLook(const QString& key, const Look& look) {
    (key == lookKey_ ? look_ : looks_[key]) = look;
    touch();
}

viz::ColourMap ViewModel::colourMap() const {
    const viz::ColourMap& map = viz::ColourMap::find(look_.map.toStdString());
    return look_.inverted ? map.inverted() : map;
}

void ViewModel::setColourMap(const QString& id) {
    static_cast<void>(viz::ColourMap::find(id.toStdString()));
    look_.picked = true;
    if (id != look_.map || look_.inverted) {
        look_.map = id;
        look_.inverted = false;
        touch();
    }
}

void ViewModel::proposeColourMap(const QString& id) {
    proposedMap_ = id;
    for (auto& [key, look] : looks_) {
        look.map = look.picked ? look.map : id;
    }
    if (!look_.picked && id != look_.map) {
        look_.map = id;
        touch();
    }
}

void ViewModel::setFlag(Flag flag, bool on) {
    if (this->flag(flag) != on) {
        on ? static_cast<void>(off_.erase(flag)) : static_cast<void>(off_.insert(flag));
        touch();
    }
}

void ViewModel::zoomAbout(Vec3 fixed, double factor) {
    const double zoom = std::clamp(zoom_ * factor, 0.25, 64.0);
    const double used = zoom / zoom_;
    if (used == 1) {
        return;
    }
    // fixed - middle shrinks by the factor, so that the fixed point keeps its place on screen.
    middle_ = fixed - (1.0 / used) * (fixed - middle_);
    zoom_ = zoom;
    moved_ = true;
    touch();
}

void ViewModel::pan(Vec3 by_mm) {
    middle_ = middle_ + by_mm;
    moved_ = true;
    touch();
}

void ViewModel::resetView() {
    fitted_ = shown_ != nullptr ? objectBox(*shown_) : latticeBox(lattice_);
    middle_ = fitted_.middle();
    zoom_ = 1;
    moved_ = false;
    touch();
}

void ViewModel::showLattice() {
    fitted_ = latticeBox(lattice_);
    middle_ = fitted_.middle();
    zoom_ = 1;
    moved_ = true;
    touch();
}

bool ViewModel::slabWaits(Plane plane) const {
    return flag(Flag::Turning) && slab_.thickness_mm > 0 &&
           (!std::isfinite(slab_.thickness_mm) || isOblique(plane));
}

void ViewModel::setSlab(Slab slab) {
    if (!(slab.thickness_mm >= 0)) {
        throw WrongUse("slab: a thickness in mm from 0 is needed");
    }
    if (!(slab == slab_)) {
        slab_ = slab;
        touch();
    }
}

void ViewModel::setProfileAxis(int axis) {
    if (axis < 0 || axis > kAlongLine || (axis == kAlongLine && !line_)) {
        throw WrongUse("profile axis " + std::to_string(axis) + ": 0, 1, 2, or 3 after a line was drawn");
    }
    if (axis != profileAxis_) {
        profileAxis_ = axis;
        touch();
    }
}

void ViewModel::setLine(const ProfileLine& line) {
    if (norm(line.b - line.a) > 1e-3) {
        line_ = line;
        profileAxis_ = kAlongLine;
        touch();
    }
}

void ViewModel::clearLine() {
    if (line_) {
        line_.reset();
        profileAxis_ = profileAxis_ == kAlongLine ? 0 : profileAxis_;
        touch();
    }
}

nlohmann::json ViewModel::toJson() const {
    nlohmann::json flags = nlohmann::json::object();
    for (const auto& [flag, name] : kFlags) {
        flags[name] = this->flag(flag);
    }
    nlohmann::json o{
        {"cursor_mm", cursor_},
        {"look", lookKey_},
        {"looks", nlohmann::json::object()},
        {"linked", linked_},
        {"flags", flags},
        {"orientation", orientation_ == viz::Orientation::Radiological ? "radiological" : "neurological"},
        {"layout", layoutName(layout_)},
        {"active_plane", static_cast<int>(active_)},
        {"zoom", zoom_},
        {"moved", moved_},
        {"fitted_mm", std::array{fitted_.low, fitted_.high}},
        {"selected_roi", selectedRoi_},
        {"middle_mm", middle_},
        {"slab_mm",
         std::isfinite(slab_.thickness_mm) ? nlohmann::json(slab_.thickness_mm) : nlohmann::json("all")},
        {"slab_mode", nameIn(kSlabModes, slab_.mode)},
        {"chart", nameIn(kChartNames, chart_)},
        {"profile_axis", profileAxis_}};
    for (const auto& [key, look] : looks_) {
        o["looks"][key.toStdString()] = lookToJson(look);
    }
    o["looks"][lookKey_.toStdString()] = lookToJson(look_);
    if (!turn_.isNone()) {
        o["turn"] = turn_.axes;
    }
    if (line_) {
        o["line_mm"] = std::array{line_->a, line_->b};
    }
    return o;
}

void ViewModel::fromJson(const nlohmann::json& o) {
    moved_ = savedIn(o, "moved", moved_);
    if (moved_) {
        middle_ = savedIn(o, "middle_mm", middle_);
        zoom_ = std::clamp(savedIn(o, "zoom", zoom_), 0.25, 64.0);
        const auto [low, high] = savedIn(o, "fitted_mm", std::array{fitted_.low, fitted_.high});
        if (low.x < high.x && low.y < high.y && low.z < high.z) {
            fitted_ = {low, high};
        }
    }
    selectedRoi_ = savedIn(o, "selected_roi", selectedRoi_);
    setCursor(savedIn(o, "cursor_mm", cursor_));
    if (o.contains("looks")) {
        linked_ = savedIn(o, "linked", linked_);
        looks_.clear();
        const nlohmann::json looks = savedIn(o, "looks");
        for (const auto& [key, saved] : looks.items()) {
            looks_[QString::fromStdString(key)] = lookFromJson(saved, proposedMap_);
        }
        lookKey_ = savedIn(o, "look", lookKey_);
        look_ = looks_.contains(lookKey_) ? looks_[lookKey_] : look_;
        looks_.erase(lookKey_);
    } else {
        look_ = lookFromJson(o, look_.map);  // a version that had one look wrote it
    }
    const nlohmann::json flags = savedIn(o, "flags");
    for (const auto& [flag, name] : kFlags) {
        setFlag(flag, savedIn(flags, name, this->flag(flag)));
    }
    if (o.contains("orientation")) {
        orientation_ = savedIn(o, "orientation", QString()) == "neurological"
                           ? viz::Orientation::Neurological
                           : viz::Orientation::Radiological;
    }
    turn_ = {savedIn(o, "turn", viz::Turn().axes)};
    turn_ = turn_.isRotation() ? turn_ : viz::Turn();
    layout_ = valueIn(kLayouts, savedIn<QString>(o, "layout"), layout_);
    chart_ = valueIn(kChartNames, savedIn<QString>(o, "chart"), chart_);
    if (o.contains("slab_mm")) {
        const double mm = savedIn(o, "slab_mm", QString()) == "all"
                              ? std::numeric_limits<double>::infinity()
                              : std::max(0.0, savedIn(o, "slab_mm", 0.0));
        slab_ = {mm, valueIn(kSlabModes, savedIn<QString>(o, "slab_mode"), viz::SlabMode::Largest)};
    }
    if (const auto ends = savedIn<std::vector<Vec3>>(o, "line_mm"); ends.size() == 2) {
        setLine({ends[0], ends[1]});
    }
    const int axis = savedIn(o, "profile_axis", profileAxis_);
    profileAxis_ = std::clamp(axis, 0, line_ ? kAlongLine : 2);
    active_ = static_cast<Plane>(std::clamp(savedIn(o, "active_plane", static_cast<int>(active_)), 0, 2));
    touch();
}

}  // namespace tof::ui
