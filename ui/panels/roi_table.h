// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTableWidget>

#include "ui/models/roi_quantity.h"
#include "ui/workspace.h"

namespace tof::ui {

/// The role of an ROI as a small sign: solid, dashed or dotted ring on a dark halo.
[[nodiscard]] QPixmap roiSign(const Roi& roi, const QColor& colour, double ratio);
/// As large as a sign, for rows without one.
[[nodiscard]] QPixmap emptySign(double ratio);

/// Every ROI with every quantity, of the image on screen; a click takes the cursor there.
class RoiTable : public QTableWidget {
    Q_OBJECT

  public:
    explicit RoiTable(Workspace& workspace, QWidget* parent = nullptr);
    void refresh();
    /// CRC, noise and NSR of the image on screen, and how voxels count.
    [[nodiscard]] QString caption() const;

  Q_SIGNALS:
    /// An ROI was double-clicked: its numbers are wanted.
    void editRequested();
    void contextRequested(int roi, const QPoint& globalPosition);

  private:
    Workspace& workspace_;
};

}  // namespace tof::ui
