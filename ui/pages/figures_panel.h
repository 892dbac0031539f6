// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "ui/charts/chart.h"
#include "ui/charts/observer_curves.h"
#include "ui/kit/basic.h"
#include "ui/kit/commands.h"
#include "ui/pictures/picture_models.h"
#include "ui/rois/roi_editor.h"
#include "ui/rois/sphere_table.h"

namespace tof::ui {

class RoiCurves;
class Screen;

/// Seconds per iteration of each stage, as bars; copyable.
class StageBars : public QWidget {
    Q_OBJECT

  public:
    explicit StageBars(RunList& runs, QWidget* parent = nullptr);
    /// Mean seconds per iteration of the selected run by stage; empty before the first iteration.
    [[nodiscard]] std::vector<double> seconds() const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    RunList& runs_;
};

/// The right panel: CRC-NOISE, ROIs, STAGES.
class FiguresPanel : public QWidget {
    Q_OBJECT

  public:
    /// What is given outlives the panel.
    FiguresPanel(const PictureModels& models, const RoiCurves& curves, Screen& screen, Threading threading)
        : models_(models), curves_(curves), screen_(screen), observer_(models.runs, models.rois, threading) {}
    /// Adds the panel's own commands and fills it; called once, when every other command exists.
    void build(CommandRegistry& commands);
    void refresh();
    /// The ROI table alone: the selection may have moved.
    void refreshRois();
    [[nodiscard]] CurveChart* chart() const { return chart_; }
    [[nodiscard]] ObserverCurves& observer() { return observer_; }
    [[nodiscard]] const std::vector<Section*>& sections() const { return sections_; }
    [[nodiscard]] RoiEditor* editor() const { return editor_; }
    void setEditorShown(bool on);
    /// Every ROI with every quantity, tab separated, with decimal points.
    [[nodiscard]] QString roiTable() const;
    /// That table below its definitions, as files have it.
    [[nodiscard]] QString roiTableFile() const;

  Q_SIGNALS:
    void editorShown();
    /// An ROI was right-clicked in the table; `value`: of the cell, for files.
    void roiContextRequested(int roi, const QPoint& globalPosition, const QString& value);
    /// The copy key was pressed in the table.
    void copyRequested();

  private:
    void addCommands(CommandRegistry& commands);
    void addKinds(CommandRegistry& commands);
    void askForObserver();
    void buildCurves(Section& section, CommandRegistry& commands);
    void buildRois(Section& section, CommandRegistry& commands);
    /// What the truth would measure, or why that is not known.
    [[nodiscard]] QString truthText(const Figures& figures) const;
    void fillRois();
    QToolButton* makeDrawButton(CommandRegistry& commands);

    PictureModels models_;
    const RoiCurves& curves_;
    Screen& screen_;
    ObserverCurves observer_;
    std::vector<Section*> sections_;
    CurveChart* chart_ = nullptr;
    ComboBox* kinds_ = nullptr;
    SphereTable* table_ = nullptr;
    ElidedLabel* caption_ = nullptr;
    ElidedLabel* truth_ = nullptr;
    RoiEditor* editor_ = nullptr;
    StageBars* stages_ = nullptr;
};

}  // namespace tof::ui
