// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/roi_model.h"

#include <algorithm>

#include "ui/desk/roi_geometry.h"
#include "ui/kit/text.h"
#include "ui/kit/undo_step.h"

namespace tof::ui {

namespace {

constexpr double kFirstRadius_mm = 10;

}  // namespace

RoiModel::RoiModel(ViewModel& view, QObject* parent)
    : QObject(parent), view_(view), coalescer_(new Coalescer([this] { Q_EMIT changed(); }, this)) {}

const Roi* RoiModel::at(int index) const {
    return index >= 0 && index < count() ? &set_.rois[static_cast<std::size_t>(index)] : nullptr;
}

int RoiModel::selected() const {
    const int index = view_.selectedRoi();
    return at(index) != nullptr ? index : -1;
}

int RoiModel::find(const QString& name) const {
    const auto it = std::find_if(set_.rois.begin(), set_.rois.end(),
                                 [&](const Roi& roi) { return QString::fromStdString(roi.name) == name; });
    return it == set_.rois.end() ? -1 : static_cast<int>(it - set_.rois.begin());
}

void RoiModel::touch() {
    ++revision_;
    coalescer_->touch();
}

void RoiModel::reset(RoiSet set) {
    before_.reset();
    undo_.clear();
    set_ = std::move(set);
    set_.truth = truth_;
    view_.selectRoi(-1);
    setTool(std::nullopt);
    touch();
}

void RoiModel::restore(const State& state) {
    set_ = state.set;
    set_.truth = truth_;  // a set from a file knows of none
    view_.selectRoi(state.selected);
    touch();
}

void RoiModel::pushStep(State before, State after, const QString& text, int mergeKey) {
    undo_.push(new UndoStep<State>(
        text, std::move(before), std::move(after), [this](const State& state) { restore(state); }, mergeKey));
}

void RoiModel::push(State after, const QString& text, int mergeKey) {
    abandonDrag();
    pushStep(state(), std::move(after), text, mergeKey);
}

void RoiModel::add(std::vector<Roi> rois, const QString& text) {
    if (rois.empty()) {
        return;
    }
    State after = state();
    for (Roi& roi : rois) {
        after.set.rois.push_back(std::move(roi));
    }
    after.selected = static_cast<int>(after.set.rois.size()) - 1;
    push(std::move(after), text);
}

void RoiModel::change(int index, const Roi& roi, const QString& text) {
    replace(index, roi, text, -1);
}

void RoiModel::nudge(int index, const Roi& roi, const QString& text) {
    replace(index, roi, text, index);
}

void RoiModel::replace(int index, const Roi& roi, const QString& text, int mergeKey) {
    if (at(index) != nullptr && !(*at(index) == roi)) {
        State after = state();
        after.set.rois[static_cast<std::size_t>(index)] = roi;
        push(std::move(after), text, mergeKey);
    }
}

void RoiModel::remove(int index) {
    if (at(index) == nullptr) {
        return;
    }
    State after = state();
    const QString name = QString::fromStdString(at(index)->name);
    after.set.rois.erase(after.set.rois.begin() + index);
    after.selected = -1;
    push(std::move(after), tr("Delete %1").arg(name));
}

void RoiModel::setTrueRatio(double ratio) {
    if (ratio != set_.trueRatio) {
        edit(tr("Set true ratio"), [ratio](RoiSet& set) { set.trueRatio = ratio; });
    }
}

void RoiModel::edit(const QString& text, const std::function<void(RoiSet&)>& change) {
    State after = state();
    change(after.set);
    if (after.selected >= static_cast<int>(after.set.rois.size())) {
        after.selected = -1;
    }
    push(std::move(after), text);
}

void RoiModel::replaceAll(RoiSet set, const QString& text) {
    push({std::move(set), -1}, text);
}

void RoiModel::duplicate(int index) {
    if (at(index) == nullptr) {
        return;
    }
    const Roi& original = *at(index);
    const auto box = roiBounds(original);
    const viz::PlaneAxes axes = viz::planeAxes(view_.activePlane(), view_.orientation());
    Vec3 by;
    viz::setCoordinate(
        by, axes.across,
        axes.acrossSign * (viz::coordinate(box[1], axes.across) - viz::coordinate(box[0], axes.across)));
    Roi copy = translated(original, by);
    const std::string stem = QString::fromStdString(original.name).section(' ', 0, -2).toStdString();
    copy.name = freeName(stem.empty() ? original.name : stem);
    copy.locked = false;
    add({copy}, tr("Duplicate %1").arg(QString::fromStdString(original.name)));
}

void RoiModel::beginDrag(const QString& text) {
    endDrag();
    before_ = state();
    dragText_ = text;
}

void RoiModel::dragAdd(const Roi& roi) {
    if (before_) {
        set_.rois.push_back(roi);
        view_.selectRoi(count() - 1);
        touch();
    }
}

void RoiModel::dragTo(int index, const Roi& roi) {
    if (before_ && at(index) != nullptr && !(*at(index) == roi)) {
        set_.rois[static_cast<std::size_t>(index)] = roi;
        touch();
    }
}

void RoiModel::endDrag() {
    if (!before_) {
        return;
    }
    State before = std::move(*before_);
    before_.reset();
    if (before.set.rois != set_.rois) {
        pushStep(std::move(before), state(), dragText_);
    } else {
        touch();  // what waited for the end of the drag goes on
    }
}

bool RoiModel::abandonDrag() {
    if (!before_) {
        return false;
    }
    const State before = std::move(*before_);
    before_.reset();
    restore(before);
    return true;
}

void RoiModel::setTool(std::optional<Roi::Shape> tool) {
    if (tool != tool_) {
        tool_ = tool;
        Q_EMIT toolChanged();
    }
}

Roi RoiModel::lastDrawn(Roi::Shape shape) const {
    const auto it =
        std::find_if(drawn_.begin(), drawn_.end(), [&](const Roi& roi) { return roi.shape == shape; });
    if (it != drawn_.end()) {
        return *it;
    }
    Roi roi;
    roi.shape = shape;
    roi.radius_mm = kFirstRadius_mm;
    roi.innerRadius_mm = shape == Roi::Shape::Annulus ? 0.6 * kFirstRadius_mm : 0;
    roi.size_mm = {2 * kFirstRadius_mm, 2 * kFirstRadius_mm, 2 * kFirstRadius_mm};
    return roi;
}

void RoiModel::rememberDrawn(const Roi& roi) {
    std::erase_if(drawn_, [&](const Roi& other) { return other.shape == roi.shape; });
    drawn_.push_back(roi);
}

std::string RoiModel::freeName(const std::string& stem) const {
    for (int n = 1;; ++n) {
        std::string name = stem + " " + std::to_string(n);
        if (find(QString::fromStdString(name)) < 0) {
            return name;
        }
    }
}

QString RoiModel::toJson(int index) const {
    const Roi* roi = at(index);
    return roi != nullptr ? QString::fromStdString(roisToJson({*roi})) : QString();
}

QString RoiModel::toJson() const {
    return QString::fromStdString(roisToJson(set_.rois));
}

QString shapeTitle(Roi::Shape shape) {
    QString title = word(shapeName(shape));
    title[0] = title[0].toUpper();
    return title;
}

}  // namespace tof::ui
