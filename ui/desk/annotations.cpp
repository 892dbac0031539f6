// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/annotations.h"

#include "recon/base/error.h"
#include "ui/kit/json.h"
#include "ui/kit/names.h"
#include "ui/kit/text.h"
#include "ui/kit/undo_step.h"

namespace tof::ui {

namespace {

constexpr std::pair<Annotation::Kind, const char*> kRemarks[] = {
    {Annotation::Kind::Ruler, "ruler"}, {Annotation::Kind::Arrow, "arrow"}, {Annotation::Kind::Text, "text"}};
constexpr std::pair<Plane, const char*> kPlanes[] = {
    {Plane::Transverse, "transverse"}, {Plane::Coronal, "coronal"}, {Plane::Sagittal, "sagittal"}};

}  // namespace

const char* annotationName(Annotation::Kind kind) {
    return nameIn(kRemarks, kind);
}

Annotation::Kind annotationFromName(const QString& name) {
    return valueIn(kRemarks, name, "no annotation '%1'; there are ruler, arrow and text");
}

void Annotations::push(std::vector<Annotation> before, std::vector<Annotation> after, const QString& text) {
    if (after != before) {
        undo_.push(new UndoStep<std::vector<Annotation>>(text, std::move(before), std::move(after),
                                                         [this](const auto& all) { restore(all); }));
    }
}

void Annotations::restore(const std::vector<Annotation>& all) {
    all_ = all;
    selected_ = selected_ < static_cast<int>(all_.size()) ? selected_ : -1;
    Q_EMIT changed();
}

void Annotations::select(int index) {
    if (index != selected_) {
        selected_ = index < static_cast<int>(all_.size()) ? index : -1;
        Q_EMIT changed();
    }
}

void Annotations::setTool(std::optional<Kind> tool) {
    if (tool != tool_) {
        tool_ = tool;
        Q_EMIT toolChanged();
    }
}

void Annotations::add(const Annotation& annotation) {
    std::vector<Annotation> after = all_;
    after.push_back(annotation);
    push(all_, std::move(after), tr("Add annotation"));
    select(static_cast<int>(all_.size()) - 1);
}

void Annotations::change(int index, const Annotation& annotation, const QString& text) {
    std::vector<Annotation> after = all_;
    after.at(static_cast<std::size_t>(index)) = annotation;
    push(all_, std::move(after), text);
}

void Annotations::remove(int index) {
    if (index < 0 || index >= static_cast<int>(all_.size())) {
        return;
    }
    std::vector<Annotation> after = all_;
    after.erase(after.begin() + index);
    select(-1);
    push(all_, std::move(after), tr("Delete annotation"));
}

void Annotations::clear() {
    before_.reset();
    setTool(std::nullopt);
    restore({});
}

void Annotations::beginDrag(const QString& text) {
    before_ = all_;
    dragText_ = text;
}

void Annotations::dragAdd(const Annotation& annotation) {
    all_.push_back(annotation);
    selected_ = static_cast<int>(all_.size()) - 1;
    Q_EMIT changed();
}

void Annotations::dragTo(int index, const Annotation& annotation) {
    all_.at(static_cast<std::size_t>(index)) = annotation;
    Q_EMIT changed();
}

void Annotations::endDrag() {
    if (before_) {
        std::vector<Annotation> before = std::move(*before_);
        before_.reset();
        push(std::move(before), all_, dragText_);
    }
}

bool Annotations::abandonDrag() {
    if (!before_) {
        return false;
    }
    const std::vector<Annotation> before = std::move(*before_);
    before_.reset();
    restore(before);
    return true;
}

nlohmann::json Annotations::toJson() const {
    nlohmann::json list = nlohmann::json::array();
    for (const Annotation& one : all_) {
        list.push_back({{"kind", annotationName(one.kind)},
                        {"plane", nameIn(kPlanes, one.plane)},
                        {"a", one.a},
                        {"b", one.b},
                        {"text", one.text}});
    }
    return list;
}

void Annotations::fromJson(const nlohmann::json& saved) {
    if (!saved.is_array()) {
        return;
    }
    std::vector<Annotation> all;
    for (const nlohmann::json& o : saved) {
        Annotation one;
        try {
            one.kind = annotationFromName(savedIn(o, "kind", QString("ruler")));
        } catch (const WrongUse&) {
            continue;  // a later version wrote it
        }
        one.plane = valueIn(kPlanes, savedIn<QString>(o, "plane"), one.plane);
        one.a = savedIn<Vec3>(o, "a");
        one.b = savedIn<Vec3>(o, "b");
        one.text = savedIn(o, "text", QString());
        all.push_back(std::move(one));
    }
    restore(all);
}

}  // namespace tof::ui
