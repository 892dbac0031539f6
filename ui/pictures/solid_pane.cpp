// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/solid_pane.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "ui/kit/basic.h"
#include "ui/kit/picture_marks.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr double kFrontAzimuth = 30;
constexpr double kFrontElevation = 20;
constexpr double kMargin = 12;  ///< px
constexpr double kKeyStep = 5;  ///< degrees

}  // namespace

/// What draws surfaces, started with the first one that is asked for: loading a driver can take many seconds.
struct SolidPane::Surfaces {
    bool tried = false;
    std::unique_ptr<viz::SurfaceRenderer> renderer;  ///< null without OpenGL
    QString whyNot;

    void open() {
        if (std::exchange(tried, true)) {
            return;
        }
        try {
            renderer = viz::makeSurfaceRenderer();
        } catch (const Unavailable& why) {
            whyNot = QString::fromUtf8(why.what());
        }
    }
};

SolidPane::SolidPane(SolidSource source, Threading threading, QWidget* parent)
    : QWidget(parent),
      source_(std::move(source)),
      surfaces_(std::make_shared<Surfaces>()),
      pool_(std::make_shared<ThreadPool>(0, Priority::Background)),
      worker_(threading) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setCursor(Qt::OpenHandCursor);
    setMinimumSize(80, 60);
}

SolidPane::~SolidPane() = default;

void SolidPane::setAngles(double azimuth_deg, double elevation_deg) {
    azimuth_ = std::remainder(azimuth_deg, 360.0);
    elevation_ = std::clamp(elevation_deg, -90.0, 90.0);
    refresh();
}

void SolidPane::refresh() {
    stale_ = true;
    if (isVisible() && !worker_.busy()) {
        start();
    }
}

viz::SolidView SolidPane::view(const Volume& volume, double pixelsPerLogical) const {
    const Box box = source_.box(volume);
    viz::SolidView v;
    v.azimuth_deg = azimuth_;
    v.elevation_deg = elevation_;
    v.centre = box.middle();
    v.width = std::max(1, static_cast<int>(std::lround(width() * pixelsPerLogical)));
    v.height = std::max(1, static_cast<int>(std::lround(height() * pixelsPerLogical)));
    // The whole box fits from every side: its diagonal across, what its height and breadth make of it
    // upwards.
    const Vec3 size = box.high - box.low;
    const double across = std::hypot(size.x, size.y);
    const double e = elevation_ * kRadPerDeg;
    const double up = std::abs(std::cos(e)) * size.z + std::abs(std::sin(e)) * across;
    const double usableWidth = std::max(20.0, width() - 2 * kMargin);
    const double usableHeight = std::max(20.0, height() - 2 * kMargin);
    v.mmPerPixel = std::max(across / usableWidth, up / usableHeight) / zoom_ / pixelsPerLogical;
    return v;
}

/// What one picture is made from, and what comes of it. The worker owns it while it computes.
struct SolidPane::Job {
    viz::SolidRequest request;
    bool draft = false;
    double share = 0;
    std::shared_ptr<Surfaces> surfaces;
    std::shared_ptr<const viz::SurfaceMesh> mesh;  ///< null: to be made
    std::shared_ptr<ThreadPool> pool;
    viz::Picture picture;

    [[nodiscard]] bool isSurface() const { return request.mode == viz::SolidMode::Surface; }
    [[nodiscard]] bool drawsTriangles() const { return isSurface() && surfaces->renderer != nullptr; }

    void compute() {
        if (isSurface()) {
            surfaces->open();
        }
        if (request.mode == viz::SolidMode::Surface && mesh == nullptr) {
            const auto& data = request.volume->data;
            const double peak = static_cast<double>(*std::max_element(data.begin(), data.end()));
            request.level = peak > 0 ? share * peak : 1;  // nothing but zeros reaches no level
            if (drawsTriangles()) {
                mesh = viz::extractSurface(*request.volume, request.level);
            }
        }
        if (drawsTriangles()) {
            using Detail = viz::SurfaceRenderer::Detail;
            picture = surfaces->renderer->render(mesh, request, draft ? Detail::Coarse : Detail::Full);
        } else {
            picture = viz::renderSolid(request, *pool);
        }
    }
};

void SolidPane::start() {
    stale_ = false;
    const auto volume = source_.volume();
    if (volume == nullptr) {
        image_ = QImage();
        update();
        return;
    }
    const auto job = std::make_shared<Job>();
    job->request = source_.look();
    job->request.volume = volume;
    job->draft = turning_;
    job->pool = pool_;
    surfaceShown_ = job->request.mode == viz::SolidMode::Surface;
    job->surfaces = surfaces_;
    if (surfaceShown_) {
        job->share = source_.levelShare();
        if (meshOf_ == volume && meshShare_ == job->share) {
            job->mesh = mesh_;
        }
    }
    // Triangles cost the same in any resolution, rays do not.
    const bool half = job->draft && (!job->isSurface() || !whyNoOpenGl_.isEmpty());
    job->request.view = view(*volume, devicePixelRatioF() * (half ? 0.5 : 1));
    ground_ = groundOf(job->request.map);
    worker_.start([job] { job->compute(); },
                  [this, job](const std::exception_ptr& fault) {
                      if (fault == nullptr) {
                          image_ = imageOn(job->picture.view()).copy();
                          openGlKnown_ = openGlKnown_ || job->isSurface();
                          whyNoOpenGl_ = surfaces_->whyNot;
                          if (job->drawsTriangles()) {
                              mesh_ = job->mesh;
                              meshOf_ = job->request.volume;
                              meshShare_ = job->share;
                          }
                      }
                      stale_ = stale_ || (job->draft && !turning_);
                      if (stale_ && isVisible()) {
                          start();
                      }
                      update();
                      Q_EMIT computed();
                  });
}

void SolidPane::paintAxes(QPainter& painter, const Volume& volume, MarkGround ground) const {
    const viz::SolidView v = view(volume, 1);
    const Vec3 middle = source_.box(volume).middle();
    const QFont font = smallFont(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const SolidAxis& axis : source_.axes()) {
        const auto from = v.toPixel(middle - axis.half_mm * axis.direction);
        const auto to = v.toPixel(middle + axis.half_mm * axis.direction);
        const QPointF end(to[0], to[1]);
        QColor ink = markInk(ground);
        ink.setAlphaF(0.5F);
        painter.setPen(QPen(ink, 1));
        painter.drawLine(QPointF(from[0], from[1]), end);
        QPointF at = end + QPointF(to[0] >= from[0] ? 4 : -4 - metrics.horizontalAdvance(axis.name), 4);
        at.setX(std::clamp(at.x(), 4.0, std::max(4.0, width() - 4 - metrics.horizontalAdvance(axis.name))));
        at.setY(std::clamp(at.y(), 14.0, height() - 6.0));
        drawOutlined(painter, at, axis.name, font, ground);
    }
}

/// What is to be known about the surface, in one line at the foot.
void SolidPane::paintNote(QPainter& painter) const {
    QString note;
    if (surfaceShown_ && !openGlKnown_) {
        note = tr("The surface is on its way: OpenGL starts");
    } else if (surfaceShown_ && !whyNoOpenGl_.isEmpty()) {
        note = whyNoOpenGl_;
    } else if (surfaceShown_ && mesh_ != nullptr && mesh_->averaged() > 1) {
        note = tr("voxels averaged by %1 along every edge").arg(mesh_->averaged());
    }
    if (!note.isEmpty()) {
        const QFont font = smallFont();
        const QString text = QFontMetrics(font).elidedText(note, Qt::ElideRight, std::max(20, width() - 20));
        drawOutlined(painter, {10, height() - 10.0}, text, font, ground_);
    }
}

void SolidPane::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto volume = source_.volume();
    if (volume == nullptr || image_.isNull()) {
        const viz::Rgb ground = source_.look().map.zero();
        painter.fillRect(rect(), QColor(ground.r, ground.g, ground.b));
        painter.setPen(markInk(groundOf(source_.look().map)));
        painter.setFont(smallFont());
        painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         volume == nullptr                ? source_.empty()
                         : surfaceShown_ && !openGlKnown_ ? tr("The surface is on its way: OpenGL starts")
                                                          : QString());
        return;
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(QRectF(rect()), image_);
    paintAxes(painter, *volume, ground_);
    if (const QString corner = source_.corner(); !corner.isEmpty()) {
        drawOutlined(painter, {10, 18}, corner, smallFont(QFont::DemiBold), ground_);
    }
    paintNote(painter);
    drawFocusFrame(*this, painter);
}

void SolidPane::mousePressEvent(QMouseEvent* event) {
    last_ = event->position();
    turning_ = event->button() == Qt::LeftButton;
}

void SolidPane::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        const QPointF d = event->position() - last_;
        setAngles(azimuth_ - 0.5 * d.x(), elevation_ + 0.5 * d.y());
        last_ = event->position();
    }
}

void SolidPane::mouseReleaseEvent(QMouseEvent*) {
    turning_ = false;
    refresh();
}

void SolidPane::mouseDoubleClickEvent(QMouseEvent*) {
    turning_ = false;
    zoom_ = 1;
    setAngles(kFrontAzimuth, kFrontElevation);
}

void SolidPane::wheelEvent(QWheelEvent* event) {
    setZoom(zoom_ * std::pow(1.2, event->angleDelta().y() / 120.0));
    event->accept();
}

void SolidPane::setZoom(double zoom) {
    zoom_ = std::clamp(zoom, 0.5, 20.0);
    refresh();
}

bool SolidPane::event(QEvent* event) {
    return claimsKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down}) ||
           QWidget::event(event);
}

void SolidPane::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: setAngles(azimuth_ + kKeyStep, elevation_); break;
        case Qt::Key_Right: setAngles(azimuth_ - kKeyStep, elevation_); break;
        case Qt::Key_Up: setAngles(azimuth_, elevation_ + kKeyStep); break;
        case Qt::Key_Down: setAngles(azimuth_, elevation_ - kKeyStep); break;
        default: QWidget::keyPressEvent(event);
    }
}

}  // namespace tof::ui
