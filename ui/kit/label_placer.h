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
    explicit LabelPlacer(const QRectF& area);
    void avoid(const QRectF& mark);
    void avoid(const QLineF& line);
    /// The free box of a size nearest to a point, at most `reach` px away from it, taken from now on; empty
    /// when there is none. To the right and below are tried first.
    [[nodiscard]] std::optional<QRectF> place(QPointF at, QSizeF size, double reach);

  private:
    /// What lies in a square of the area, wholly or in part. A box looks at its own squares alone: charts of
    /// hundreds of runs have thousands of marks.
    struct Square {
        std::vector<QRectF> marks;
        std::vector<QLineF> lines;
    };
    struct Squares {
        int left, top, right, bottom;
    };
    /// Those that a rectangle touches; what is beyond the border counts as at it.
    [[nodiscard]] Squares under(const QRectF& box) const;
    [[nodiscard]] bool isFree(const QRectF& box) const;
    [[nodiscard]] const Square& at(int column, int row) const {
        return squares_[static_cast<std::size_t>(row * columns_ + column)];
    }
    [[nodiscard]] Square& at(int column, int row) {
        return squares_[static_cast<std::size_t>(row * columns_ + column)];
    }

    QRectF area_;
    int columns_ = 1;
    int rows_ = 1;
    std::vector<Square> squares_;
};

/// Where the labels of marks go: beside their mark, inside `room` and off each other as long as there is a
/// place; the first label has the first choice. `taken` is where something else is written. One rectangle per
/// mark, in order.
[[nodiscard]] std::vector<QRectF> labelPlaces(const std::vector<QPointF>& marks,
                                              const std::vector<QSizeF>& sizes, const QRectF& room,
                                              const QRectF& taken);

}  // namespace tof::ui
