// SPDX-License-Identifier: Apache-2.0
// The lines of text above and below the pictures of the viewer.
#pragma once

#include <QWidget>
#include <array>
#include <functional>
#include <optional>
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

/// Cursor in mm with letters, voxel, the value of the image on screen, its difference from the next one, and
/// the values of the others.
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
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    struct Cell {
        QString number;
        QString unit;
        int width;  ///< px; fixed, so that nothing moves while numbers run
    };
    /// The image on screen first, then those beside it; a unit where it is another than that of the first.
    [[nodiscard]] std::vector<Cell> cells() const;
    /// In the units shown; nothing outside its lattice or without an image.
    [[nodiscard]] std::optional<double> valueOf(const RunItem& item) const;
    [[nodiscard]] Cell cellOf(const RunItem& item, const QString& unit, int width) const;
    [[nodiscard]] std::optional<Cell> differenceOf(const RunItem* selected, const RunItem* other) const;

    RunList& runs_;
    ViewModel& view_;
    Screen& screen_;
    const OpenStudy& study_;
    std::function<std::array<RunItem*, 2>()> operands_;
};

}  // namespace tof::ui
