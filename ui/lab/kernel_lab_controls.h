// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <map>
#include <string>

#include "ui/kit/basic.h"
#include "ui/kit/commands.h"
#include "ui/kit/controls.h"
#include "ui/lab/kernel_lab.h"

class QTableWidget;

class QLabel;

namespace tof::ui {

/// The left side of the lab: kernel, widths, view angle, point sources. Every number has a field.
class KernelLabControls : public QWidget {
    Q_OBJECT

  public:
    KernelLabControls(KernelLab& lab, CommandRegistry& commands, QWidget* parent = nullptr);
    void refresh();

  Q_SIGNALS:
    /// A preset was picked: a name, or preset:NAME.
    void presetChosen(const QString& name);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void buildKernel(CommandRegistry& commands);
    void buildWidths();
    void buildAngles();
    void buildPoints(CommandRegistry& commands);
    void refreshPresets();
    void refreshTables();
    [[nodiscard]] QString deviationText(int profile) const;
    void knotEdited(int row, int column);
    void pointEdited(int row, int column);

    KernelLab& lab_;
    std::vector<Section*> sections_;
    ComboBox* presets_ = nullptr;
    ElidedLabel* fault_ = nullptr;
    std::map<std::string, NumberRow*> numbers_;
    QWidget* asymmetry_ = nullptr;
    QTableWidget* knots_ = nullptr;
    Dial* dial_ = nullptr;
    NumberRow* azimuth_ = nullptr;
    NumberRow* tilt_ = nullptr;
    QTableWidget* points_ = nullptr;
    QLabel* hint_ = nullptr;
};

}  // namespace tof::ui
