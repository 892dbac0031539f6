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
    [[nodiscard]] double place(double value) const {
        return 6 + (value - scaleLow_) / (scaleHigh_ - scaleLow_) * (width() - 12);
    }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent*) override {
        held_ = Held::None;
        rescale();
        update();
    }
    void mouseDoubleClickEvent(QMouseEvent*) override { view_.resetRange(); }

  private:
    enum class Held { None, Low, High, Both };
    [[nodiscard]] double value(double x) const {
        return scaleLow_ + (x - 6) / (width() - 12) * (scaleHigh_ - scaleLow_);
    }
    void rescale();

    ViewModel& view_;
    double scaleLow_ = 0;
    double scaleHigh_ = 1;
    Held held_ = Held::None;
    double pressValue_ = 0;
    DisplayRange pressRange_;
};

}  // namespace tof::ui
