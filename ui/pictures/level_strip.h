// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/desk/view_model.h"

namespace tof::ui {

/// The colour map between two handles over a fixed scale: drag a handle to change one end of the display
/// range, the middle to move both.
class LevelStrip : public QWidget {
    Q_OBJECT

  public:
    explicit LevelStrip(ViewModel& view, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override { return {190, 28}; }
    /// Where a value lies on the strip, in px.
    [[nodiscard]] double place(double value) const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    enum class Held { None, Low, High, Both };
    [[nodiscard]] double value(double x) const;
    void rescale();

    ViewModel& view_;
    double scaleLow_ = 0;
    double scaleHigh_ = 1;
    Held held_ = Held::None;
    double pressValue_ = 0;
    DisplayRange pressRange_;
};

}  // namespace tof::ui
