// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ui/desk/roi_quantity.h"
#include "ui/desk/screen.h"
#include "ui/kit/key_table.h"

namespace tof::ui {

/// The role of an ROI as a small sign: solid, dashed or dotted ring on a dark halo.
[[nodiscard]] QPixmap roiSign(const Roi& roi, const QColor& colour, double ratio);
/// As large as a sign, for rows without one.
[[nodiscard]] QPixmap emptySign(double ratio);

/// Every ROI with every quantity, of the image on screen; a click takes the cursor there. A click on a header
/// sorts: numbers from the largest, then from the smallest, then as in the study.
class RoiTable : public KeyTable {
    Q_OBJECT

  public:
    struct Sorting {
        int column = -1;  ///< -1: as in the study
        bool descending = false;
        [[nodiscard]] bool operator==(const Sorting&) const = default;
    };

    RoiTable(RoiModel& rois, ViewModel& view, Screen& screen, QWidget* parent = nullptr);
    void refresh();
    /// CRC, noise and NSR of the image on screen, its unit, and how voxels count.
    [[nodiscard]] QString caption() const;
    [[nodiscard]] Sorting sorting() const { return sorting_; }
    void sortBy(Sorting sorting);
    /// Index in the study of the ROI in a row; -1: no such row.
    [[nodiscard]] int roiOfRow(int row) const;

  Q_SIGNALS:
    /// An ROI was double-clicked: its numbers are wanted.
    void editRequested();
    /// `value`: of the cell, for files; empty where there is none.
    void contextRequested(int roi, const QPoint& globalPosition, const QString& value);

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void nextSorting(int column);
    void sortRows(const Figures& figures);
    void writeRow(int row, const Figures& figures);
    QTableWidgetItem* write(int row, int column, const QString& text);
    void widenFor(int row, int column);
    void hidePeak(int column);
    void choosePower(const Figures& figures);
    void fitColumns();
    void fitNames();
    void choose(int row);

    RoiModel& rois_;
    ViewModel& view_;
    Screen& screen_;
    Sorting sorting_;
    std::vector<int> order_;  ///< ROI of each row
    QString unitName_;        ///< of the values in the titles
    int power_ = 0;           ///< of ten, in the headers of values in the image's unit
    bool fitting_ = false;
    bool namesByHand_ = false;  ///< the width of the first column was dragged
};

}  // namespace tof::ui
