// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/kit/basic.h"

class QSlider;
class QSpinBox;

namespace tof::ui {

class RunItem;
class RunList;

/// Which frames of the dynamic image on screen are shown: a slider for one, two fields for the mean of
/// several, and when they were measured.
class TimeBar : public QWidget {
    Q_OBJECT

  public:
    static constexpr int kHeight = 36;

    explicit TimeBar(RunList& runs, QWidget* parent = nullptr);
    void build(CommandRegistry& commands);
    /// Whether the image on screen has frames.
    [[nodiscard]] bool wanted() const { return image() != nullptr; }
    void refresh();

  private:
    [[nodiscard]] RunItem* image() const;
    void showRange();

    RunList& runs_;
    QSlider* slider_;
    ElidedLabel* text_;
    QSpinBox* first_;
    QSpinBox* last_;
};

}  // namespace tof::ui
