// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <optional>

#include "ui/charts/chart.h"
#include "ui/pages/data_model.h"

namespace tof::ui {

/// Counts of every view against azimuth, one curve per tilt; what is expected of the view on screen beside
/// its counts. A click chooses the view.
class ViewChart : public QWidget {
    Q_OBJECT

  public:
    explicit ViewChart(DataModel& model, QWidget* parent = nullptr);
    /// Where a view is in this widget.
    [[nodiscard]] QPointF place(int azimuth, int tilt) const;
    /// "azimuth_deg,tilt_deg,counts" of every view.
    [[nodiscard]] QString toCsv() const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    [[nodiscard]] QRectF plotArea() const;
    [[nodiscard]] std::pair<Axis, Axis> axes() const;
    [[nodiscard]] std::optional<double> counts(int azimuth, int tilt) const;

    DataModel& model_;
};

}  // namespace tof::ui
