// SPDX-License-Identifier: Apache-2.0
// Room for texts beside the marks of a picture or chart.
#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace tof::ui {

/// Finds room for texts among the marks of a chart: inside its area, touching no mark and no other text.
class LabelPlacer {
  public:
    explicit LabelPlacer(const QRectF& area) : area_(area) {}
    void avoid(const QRectF& mark) { marks_.push_back(mark); }
    void avoid(const QLineF& line) { lines_.push_back(line); }
    /// The free box of a size nearest to a point, at most `reach` px away from it, taken from now on; empty
    /// when there is none. To the right and below are tried first.
    [[nodiscard]] std::optional<QRectF> place(QPointF at, QSizeF size, double reach);

  private:
    [[nodiscard]] bool isFree(const QRectF& box) const;

    QRectF area_;
    std::vector<QRectF> marks_;
    std::vector<QLineF> lines_;
};

/// Where the labels of marks go: beside their mark, inside `room` and off each other as long as there is a
/// place; the first label has the first choice. `taken` is where something else is written. One rectangle per
/// mark, in order.
[[nodiscard]] std::vector<QRectF> labelPlaces(const std::vector<QPointF>& marks,
                                              const std::vector<QSizeF>& sizes, const QRectF& room,
                                              const QRectF& taken);

}  // namespace tof::ui
