// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/desk/run_list.h"
#include "ui/pictures/picture_models.h"

#include "ui/kit/worker.h"

#include <array>
#include <memory>
#include <tuple>

#include "ui/charts/profile_chart.h"
#include "ui/charts/time_chart.h"
#include "ui/kit/basic.h"
#include "ui/kit/controls.h"
#include "ui/kit/more_button.h"
#include "ui/kit/page.h"
#include "ui/pages/time_bar.h"
#include "ui/pages/viewer_lines.h"
#include "ui/pictures/level_strip.h"
#include "ui/pictures/slice_pane.h"
#include "ui/pictures/solid_pane.h"
#include "ui/rois/roi_table.h"

class QMenu;
class QLineEdit;
class QStackedWidget;

namespace tof::ui {

class Screen;

/// The centre of the window: view bar, three panes, profile, probe line.
class Viewer : public Page {
    Q_OBJECT

  public:
    Viewer(const PictureModels& models, Screen& screen, Threading threading, QWidget* parent = nullptr);
    void build(CommandRegistry& commands) override;
    void refresh() override;
    bool abandonDrag() override;
    [[nodiscard]] QString whyNoPicture() const override;
    /// The pictures alone, for PNG and clipboard.
    [[nodiscard]] QWidget& pictures() override { return *pictures_; }
    [[nodiscard]] QString shownName() override;
    void stepImage(int step) override { models_.runs.selectNext(step); }
    [[nodiscard]] QString profileCsv() const override { return profile_->toCsv(); }

    [[nodiscard]] SlicePane* pane(Plane plane) const { return panes_[static_cast<std::size_t>(plane)]; }
    [[nodiscard]] ProfileChart* profile() const { return profile_; }
    [[nodiscard]] TimeChart* timeChart() const { return timeChart_; }
    [[nodiscard]] RoiTable* roiTable() const { return roiTable_; }
    [[nodiscard]] SolidPane* solid() const { return solid_; }
    /// The 3-D picture as a surface, or the brightest value along the line of sight.
    [[nodiscard]] bool surfaceShown() const { return surfaceShown_; }
    void setSurfaceShown(bool shown);
    /// Level of the surface, per cent of the image's largest value; clamped to 1 to 99.
    [[nodiscard]] double surfacePercent() const { return surfacePercent_; }
    void setSurfacePercent(double percent);
    [[nodiscard]] ProbeLine* probe() const { return probe_; }
    /// ROIs alone: the pictures below them stay.
    void refreshRois();

  protected:
    void arrange() override;

  Q_SIGNALS:
    /// The menu of ranges by name is about to open.
    void rangesShown(QMenu& menu);

  private:
    void fitBar();
    /// The unit of the range and, where Auto took it from another image than the one on screen, which.
    [[nodiscard]] QString rangeCaption();
    void shareScale();
    void showChartTabs();
    /// The ROI table is below the pictures, in the place of the profile.
    [[nodiscard]] bool tableShown() const;
    [[nodiscard]] bool timeShown() const;
    /// The image from outside is, or in a fourth picture.
    [[nodiscard]] bool solidInFront() const;
    [[nodiscard]] QToolButton* makeRangeButton(CommandRegistry& commands);
    [[nodiscard]] SolidSource solidSource();
    void refreshSolid();
    void buildTimeBox(CommandRegistry& commands);
    void buildSolidBox(CommandRegistry& commands);
    void commitRange();
    void commitSlab();

    PictureModels models_;
    std::array<SlicePane*, 3> panes_{};
    std::array<PaneHeader*, 3> headers_{};
    std::array<QWidget*, 3> frames_{};
    QWidget* pictures_;
    QWidget* bar_;
    QWidget* profileBox_;
    ElidedLabel* profileCaption_;
    QStackedWidget* lower_;
    ProfileChart* profile_;
    RoiTable* roiTable_;
    TimeChart* timeChart_;
    TimeBar* timeBar_;
    QWidget* timeBox_ = nullptr;
    std::vector<QWidget*> chartTabs_;  ///< and at the end the list that stands for them
    QWidget* axisSegments_ = nullptr;
    ProbeLine* probe_;
    ComboBox* maps_ = nullptr;
    LevelStrip* strip_ = nullptr;
    QLineEdit* low_ = nullptr;
    QLineEdit* high_ = nullptr;
    ElidedLabel* unit_ = nullptr;
    QLineEdit* slab_ = nullptr;
    MoreButton* more_ = nullptr;  ///< what the bar has no room for
    SolidPane* solid_ = nullptr;
    bool surfaceShown_ = false;
    double surfacePercent_ = 40;
    QWidget* solidBox_ = nullptr;
    NumberRow* surfaceLevel_ = nullptr;
    NumberRow* partialVolume_ = nullptr;
    /// What the solid was made of: volume, range, map, inverted, level of a surface or 0.
    std::tuple<std::shared_ptr<const Volume>, double, double, QString, bool, double> solidShown_;
};

}  // namespace tof::ui
