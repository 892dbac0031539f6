// SPDX-License-Identifier: Apache-2.0
// The lines of text above and below the pictures of the viewer.
#pragma once

#include <QWidget>
#include <array>
#include <functional>
#include <vector>

#include "recon/metrics/roi.h"

namespace tof::ui {

class OpenStudy;
class RunItem;
class RunList;
class Screen;
class ViewModel;

/// Strip of 28 px above a picture: plane, position, run.
class PaneHeader : public QWidget {
    Q_OBJECT

  public:
    PaneHeader(Plane plane, RunList& runs, ViewModel& view, const OpenStudy& study,
               QWidget* parent = nullptr);
    enum class SliceNumber { Shown, LeftOut };
    [[nodiscard]] QString position(SliceNumber number) const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Plane plane_;
    RunList& runs_;
    ViewModel& view_;
    const OpenStudy& study_;
};

/// Cursor in mm with letters, voxel, values of every run under it, difference of the two first ones.
class ProbeLine : public QWidget {
    Q_OBJECT

  public:
    explicit ProbeLine(RunList& runs, ViewModel& view, Screen& screen, const OpenStudy& study,
                       QWidget* parent = nullptr);
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

    RunList& runs_;
    ViewModel& view_;
    Screen& screen_;
    const OpenStudy& study_;
    std::function<std::array<RunItem*, 2>()> operands_;
};

}  // namespace tof::ui
