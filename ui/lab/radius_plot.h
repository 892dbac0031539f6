// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "ui/charts/axes.h"
#include "ui/lab/kernel_lab.h"

namespace tof::ui {

/// Radial FWHM against the distance from the centre (paper 000, Fig. 8): the lab's kernel with points to
/// drag, the presets faint behind it.
///
/// Mouse: drag a point, double-click adds one, Delete removes the selected one; arrow keys move it by 1 mm
/// along and 0.1 mm of width (Shift: 10 and 1), Tab selects. Esc puts back what is dragged.
class RadiusPlot : public QWidget {
    Q_OBJECT

  public:
    explicit RadiusPlot(KernelLab& lab, QWidget* parent = nullptr);

    /// Where a point of the line is in this widget, and the reverse.
    [[nodiscard]] QPointF place(double s_mm, double fwhm_mm) const { return plot().at(s_mm, fwhm_mm); }
    [[nodiscard]] std::pair<double, double> value(QPointF position) const;
    void setPresetsShown(bool shown) {
        presetsShown_ = shown;
        update();
    }
    [[nodiscard]] bool presetsShown() const { return presetsShown_; }
    /// Puts back what is being dragged; false when nothing is.
    bool abandonDrag();
    /// |s| and the FWHM of the kernel and every preset, as lines with commas.
    [[nodiscard]] QString toCsv() const {
        return QString::fromStdString(widthsAsCsv(lab_.kernel(), plot().x.high));
    }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent*) override {
        hovered_ = -1;
        update();
    }
    bool event(QEvent* event) override;

  private:
    [[nodiscard]] QRectF plotArea() const {
        return {46, 30, std::max(60.0, width() - 46.0 - nameRoom()), std::max(40.0, height() - 30.0 - 44)};
    }
    /// At the right, px: the whole name of the curve that is drawn, up to three tenths of the width.
    [[nodiscard]] double nameRoom() const;
    [[nodiscard]] QString ownName() const;
    [[nodiscard]] Plot plot() const;
    [[nodiscard]] int knotAt(QPointF position) const;
    void insertAfter(int index);
    void paintPresets(QPainter& painter, const Plot& plot) const;
    void paintNames(QPainter& painter, const Plot& plot) const;
    void paintKernel(QPainter& painter, const Plot& plot) const;
    void paintTag(QPainter& painter, const QRectF& plot, QPointF at, double s_mm, double fwhm_mm) const;

    KernelLab& lab_;
    bool presetsShown_ = true;
    int held_ = -1;
    bool leaves_ = false;  ///< let go here, the held point is removed
    int hovered_ = -1;
    QPointF grip_;        ///< from the pointer to the middle of the held point
    KernelSpec before_;   ///< the kernel before the drag
    double heldTop_ = 0;  ///< upper end of the width axis while a point is held
};

}  // namespace tof::ui
