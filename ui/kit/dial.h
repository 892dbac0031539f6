// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/kit/edit.h"

namespace tof::ui {

/// A dial for an angle of a line, [0, 180) degrees: the needle's direction is that of the line in a
/// transverse picture (0: to the right, 90: down, posterior). Drag or wheel turns it, arrow keys by 1 degree
/// (Shift: 10).
class Dial : public QWidget {
    Q_OBJECT

  public:
    explicit Dial(const QString& name, QWidget* parent = nullptr);
    void setValue(double degrees);
    [[nodiscard]] double value() const { return degrees_; }
    [[nodiscard]] QSize sizeHint() const override { return {76, 76}; }

  Q_SIGNALS:
    /// By the user.
    void turned(double degrees, Edit edit);
    void released();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void turnTo(QPointF position);
    void turnBy(double degrees);

    double degrees_ = 0;
};

}  // namespace tof::ui
