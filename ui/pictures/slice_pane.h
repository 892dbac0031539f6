// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pictures/picture_models.h"

#include <QImage>
#include <QWidget>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "ui/desk/layers.h"
#include "ui/kit/picture_marks.h"
#include "ui/pictures/annotation_overlay.h"
#include "ui/pictures/pane_mix.h"
#include "ui/pictures/place_marks.h"
#include "ui/pictures/roi_overlay.h"
#include "viz/slice_pipeline.h"

namespace tof::ui {

/// What a pane shows; the selected run in the shared range and map unless told otherwise.
struct PaneSource {
    std::function<std::shared_ptr<const Volume>()> volume;
    std::function<DisplayRange()> range;
    /// Where a right drag writes the range, and what puts it on automatic; the shared range unless told
    /// otherwise.
    std::function<void(DisplayRange)> setRange;
    std::function<void()> resetRange;
    std::function<bool()> autoRange;
    std::function<viz::ColourMap()> map;
    /// How values are shown; as stored unless told otherwise.
    std::function<DisplayUnit()> unit;
    /// Another image in this pane, `step` further; another run unless told otherwise.
    std::function<void(int step)> stepImage;
    /// The stack of images that the pane shows, bottom first, in the place of `volume` alone; empty: no
    /// stack.
    std::function<std::vector<ShownLayer>()> layers;
    std::optional<PaneMix> mix;      ///< a second image in the same picture
    std::function<QString()> empty;  ///< said where there is no volume
    QString name;                    ///< written into the corner, or empty
    bool bars = false;               ///< scale bar and colour bar
    bool namesOrientation = true;    ///< "radiological" or "neurological", which is said once on a page
    bool rois = true;
    /// False where the axes are not those of the body: no letters and no scale bar.
    std::function<bool()> anatomical = [] { return true; };
    std::function<QString()> caption;  ///< instead of `name`, where it changes
    bool frameFollowsFocus = false;    ///< where several panes show the same plane
};

/// One plane of the volume on screen: the picture from a SlicePipeline, everything else painted over it.
///
/// Mouse: left drag moves the cursor (Ctrl: draws a profile line), right drag window and level, middle drag
/// pans, wheel scrolls (Shift: ten), Ctrl+wheel zooms, wheel with the right button held goes through the
/// images, double-click maximises. ROIs come first: see RoiOverlay.
class SlicePane : public QWidget, public PlaneMap {
    Q_OBJECT

  public:
    SlicePane(Plane plane, const PictureModels& models, QWidget* parent = nullptr);
    ~SlicePane() override;

    [[nodiscard]] Plane plane() const override { return plane_; }
    void setSource(PaneSource source);
    /// mm per logical pixel that all panes share; set by their container.
    void setScale(double mmPerPixel);
    /// mm per logical pixel at which the volume would just fit into this pane.
    [[nodiscard]] double fittingScale() const {
        return viz::fittingScale(models_.view.fitted(), plane_, width(), height(), 6);
    }
    /// Gives panes the scale at which the volume fits into each of those that are not hidden, `zoom` times.
    static void shareScale(const std::vector<SlicePane*>& panes, double zoom);

    /// Where a point is in this widget, in logical pixels, and the reverse.
    [[nodiscard]] QPointF toWidget(Vec3 world) const override {
        const auto pixel = sliceView(1).toPixel(world);
        return {pixel[0], pixel[1]};
    }
    [[nodiscard]] Vec3 toWorld(QPointF position) const override {
        return sliceView(1).toWorld(position.x(), position.y());
    }
    /// The picture as it is on screen, without anything painted over it.
    [[nodiscard]] QImage picture();
    /// What stands at the colour bar: values at its top, middle and bottom, and their unit; of what was drawn
    /// last.
    [[nodiscard]] std::array<QString, 4> colourBarText() const;
    /// Puts back what is being dragged; false when nothing is.
    bool abandonDrag();
    /// Another image in this pane, `step` further.
    void stepImage(int step) { source_.stepImage(step); }
    [[nodiscard]] RoiOverlay& rois() { return rois_; }
    [[nodiscard]] AnnotationOverlay& annotations() { return annotations_; }

  Q_SIGNALS:
    void maximiseRequested();
    /// A picture of a volume is on screen; at the end of each paint.
    void painted();
    /// A right click that was no drag; `roi` is the one whose outline was hit, or -1.
    void contextRequested(int roi, const QPoint& globalPosition);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

  private:
    [[nodiscard]] viz::SliceView sliceView(double ratio) const;
    [[nodiscard]] viz::SliceRequest requestFor(const std::shared_ptr<const Volume>& volume,
                                               double ratio) const;
    [[nodiscard]] viz::SliceRequest requestFor(const ShownLayer& layer, const Lattice& voxels,
                                               double ratio) const;
    void paintStack(QPainter& painter, const std::vector<ShownLayer>& layers, double ratio);
    [[nodiscard]] MixKind mixKind() const {
        return source_.mix && source_.mix->volume() != nullptr ? source_.mix->kind() : MixKind::None;
    }
    void paintPictures(QPainter& painter, const std::shared_ptr<const Volume>& volume);
    /// Which way round the patient is shown: pictures are read without the window. Once on a page.
    void paintOrientation(QPainter& painter) const;
    void paintColourBars(QPainter& painter) const;
    /// With its right end at `right`; returns its left end.
    double paintColourBar(QPainter& painter, const viz::SliceRequest& drawn, const DisplayUnit& unit,
                          double right) const;
    void paintFrame(QPainter& painter) const;
    void paintLine(QPainter& painter) const;
    /// What a held button does: how it follows the pointer, and how what it did is put back.
    struct Drag {
        std::function<void(QPointF to)> follow;
        std::function<void()> putBack;
        std::function<void()> done{};  ///< when the button is let go
    };
    [[nodiscard]] Drag dragOf(const QMouseEvent& press);
    [[nodiscard]] Drag leftDragOf(const QMouseEvent& press);
    /// Shifts or turns the image that is laid onto another one; with Shift a turn goes by steps of 5 degrees.
    [[nodiscard]] Drag placeDragOf(PlaceGrip grip, QPointF from);
    /// What of the handles of that image a press would take.
    [[nodiscard]] PlaceGrip placeGrip(QPointF at) const {
        return source_.anatomical() ? placeGripAt(*this, models_.handles, size(), at) : PlaceGrip::None;
    }
    /// Turns the planes about the cursor: one step of undo; with Shift by steps of 15 degrees.
    [[nodiscard]] Drag turnDragOf(QPointF from);
    void setLevel(DisplayRange before, QPointF by);
    /// The end that stays while a left press draws a line (with Ctrl) or drags one of its ends, if it does.
    [[nodiscard]] std::optional<Vec3> lineFrom(QPointF position, Qt::KeyboardModifiers keys) const;

    Plane plane_;
    PictureModels models_;
    double scale_ = 1;
    PaneSource source_;
    RoiOverlay rois_;
    AnnotationOverlay annotations_;

    viz::SlicePipeline pipeline_;
    viz::SlicePipeline second_;  ///< draws the mixed-in picture
    viz::SliceRequest drawn_;    ///< the image on screen, of a stack the one whose range can be changed
    std::vector<viz::SliceRequest> stack_;  ///< the images of a stack, bottom first
    std::vector<ShownLayer> shown_;         ///< what stack_ was made of

    Qt::MouseButton dragging_ = Qt::NoButton;
    QPointF dragStart_;
    bool dragMoved_ = false;  ///< the pointer left the place it was pressed at, if only for a while
    Drag drag_;
    int wheelRest_ = 0;
};

}  // namespace tof::ui
