// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPainterPath>
#include <QPointF>
#include <QTransform>
#include <optional>
#include <vector>

#include "recon/metrics/contour.h"
#include "ui/desk/roi_geometry.h"
#include "ui/desk/roi_model.h"
#include "viz/slice_view.h"

class QMouseEvent;
class QPainter;
class QWidget;

namespace tof::ui {

/// Where a picture of a plane has the points of the world, and the other way round.
class PlaneMap {
  public:
    virtual ~PlaneMap() = default;
    [[nodiscard]] virtual Plane plane() const = 0;
    [[nodiscard]] virtual QPointF toWidget(Vec3 world) const = 0;
    /// In the plane that is shown.
    [[nodiscard]] virtual Vec3 toWorld(QPointF position) const = 0;
};

/// The ROIs over one picture: painted, drawn and edited with the mouse.
///
/// With a tool, a left drag draws from the centre outwards (Alt or Ctrl: corner to corner; Shift: as wide as
/// high), a click repeats the last size; polygons take a click per vertex, a double-click or finish() ends
/// them. Without a tool, a press on an outline selects an ROI; the outline of the selected one drags it, its
/// handles change it (Alt or Ctrl: about the centre, Shift: in proportion), a double-click on an edge of a
/// polygon adds a vertex. With the tool for regions, a drag paints voxels into the selected region or a new
/// one (Alt or Ctrl: takes them out), and the tool stays. Everything else belongs to the picture.
class RoiOverlay {
  public:
    /// `canvas` is the widget of the picture that `map` describes; all outlive this.
    RoiOverlay(QWidget& canvas, const PlaneMap& map, RoiModel& model, ViewModel& view);

    void paint(QPainter& painter) const;
    /// True when the event was used here.
    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    bool release(const QMouseEvent& event);
    bool doubleClick(const QMouseEvent& event);

    /// Closes the polygon being drawn; false when there is none of three vertices.
    bool finish();
    /// Takes back the last vertex of the polygon being drawn.
    bool stepBack();
    /// Takes the vertex last touched out of the selected polygon.
    bool removeVertex();
    /// Puts back what is being dragged or drawn in this picture; false when there was nothing. The tool
    /// stays.
    bool abandon();
    [[nodiscard]] bool drawingPolygon() const { return !points_.empty(); }

    /// Where the handles of the selected ROI are in the widget.
    [[nodiscard]] std::vector<std::pair<RoiHandle, QPointF>> handles() const;
    /// The outline of an ROI in the widget.
    [[nodiscard]] QPainterPath outline(const Roi& roi) const { return toWidget().map(section(roi)); }
    /// The ROI whose outline is there in the widget; -1 when there is none.
    [[nodiscard]] int roiAt(QPointF at) const { return editable() ? hit(at).roi : -1; }
    /// True for ROIs that are painted: rings of spheres only beside the selected sphere.
    [[nodiscard]] static bool shown(const RoiModel& model, int index);

  private:
    enum class Doing { Nothing, Drawing, Moving, Shaping, Brushing };
    struct Hit {
        int roi = -1;
        std::optional<RoiHandle> handle;
    };
    [[nodiscard]] RoiView roiView() const {
        return {map_.plane(), view_.orientation(), view_.lattice(), view_.cursor(),
                view_.turnOf(map_.plane())};
    }
    [[nodiscard]] QPainterPath section(const Roi& roi) const {
        return roi.shape == Roi::Shape::Region ? regions_.section(roi, roiView())
                                               : roiSection(roi, roiView());
    }
    [[nodiscard]] QTransform toWidget() const;
    [[nodiscard]] bool touches(int index, QPointF at) const;
    [[nodiscard]] Hit hit(QPointF at) const;
    [[nodiscard]] bool editable() const {
        return view_.flag(ViewModel::Flag::Annotations) && view_.flag(ViewModel::Flag::Rois);
    }
    void hover(QPointF at);
    void draw(QPointF to, Qt::KeyboardModifiers keys);
    /// Takes the voxels under the brush, from its last place to this one, into a region or out of it.
    void brush(QPointF to);
    [[nodiscard]] Roi named(Roi roi) const {
        roi.name = model_.freeName(shapeName(roi.shape));
        return roi;
    }
    void paintRoi(QPainter& painter, int index) const;
    void paintHandles(QPainter& painter) const;
    void paintPolygon(QPainter& painter) const;
    void paintBrush(QPainter& painter) const;

    QWidget& canvas_;
    const PlaneMap& map_;
    RoiModel& model_;
    ViewModel& view_;
    mutable RegionOutlines regions_;

    Doing doing_ = Doing::Nothing;
    QPointF start_;
    bool moved_ = false;
    Roi origin_;                ///< what is dragged, as it was
    RoiHandle handle_;          ///< what it is dragged by
    std::vector<Vec3> points_;  ///< polygon being drawn
    QPointF pointer_;
    Vec3 brushed_;  ///< where the brush was last, mm
    BrushUse brushUse_ = BrushUse::Add;
    int vertex_ = -1;  ///< vertex of the selected polygon, last touched
};

}  // namespace tof::ui
