// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/rois/roi_list.h"

namespace tof::ui {

/// The few values that are looked at all the time: spheres first, then their mean, then the backgrounds, then
/// the rest. The backgrounds of spheres are one row that unfolds: no row comes or goes by what is selected.
class SphereTable : public RoiList {
    Q_OBJECT

  public:
    SphereTable(RoiModel& rois, ViewModel& view, Screen& screen, QWidget* parent = nullptr);
    void refresh();
    [[nodiscard]] int roiOfRow(int row) const override {
        return row >= 0 && row < static_cast<int>(rows_.size()) ? rows_[static_cast<std::size_t>(row)].roi
                                                                : -1;
    }

  protected:
    [[nodiscard]] std::optional<RoiQuantity::Kind> quantityOf(int column) const override;

  private:
    enum class Part { Spheres, Backgrounds, Rest };
    struct Row {
        QString name;
        QString mean, sd, crc;
        int roi = -1;
        QString note{};
        bool group = false;  ///< the title that folds the rows below it
    };
    [[nodiscard]] static Part partOf(const Roi& roi) {
        return roi.role == Roi::Role::Sphere                         ? Part::Spheres
               : roi.role == Roi::Role::Background && roi.group >= 0 ? Part::Backgrounds
                                                                     : Part::Rest;
    }
    [[nodiscard]] Row rowOf(std::size_t roi, const Figures& figures) const;
    void choosePower(const Figures& figures);
    [[nodiscard]] QString meanText(double value) const;
    void addPart(Part part, const Figures& figures);
    void addMeanOfSpheres(const Figures& figures);
    void addBackgrounds(const Figures& figures);
    void writeRow(int row);
    void writeSign(QTableWidgetItem& cell, const Row& row) const;
    /// Folds or unfolds where the row is the title of the backgrounds; false elsewhere.
    bool foldBackgrounds(int row);

    std::vector<Row> rows_;
    int power_ = 0;  ///< power of ten in the header of the means
    bool backgroundsFolded_ = true;
};

}  // namespace tof::ui
