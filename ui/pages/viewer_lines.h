// SPDX-License-Identifier: Apache-2.0
// The lines of text above and below the pictures of the viewer.
#pragma once

#include <QWidget>
#include <array>
#include <functional>
#include <vector>

#include "ui/desk/desk.h"

namespace tof::ui {

/// Strip of 28 px above a picture: plane, position, run.
class PaneHeader : public QWidget {
    Q_OBJECT

  public:
    PaneHeader(Plane plane, Desk& desk, QWidget* parent = nullptr);
    [[nodiscard]] QString position(bool withSlice) const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Plane plane_;
    Desk& desk_;
};

/// Cursor in mm with letters, voxel, values of every run under it, difference of the two first ones.
class ProbeLine : public QWidget {
    Q_OBJECT

  public:
    explicit ProbeLine(Desk& desk, QWidget* parent = nullptr);
    /// These two alone, and the first minus the second; every run unless told otherwise.
    void setOperands(std::function<std::array<RunItem*, 2>()> operands) { operands_ = std::move(operands); }
    /// The read-out as one line, for the clipboard and tests.
    [[nodiscard]] QString text() const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    struct Cell {
        QString number;
        QString unit;
        int width;  ///< px; fixed, so that nothing moves while numbers run
    };
    [[nodiscard]] std::vector<Cell> cells() const;

    Desk& desk_;
    std::function<std::array<RunItem*, 2>()> operands_;
};

}  // namespace tof::ui
