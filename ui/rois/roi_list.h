// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPixmap>
#include <optional>

#include "ui/desk/roi_quantity.h"
#include "ui/kit/key_table.h"

namespace tof::ui {

class RoiModel;
class Screen;
class ViewModel;

/// The role of an ROI as a small sign: solid, dashed or dotted ring on a dark halo.
[[nodiscard]] QPixmap roiSign(const Roi& roi, const QColor& colour, double ratio);
/// The line of its outline: solid, dashed or dotted.
[[nodiscard]] Roi::Dash lineOf(const Roi& roi);
/// As large as a sign, for rows without one.
[[nodiscard]] QPixmap emptySign(double ratio);

/// A table of ROIs and their values in the image on screen: a row that is chosen takes the cursor to its ROI.
class RoiList : public KeyTable {
    Q_OBJECT

  public:
    /// All models outlive the table.
    RoiList(int columns, RoiModel& rois, ViewModel& view, Screen& screen, QWidget* parent);
    /// Index in the study of the ROI in a row; -1: the row has none, or there is no such row.
    [[nodiscard]] virtual int roiOfRow(int row) const = 0;

  Q_SIGNALS:
    /// An ROI was double-clicked: its numbers are wanted.
    void editRequested();
    /// `value`: of the cell, for files; empty where there is none.
    void contextRequested(int roi, const QPoint& globalPosition, const QString& value);

  protected:
    static constexpr int kRow = 24;  ///< px
    /// The header: titles of words at the left, of numbers (from column `numbers` on) at the right.
    void dress(QHeaderView& header, int numbers);
    static constexpr int kLooks = Qt::UserRole + 1;  ///< what the sign in a cell depends on

    /// What a column shows; empty: words.
    [[nodiscard]] virtual std::optional<RoiQuantity::Kind> quantityOf(int column) const = 0;
    /// Called after a column became wider.
    virtual void widened() {}
    /// Writes a cell, aligned as its header is; a number is never shortened.
    QTableWidgetItem* write(int row, int column, const QString& text, const QFont& font);
    /// The sign of an ROI in the first column.
    void sign(QTableWidgetItem& cell, const Roi& roi) const;
    void widenFor(int row, int column);
    void choose(int row);

    RoiModel& rois_;
    ViewModel& view_;
    Screen& screen_;

  private:
    void requestContext(const QPoint& at);
};

}  // namespace tof::ui
