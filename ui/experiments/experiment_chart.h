// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include "recon/experiment/experiment.h"
#include "ui/charts/axes.h"

namespace tof::ui {

/// The lines of an experiment over one pair of axes, with their names; drawn as the window's other curves.
class ExperimentChart : public QWidget {
    Q_OBJECT

  public:
    explicit ExperimentChart(QWidget* parent = nullptr);
    void setChart(const LineChart& chart) {
        chart_ = chart;
        update();
    }
    [[nodiscard]] const LineChart& chart() const { return chart_; }
    /// Where a point is in this widget.
    [[nodiscard]] QPointF place(double x, double y) const { return plot().at(x, y); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] Plot plot() const;

    LineChart chart_;
};

}  // namespace tof::ui
