// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPainterPath>
#include <QPointF>
#include <functional>

#include "ui/desk/annotations.h"
#include "ui/desk/view_model.h"
#include "ui/pictures/roi_overlay.h"

class QKeyEvent;
class QMouseEvent;
class QPainter;
class QWidget;

namespace tof::ui {

/// Rulers, arrows and words over one picture: painted, drawn and edited with the mouse.
///
/// With a tool, a left drag draws a ruler or an arrow from its tail to its tip, a click puts words. Without
/// one, a press on an annotation selects it and drags it, on an end that end; a double-click asks for its
/// words, Del deletes the selected one. They are seen in the slices that hold them.
class AnnotationOverlay {
  public:
    /// `canvas` is the widget of the picture that `map` describes; all outlive this.
    AnnotationOverlay(QWidget& canvas, const PlaneMap& map, Annotations& model, ViewModel& view);

    void paint(QPainter& painter) const;
    /// True when the event was used here.
    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    bool release(const QMouseEvent& event);
    bool doubleClick(const QMouseEvent& event);
    /// Deletes the selected one where the key does; false when the key is not meant for it.
    bool key(const QKeyEvent& event);
    /// True while Del would be used here.
    [[nodiscard]] bool wantsDelete() const;
    /// Puts back what is being dragged; false when nothing is.
    bool abandon();

  private:
    enum class Grip { None, Whole, A, B };
    struct Hit {
        int index = -1;
        Grip grip = Grip::None;
    };
    [[nodiscard]] bool shown(const Annotation& one) const;
    [[nodiscard]] Hit hit(QPointF at) const;
    [[nodiscard]] QString wordsOf(const Annotation& one) const;
    /// Where the words stand, and how much room they take.
    [[nodiscard]] QRectF wordsRect(const Annotation& one) const;
    void paintOne(QPainter& painter, const Annotation& one, const QColor& ink) const;

    QWidget& canvas_;
    const PlaneMap& map_;
    Annotations& model_;
    ViewModel& view_;
    Hit held_;
    Annotation origin_;
    QPointF start_;
    bool drawing_ = false;
};

}  // namespace tof::ui
