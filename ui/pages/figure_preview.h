// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "recon/figure/drawing.h"

class QPainter;

namespace tof::ui {

/// Draws a page at `scale` pixels a mm, its upper left corner at the painter's origin.
void paintDrawing(QPainter& painter, const Drawing& drawing, double scale);

/// A drawing as large as it fits, on white paper.
class FigurePreview : public QWidget {
    Q_OBJECT

  public:
    explicit FigurePreview(QWidget* parent = nullptr);
    void setDrawing(Drawing drawing);
    /// A sentence in the place of a drawing.
    void setSentence(const QString& sentence);
    [[nodiscard]] const Drawing& drawing() const { return drawing_; }
    [[nodiscard]] const QString& sentence() const { return sentence_; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Drawing drawing_;
    QString sentence_;
};

}  // namespace tof::ui
