// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "recon/kinetics/parametric_images.h"
#include "ui/charts/axes.h"
#include "ui/desk/frame_range.h"
#include "ui/kit/wish.h"
#include "ui/kit/worker.h"

namespace tof::ui {

class RoiModel;
class RunItem;
class RunList;
class Screen;
class ViewModel;

/// Activity against time of the dynamic image on screen: of the voxel under the cursor, and of every ROI with
/// the SD over its voxels. A click shows the frame there, a drag the mean of several. Means over ROIs are
/// taken away from the window.
class TimeChart : public QWidget {
    Q_OBJECT

  public:
    TimeChart(const RoiModel& rois, RunList& runs, ViewModel& view, Screen& screen, Threading threading,
              QWidget* parent = nullptr);
    /// Ends what is being read.
    ~TimeChart() override;

    /// What is drawn follows the models; called whenever they change while the chart is in sight.
    void refresh();
    /// The curve under the cursor first, where it is in the image, then those of the ROIs as far as they are
    /// there: as shown, in unit() and decay-corrected or not.
    [[nodiscard]] std::vector<RegionCurve> curves() const;
    /// That as a table, as `tac` prints it.
    [[nodiscard]] QString toTsv() const;
    /// The FWHM in mm whose partial volumes are taken out of the curves of ROIs (PartialVolume); 0: none are.
    /// Throws WrongUse below 0 and above 1000.
    void setPartialVolume(double fwhm_mm);
    [[nodiscard]] double partialVolume_mm() const { return partialVolume_mm_; }
    /// What the values are.
    [[nodiscard]] QString caption() const;
    /// The frame at a place of the widget, from 1; 0: none.
    [[nodiscard]] int frameAt(const QPointF& place) const;
    /// Where the middle of a frame is.
    [[nodiscard]] QPointF placeOf(int frame) const;

  Q_SIGNALS:
    /// Curves of ROIs have been found, or why there are none.
    void taken();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    /// What curves were taken of.
    struct Of {
        int item = 0;
        std::uint64_t rois = 0;
        std::size_t voxel = 0;  ///< under the cursor, where its values are not in memory
        double partialVolume_mm = 0;
        [[nodiscard]] bool operator==(const Of&) const = default;
    };
    struct Drawn {
        RegionCurve curve;
        QColor colour;
        QPen pen;
    };
    /// What brings stored values to what is shown, and why they are not what was asked for.
    struct Factors {
        std::vector<double> values;
        QString whyStored;
    };
    [[nodiscard]] RunItem* image() const;
    [[nodiscard]] Factors factors(const RunItem& item) const;
    /// The voxel under the cursor; nothing outside of the image.
    [[nodiscard]] std::optional<std::size_t> voxel(const RunItem& item) const;
    [[nodiscard]] std::vector<Drawn> drawn() const;
    [[nodiscard]] Plot plot(const std::vector<Drawn>& curves) const;
    void paintCurve(QPainter& painter, const Plot& plot, const Drawn& one) const;
    void paintNames(QPainter& painter, const Plot& plot, const std::vector<Drawn>& curves) const;

    const RoiModel& rois_;
    RunList& runs_;
    ViewModel& view_;
    Screen& screen_;
    Of of_;                            ///< says what taken_ was taken from
    std::vector<RegionCurve> taken_;   ///< stored values of ROIs
    std::vector<double> underCursor_;  ///< stored values, where they are not in memory
    double partialVolume_mm_ = 0;
    QString fault_;    ///< why there are no curves of ROIs
    int pressed_ = 0;  ///< frame that a drag began in
    Worker worker_;
    Wish wish_;
};

}  // namespace tof::ui
