// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/annotations.h"

#include <QUndoCommand>
#include <array>

#include "recon/base/error.h"
#include "ui/kit/json.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr std::array<const char*, 3> kNames{"ruler", "arrow", "text"};
constexpr std::array<const char*, 3> kPlanes{"transverse", "coronal", "sagittal"};

nlohmann::json pointToJson(Vec3 p) {
    return {p.x, p.y, p.z};
}

Vec3 pointFromJson(const nlohmann::json& saved) {
    std::array<double, 3> p{};
    for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = saved.is_array() && i < saved.size() && saved[i].is_number() ? saved[i].get<double>() : 0;
    }
    return {p[0], p[1], p[2]};
}

}  // namespace

const char* annotationName(Annotation::Kind kind) {
    return kNames.at(static_cast<std::size_t>(kind));
}

Annotation::Kind annotationFromName(const QString& name) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (name == kNames[i]) {
            return static_cast<Annotation::Kind>(i);
        }
    }
    throw WrongUse("no annotation '" + name.toStdString() + "'; there are ruler, arrow and text");
}

class Annotations::Edit : public QUndoCommand {
  public:
    Edit(Annotations& model, std::vector<Annotation> before, std::vector<Annotation> after,
         const QString& text)
        : QUndoCommand(text), model_(model), before_(std::move(before)), after_(std::move(after)) {}
    void undo() override { model_.restore(before_); }
    void redo() override { model_.restore(after_); }

  private:
    Annotations& model_;
    std::vector<Annotation> before_;
    std::vector<Annotation> after_;
};

void Annotations::push(std::vector<Annotation> before, std::vector<Annotation> after, const QString& text) {
    if (after != before) {
        undo_.push(new Edit(*this, std::move(before), std::move(after), text));
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
                        {"plane", kPlanes.at(static_cast<std::size_t>(one.plane))},
                        {"a", pointToJson(one.a)},
                        {"b", pointToJson(one.b)},
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
        const QString plane = savedIn(o, "plane", QString(kPlanes[0]));
        for (std::size_t i = 0; i < kPlanes.size(); ++i) {
            one.plane = plane == kPlanes[i] ? static_cast<Plane>(i) : one.plane;
        }
        one.a = pointFromJson(savedIn(o, "a", nlohmann::json::array()));
        one.b = pointFromJson(savedIn(o, "b", nlohmann::json::array()));
        one.text = savedIn(o, "text", QString());
        all.push_back(std::move(one));
    }
    restore(all);
}

}  // namespace tof::ui
