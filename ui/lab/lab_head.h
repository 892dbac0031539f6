// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractButton>

#include "ui/lab/kernel_lab.h"

class QMenu;

namespace tof::ui {

/// The heading of one side of the lab: what is projected how. A click (or Space) opens the choices: forward
/// or back, engine and strategy, kernel.
class LabHead : public QAbstractButton {
    Q_OBJECT

  public:
    LabHead(KernelLab& lab, int side, QWidget* parent = nullptr);
    /// The choices as they are now; the caller owns the menu. Entries that cannot be chosen say why.
    [[nodiscard]] QMenu* makeMenu();
    /// "Forward", and "cpu, column" or "cpu, column, variant2".
    [[nodiscard]] QString title() const {
        return lab_.operand(side_).kind == ProjectionKind::Forward ? tr("Forward") : tr("Back");
    }
    [[nodiscard]] QString caption() const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    KernelLab& lab_;
    int side_;
};

}  // namespace tof::ui
