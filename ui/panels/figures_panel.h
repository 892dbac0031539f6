// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/commands.h"
#include "ui/widgets/basic.h"
#include "ui/widgets/chart.h"
#include "ui/workspace.h"

class QTableWidget;

namespace tof::ui {

/// Seconds per iteration of each stage, as bars; copyable.
class StageBars : public QWidget {
    Q_OBJECT

  public:
    explicit StageBars(Workspace& workspace, QWidget* parent = nullptr);
    void refresh();
    /// Mean seconds per iteration of the selected run by stage; empty before the first iteration.
    [[nodiscard]] std::vector<double> seconds() const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Workspace& workspace_;
};

/// The right panel: CRC-NOISE, ROIs, STAGES.
class FiguresPanel : public QWidget {
    Q_OBJECT

  public:
    FiguresPanel(Workspace& workspace, CommandRegistry& commands, QWidget* parent = nullptr);
    void refresh();
    /// The ROI table alone: the selection may have moved.
    void refreshRois() { fillRois(); }
    [[nodiscard]] CurveChart* chart() const { return chart_; }
    [[nodiscard]] Section* section(int index) const { return sections_[static_cast<std::size_t>(index)]; }
    /// The ROI table with decimal points and ASCII minus, tab separated.
    [[nodiscard]] QString roiTable() const;

  private:
    void fillRois();
    QToolButton* makeDrawButton(CommandRegistry& commands);

    Workspace& workspace_;
    std::vector<Section*> sections_;
    CurveChart* chart_;
    QTableWidget* table_;
    ElidedLabel* caption_;
    StageBars* stages_;
};

}  // namespace tof::ui
