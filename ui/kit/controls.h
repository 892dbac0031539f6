// SPDX-License-Identifier: Apache-2.0
// Controls that are dragged as well as typed into.
#pragma once

#include <QWidget>
#include <functional>

class QLineEdit;
class QSlider;

namespace tof::ui {

/// How a change came about: at once, or as one of many while the mouse button is down, which together are one
/// step of undo.
enum class Edit { Whole, Dragging };

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

/// A number with its name, a slider over the usual range, and a field that takes any valid value.
class NumberRow : public QWidget {
    Q_OBJECT

  public:
    struct Info {
        QString name;      ///< "TOF"
        QString unit;      ///< " ps"
        QString help;      ///< tooltip
        double low = 0;    ///< the slider's least value
        double high = 1;   ///< the slider's greatest value
        double step = 1;   ///< the slider's step
        int decimals = 1;  ///< shown in the field; a typed value keeps all of its digits
    };
    /// Sets the number; throws a tof::Error with the sentence to show when it cannot be.
    static constexpr int kCompactWidth = 54;
    using Setter = std::function<void(double value, Edit edit)>;

    NumberRow(const Info& info, const QString& objectName, Setter setter, QWidget* parent = nullptr);
    void setValue(double value);
    /// The field alone, where there is little room.
    void setCompact(bool compact);
    [[nodiscard]] QLineEdit* field() const { return field_; }
    [[nodiscard]] QSlider* slider() const { return slider_; }

  Q_SIGNALS:
    /// The slider was let go.
    void released();

  private:
    void commit(double value, Edit edit);
    void showValue(double value);

    Info info_;
    Setter setter_;
    QWidget* label_;
    QSlider* slider_;
    QLineEdit* field_;
    double value_ = 0;
};

}  // namespace tof::ui
