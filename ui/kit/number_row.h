// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <functional>

#include "ui/kit/edit.h"

class QLineEdit;
class QSlider;

namespace tof::ui {

/// A number with its name, a slider over the usual range, and a field that takes any valid value.
class NumberRow : public QWidget {
    Q_OBJECT

  public:
    struct Info {
        QString name;      ///< "TOF"
        QString unit;      ///< " ps"
        QString help;      ///< tooltip
        double low = 0;    ///< of the slider
        double high = 1;   ///< of the slider
        double step = 1;   ///< of the slider
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
