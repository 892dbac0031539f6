// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <functional>
#include <optional>

#include "ui/desk/display_unit.h"
#include "ui/desk/uptakes.h"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace tof::ui {

/// A form for body weight and dose of an image, and whether it is shown as SUV.
class UptakeDialog : public QDialog {
    Q_OBJECT

  public:
    /// `suv`: the unit that these numbers make of the image, empty where its activity is not known.
    UptakeDialog(const QString& image, const Uptakes::Entry& start,
                 std::function<std::optional<DisplayUnit>(const Uptake&)> suv, QWidget* parent = nullptr);
    [[nodiscard]] Uptakes::Entry entry() const;

  private:
    void refresh();
    [[nodiscard]] QWidget* nuclideBox();

    std::function<std::optional<DisplayUnit>(const Uptake&)> suv_;
    QDoubleSpinBox* weight_;
    QDoubleSpinBox* dose_;
    QDoubleSpinBox* halfLife_;
    QDoubleSpinBox* waited_;
    QDoubleSpinBox* positrons_;
    QCheckBox* shown_;
    QLabel* note_;
    QPushButton* ok_;
};

}  // namespace tof::ui
