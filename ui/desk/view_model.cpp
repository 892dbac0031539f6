// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/view_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "recon/base/error.h"
#include "ui/kit/json.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr std::pair<Layout, const char*> kLayouts[] = {
    {Layout::Main, "main"}, {Layout::Row, "row"}, {Layout::Grid, "grid"}, {Layout::Single, "single"}};

constexpr const char* kChartNames[] = {"profile", "histogram", "rois", "solid"};

constexpr const char* kFlagNames[] = {"annotations", "crosshair",     "colour_bar", "letters",
                                      "voxel_info",  "interpolation", "rois",       "scale_bar"};

}  // namespace

QString layoutName(Layout layout) {
    for (const auto& [value, name] : kLayouts) {
        if (value == layout) {
            return name;
        }
    }
    return {};
}

Layout layoutFromName(const QString& name) {
    for (const auto& [value, text] : kLayouts) {
        if (name == text) {
            return value;
        }
    }
    throw WrongUse("no layout '" + name.toStdString() + "'; layouts: main, row, grid, single");
}

ViewModel::ViewModel(QObject* parent)
    : QObject(parent), coalescer_(new Coalescer([this] { Q_EMIT changed(); }, this)) {}

void ViewModel::setLattice(const Lattice& lattice) {
    if (lattice == lattice_) {
        return;
    }
    lattice_ = lattice;
    object_ = fitted_ = latticeBox(lattice);
    objectKey_.clear();
    middle_ = fitted_.middle();
    zoom_ = 1;
    moved_ = false;
    setCursor(middle_);
    touch();
}

void ViewModel::setCursor(Vec3 mm) {
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

int ViewModel::sliceIndex(Plane plane) const {
    const int axis = viz::planeAxes(plane, orientation_).normal;
    return std::clamp(viz::nearestIndex(lattice_, axis, viz::coordinate(cursor_, axis)), 0,
                      std::max(0, sliceCount(plane) - 1));
}

int ViewModel::sliceCount(Plane plane) const {
    return lattice_.size[static_cast<std::size_t>(viz::planeAxes(plane, orientation_).normal)];
}

void ViewModel::stepSlice(Plane plane, int slices) {
    const int axis = viz::planeAxes(plane, orientation_).normal;
    const int index = std::clamp(sliceIndex(plane) + slices, 0, std::max(0, sliceCount(plane) - 1));
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
    if (auto_ || !(range == range_)) {
        auto_ = false;
        range_ = range;
        touch();
    }
}

DisplayRange ViewModel::rangeIn(const DisplayUnit& unit) const {
    const DisplayRange shown = shownRange();
    return unit.factor == unit_.factor ? range_
                                       : DisplayRange{unit.stored(shown.low), unit.stored(shown.high)};
}

void ViewModel::setUnit(const DisplayUnit& unit) {
    if (unit == unit_) {
        return;
    }
    if (!auto_ && unit.name == unit_.name) {
        range_ = rangeIn(unit);
    }
    unit_ = unit;
    touch();
}

void ViewModel::resetRange() {
    auto_ = true;
    restoredRange_ = false;
    rangeKey_.clear();
    touch();
}

void ViewModel::offer(const Volume& volume, const QString& key) {
    if (auto_ && key != rangeKey_) {
        rangeKey_ = key;
        const DisplayRange range = std::exchange(restoredRange_, false) ? range_ : robustRange(volume);
        if (!(range == range_)) {
            range_ = range;
            touch();
        }
    }
    if (key != objectKey_ && volume.lattice == lattice_) {
        objectKey_ = key;
        object_ = objectBox(volume);
        if (!moved_) {
            resetView();
        }
    }
}

void ViewModel::selectRoi(int index) {
    if (index != selectedRoi_) {
        selectedRoi_ = index;
        touch();
    }
}

viz::ColourMap ViewModel::colourMap() const {
    const viz::ColourMap& map = viz::ColourMap::find(mapId_.toStdString());
    return inverted_ ? map.inverted() : map;
}

void ViewModel::setColourMap(const QString& id) {
    static_cast<void>(viz::ColourMap::find(id.toStdString()));
    mapPicked_ = true;
    if (id != mapId_ || inverted_) {
        mapId_ = id;
        inverted_ = false;
        touch();
    }
}

void ViewModel::proposeColourMap(const QString& id) {
    if (!mapPicked_ && id != mapId_) {
        mapId_ = id;
        touch();
    }
}

void ViewModel::setInverted(bool inverted) {
    if (inverted != inverted_) {
        inverted_ = inverted;
        touch();
    }
}

void ViewModel::setFlag(Flag flag, bool on) {
    bool& value = flags_[static_cast<std::size_t>(flag)];
    if (value != on) {
        value = on;
        touch();
    }
}

void ViewModel::setOrientation(viz::Orientation orientation) {
    if (orientation != orientation_) {
        orientation_ = orientation;
        touch();
    }
}

void ViewModel::setLayout(Layout layout) {
    if (layout != layout_) {
        layout_ = layout;
        touch();
    }
}

void ViewModel::setActivePlane(Plane plane) {
    if (plane != active_) {
        active_ = plane;
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
    fitted_ = object_;
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

void ViewModel::setSlab(Slab slab) {
    if (!(slab.thickness_mm >= 0)) {
        throw WrongUse("slab: a thickness in mm from 0 is needed");
    }
    if (!(slab == slab_)) {
        slab_ = slab;
        touch();
    }
}

void ViewModel::setChart(ChartKind kind) {
    if (kind != chart_) {
        chart_ = kind;
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
    for (std::size_t i = 0; i < flags_.size(); ++i) {
        flags[kFlagNames[i]] = flags_[i];
    }
    nlohmann::json o{
        {"cursor_mm", cursor_},
        {"range", std::array{range_.low, range_.high}},
        {"auto_range", auto_},
        {"range_taken", auto_ && !rangeKey_.isEmpty()},
        {"colour_map", mapId_},
        {"colour_map_picked", mapPicked_},
        {"inverted", inverted_},
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
        {"slab_mode", slab_.mode == viz::SlabMode::Mean ? "mean" : "largest"},
        {"chart", kChartNames[static_cast<std::size_t>(chart_)]},
        {"profile_axis", profileAxis_}};
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
    auto_ = savedIn(o, "auto_range", auto_);
    const auto [low, high] = savedIn<std::array<double, 2>>(o, "range");
    if (high > low) {
        range_ = {low, high};
        // It was taken from the image that comes on screen next, as that was then.
        restoredRange_ = auto_ && savedIn(o, "range_taken", false);
        rangeKey_ = restoredRange_ ? QString() : rangeKey_;
    }
    const QString map = savedIn(o, "colour_map", mapId_);
    const auto& maps = viz::ColourMap::all();
    // A map that nobody picked belongs to the theme of that time.
    if (savedIn(o, "colour_map_picked", false) &&
        std::any_of(maps.begin(), maps.end(), [&](const auto& m) { return m.id == map.toStdString(); })) {
        mapId_ = map;
        mapPicked_ = true;
        inverted_ = savedIn(o, "inverted", inverted_);
    }
    const nlohmann::json flags = savedIn(o, "flags");
    for (std::size_t i = 0; i < flags_.size(); ++i) {
        flags_[i] = savedIn(flags, kFlagNames[i], flags_[i]);
    }
    if (o.contains("orientation")) {
        orientation_ = savedIn(o, "orientation", QString()) == "neurological"
                           ? viz::Orientation::Neurological
                           : viz::Orientation::Radiological;
    }
    for (const auto& [value, name] : kLayouts) {
        if (savedIn(o, "layout", QString()) == name) {
            layout_ = value;
        }
    }
    if (o.contains("chart")) {
        for (std::size_t i = 0; i < std::size(kChartNames); ++i) {
            if (savedIn(o, "chart", QString()) == kChartNames[i]) {
                chart_ = static_cast<ChartKind>(i);
            }
        }
    }
    if (o.contains("slab_mm")) {
        const double mm = savedIn(o, "slab_mm", QString()) == "all"
                              ? std::numeric_limits<double>::infinity()
                              : std::max(0.0, savedIn(o, "slab_mm", 0.0));
        slab_ = {mm,
                 savedIn(o, "slab_mode", QString()) == "mean" ? viz::SlabMode::Mean : viz::SlabMode::Largest};
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
