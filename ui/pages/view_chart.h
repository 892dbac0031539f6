// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <optional>

#include "ui/charts/axes.h"
#include "ui/pages/data_model.h"

namespace tof::ui {

/// Counts of every view against the first axis, one curve per value of the second; what is expected of the
/// view on screen beside its counts. A click chooses the view.
class ViewChart : public QWidget {
    Q_OBJECT

  public:
    explicit ViewChart(DataModel& model, QWidget* parent = nullptr);
    /// Where a view is in this widget.
    [[nodiscard]] QPointF place(int first, int second) const;
    /// Both values and the counts of every view.
    [[nodiscard]] QString toCsv() const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    [[nodiscard]] Plot plot() const;
    [[nodiscard]] std::optional<double> counts(int first, int second) const;
    [[nodiscard]] double valueAt(int first) const;

    DataModel& model_;
};

}  // namespace tof::ui
