// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "recon/metrics/roi.h"

namespace tof::ui {

/// A remark on a picture: a length, an arrow or words. It lies in one slice of one plane.
struct Annotation {
    enum class Kind { Ruler, Arrow, Text };
    Kind kind = Kind::Ruler;
    Plane plane = Plane::Transverse;
    Vec3 a;        ///< mm; of an arrow its tail, of a text where it begins
    Vec3 b;        ///< mm; of an arrow its tip; of a text as a
    QString text;  ///< beside a ruler or an arrow, or empty

    [[nodiscard]] double length_mm() const { return norm(b - a); }
    [[nodiscard]] bool operator==(const Annotation& o) const {
        return kind == o.kind && plane == o.plane && norm(a - o.a) == 0 && norm(b - o.b) == 0 &&
               text == o.text;
    }
};
/// "ruler", "arrow", "text".
[[nodiscard]] const char* annotationName(Annotation::Kind kind);
/// Throws WrongUse listing the names.
[[nodiscard]] Annotation::Kind annotationFromName(const QString& name);

/// The remarks on the pictures of what is open. Every change is one step of undo, a whole drag included. No
/// widgets.
class Annotations : public QObject {
    Q_OBJECT

  public:
    using Kind = Annotation::Kind;
    explicit Annotations(QUndoStack& undo) : undo_(undo) {}

    [[nodiscard]] const std::vector<Annotation>& all() const { return all_; }
    /// -1: none.
    [[nodiscard]] int selected() const { return selected_; }
    void select(int index);
    /// What the next press in a picture draws.
    [[nodiscard]] std::optional<Kind> tool() const { return tool_; }
    void setTool(std::optional<Kind> tool);

    /// Adds and selects.
    void add(const Annotation& annotation);
    void change(int index, const Annotation& annotation, const QString& text);
    void remove(int index);
    /// Nothing is open any more.
    void clear();

    // A drag: begin, any number of moves, then end or abandon.
    void beginDrag(const QString& text);
    void dragAdd(const Annotation& annotation);
    void dragTo(int index, const Annotation& annotation);
    void endDrag();
    /// Puts back what was dragged; false when nothing was.
    bool abandonDrag();

    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);

  Q_SIGNALS:
    void changed();
    void toolChanged();

  private:
    void push(std::vector<Annotation> before, std::vector<Annotation> after, const QString& text);
    void restore(const std::vector<Annotation>& all);

    QUndoStack& undo_;
    std::vector<Annotation> all_;
    int selected_ = -1;
    std::optional<Kind> tool_;
    std::optional<std::vector<Annotation>> before_;  ///< while dragging
    QString dragText_;
};

}  // namespace tof::ui
