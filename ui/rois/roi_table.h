// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/desk/screen.h"
#include "ui/rois/roi_list.h"

namespace tof::ui {

/// Every ROI with every quantity, of the image on screen; a click takes the cursor there. A click on a header
/// sorts: numbers from the largest, then from the smallest, then as in the study.
class RoiTable : public RoiList {
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
    [[nodiscard]] int roiOfRow(int row) const override {
        return row >= 0 && row < static_cast<int>(order_.size()) ? order_[static_cast<std::size_t>(row)] : -1;
    }

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    [[nodiscard]] std::optional<RoiQuantity::Kind> quantityOf(int column) const override;
    void widened() override { fitNames(); }

  private:
    void nextSorting(int column);
    void sortRows(const Figures& figures);
    void writeRow(int row, const Figures& figures);
    void hidePeak(int column);
    void choosePower(const Figures& figures);
    void fitColumns();
    void fitNames();

    Sorting sorting_;
    std::vector<int> order_;  ///< ROI of each row
    QString unitName_;        ///< unit of the values in the titles
    int power_ = 0;           ///< power of ten in the headers of values in the image's unit
    bool fitting_ = false;
    bool namesByHand_ = false;  ///< the width of the first column was dragged
};

}  // namespace tof::ui
