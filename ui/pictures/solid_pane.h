// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QWidget>
#include <functional>
#include <memory>

#include "recon/base/parallel.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/worker.h"
#include "viz/surface.h"

namespace tof::ui {

/// An axis drawn through the middle of a solid, with its name at the end.
struct SolidAxis {
    Vec3 direction;  ///< unit
    double half_mm = 0;
    QString name;
};

/// What a SolidPane shows, without its view.
struct SolidSource {
    std::function<std::shared_ptr<const Volume>()> volume;  ///< null: nothing yet
    std::function<viz::SolidRequest()> look;  ///< mode, range, map; volume, view and level are filled in
    std::function<double()> levelShare;       ///< level of the surface, over the largest value; for Surface
    std::function<std::vector<SolidAxis>()> axes;
    std::function<QString()> empty;
    std::function<Box(const Volume&)> box = [](const Volume& v) {
        return latticeBox(v.lattice);
    };  ///< fitted
    std::function<QString()> corner = [] {
        return QString();
    };  ///< written into the upper left corner, or empty
};

/// A volume seen from outside, computed away from the window: the newest view wins. While it is turned, a
/// brightest-value picture has half the resolution and a large surface fewer triangles. Surfaces are
/// triangles drawn by OpenGL; without it the processor casts rays, which is slower, and the pane says so.
///
/// OpenGL is started there, too, with the first surface; until then the pane says that it is on its way.
///
/// Mouse: drag turns, wheel zooms, double-click looks from the front again; arrow keys turn by 5 degrees.
class SolidPane : public QWidget {
    Q_OBJECT

  public:
    SolidPane(SolidSource source, Threading threading, QWidget* parent = nullptr);
    ~SolidPane() override;

    void setAngles(double azimuth_deg, double elevation_deg);
    [[nodiscard]] double azimuth_deg() const { return azimuth_; }
    [[nodiscard]] double elevation_deg() const { return elevation_; }
    /// 1 fits the volume.
    void setZoom(double zoom);
    [[nodiscard]] double zoom() const { return zoom_; }
    /// Looks at the source again.
    void refresh();
    /// True while the picture is not that of the source, the angles and the size.
    [[nodiscard]] bool busy() const { return worker_.busy() || stale_; }
    /// The picture as computed last, in device pixels.
    [[nodiscard]] const QImage& picture() const { return image_; }
    /// The surface drawn last; null before the first one, and without OpenGL.
    [[nodiscard]] const std::shared_ptr<const viz::SurfaceMesh>& surface() const { return mesh_; }
    /// Why there is no OpenGL; empty when there is, or before a surface was asked for.
    [[nodiscard]] QString whyNoOpenGl() const { return whyNoOpenGl_; }

  Q_SIGNALS:
    void computed();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent*) override { refresh(); }
    void showEvent(QShowEvent*) override { refresh(); }
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Job;
    struct Surfaces;
    [[nodiscard]] viz::SolidView view(const Volume& volume, double pixelsPerLogical) const;
    void start();
    void paintNote(QPainter& painter) const;
    void paintAxes(QPainter& painter, const Volume& volume, MarkGround ground) const;

    SolidSource source_;
    double azimuth_ = 30;
    double elevation_ = 20;
    double zoom_ = 1;
    bool turning_ = false;
    bool stale_ = true;
    QPointF last_;
    QImage image_;
    MarkGround ground_ = MarkGround::Dark;
    bool surfaceShown_ = false;
    std::shared_ptr<Surfaces> surfaces_;  ///< touched by the worker while it is busy
    bool openGlKnown_ = false;            ///< whether there is one, and why not
    QString whyNoOpenGl_;
    std::shared_ptr<const viz::SurfaceMesh> mesh_;
    std::shared_ptr<const Volume> meshOf_;
    double meshShare_ = 0;
    std::shared_ptr<ThreadPool> pool_;
    Worker worker_;  ///< last: its destructor waits
};

}  // namespace tof::ui
