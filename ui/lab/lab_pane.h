// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "ui/desk/view_model.h"
#include "ui/kit/picture_marks.h"
#include "ui/lab/kernel_lab.h"
#include "viz/slice_pipeline.h"

namespace tof::ui {

/// What all pictures of the lab share.
struct LabView {
    double zoom = 1;
    Box fitted;       ///< what zoom 1 shows
    Vec3 middle;      ///< mm
    bool mip = true;  ///< all slices at once, else the slice at the cursor
    bool annotations = true;
    viz::Orientation orientation = viz::Orientation::Radiological;
};

/// What one picture of the lab shows.
struct LabPaneSource {
    std::function<std::shared_ptr<const Volume>()> volume;  ///< a whole volume, or its one-layer projection
    std::function<DisplayRange()> range;
    std::function<viz::ColourMap()> map;
    std::function<QString()> empty;  ///< said where there is no volume
    QString name;                    ///< in the corner, or empty
    bool scaleBar = false;
};

/// One plane of a projection of point sources.
///
/// Mouse: a click into the picture adds a source at the cursor's depth, a drag moves one; middle drag pans,
/// Ctrl+wheel zooms, the wheel moves the cursor through the slices. Delete removes the selected source.
class LabPane : public QWidget {
    Q_OBJECT

  public:
    LabPane(Plane plane, KernelLab& lab, LabView& view, LabPaneSource source, QWidget* parent = nullptr);

    [[nodiscard]] Plane plane() const { return plane_; }
    /// mm per logical pixel that all pictures share.
    void setScale(double mmPerPixel) {
        scale_ = mmPerPixel;
        update();
    }
    [[nodiscard]] double fittingScale() const {
        return viz::fittingScale(view_.fitted, plane_, width(), height(), 4);
    }
    [[nodiscard]] QPointF toWidget(Vec3 world) const {
        const auto pixel = sliceView(1).toPixel(world);
        return {pixel[0], pixel[1]};
    }
    [[nodiscard]] Vec3 toWorld(QPointF position) const {
        return sliceView(1).toWorld(position.x(), position.y());
    }
    /// Index of the source that is drawn at a place, or -1.
    [[nodiscard]] int pointAt(QPointF position) const;
    /// Where the numbers of the sources are drawn.
    [[nodiscard]] std::vector<QRectF> labelRects() const;
    /// Where the plane's name is written; empty where there is none.
    [[nodiscard]] QRectF nameRect() const;
    /// Puts back what is being dragged; false when nothing is.
    bool abandonDrag();

  Q_SIGNALS:
    void viewChanged();
    /// The picture on screen is what the lab shows.
    void painted();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    [[nodiscard]] QString nameText() const {
        return source_.name.isEmpty() || !view_.mip ? source_.name : tr("%1 MIP").arg(source_.name);
    }
    void nudge(QPoint arrow, int voxels);
    [[nodiscard]] viz::SliceView sliceView(double ratio) const;
    void paintSources(QPainter& painter, MarkGround ground) const;

    Plane plane_;
    KernelLab& lab_;
    LabView& view_;
    LabPaneSource source_;
    viz::SlicePipeline pipeline_;
    double scale_ = 1;
    int held_ = -1;
    Vec3 heldFrom_;
    QPointF last_;
    int wheelRest_ = 0;
};

}  // namespace tof::ui
