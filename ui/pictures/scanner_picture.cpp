// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/scanner_picture.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/kit/basic.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr double kAzimuth = 28;
constexpr double kElevation = 32;
constexpr double kStep = 5;  ///< degrees of an arrow key
constexpr double kDegreesPerPixel = 0.4;
constexpr double kLeastPitch = 2.5;  ///< px between crystals that are drawn one by one
constexpr double kNear = 14;         ///< px from a crystal that a click takes
constexpr int kRound = 48;           ///< corners of a circle

QColor faint(QColor colour, double opacity) {
    colour.setAlphaF(static_cast<float>(opacity));
    return colour;
}

}  // namespace

ScannerPicture::ScannerPicture(QWidget* parent)
    : QWidget(parent), azimuth_(kAzimuth), elevation_(kElevation) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("The scanner from outside"));
    setToolTip(
        tr("Drag or arrow keys turn, the wheel zooms; click two crystals for a line of response, "
           "double-click to look as at the start"));
}

void ScannerPicture::turn(double azimuth_deg, double elevation_deg) {
    azimuth_ = std::remainder(azimuth_deg, 360);
    elevation_ = std::clamp(elevation_deg, -90.0, 90.0);
    update();
}

viz::SolidView ScannerPicture::view() const {
    viz::SolidView view;
    view.azimuth_deg = azimuth_;
    view.elevation_deg = elevation_;
    view.width = width();
    view.height = height();
    const double radius = scene_ ? scene_->radius_mm : 1;
    view.mmPerPixel = 2.04 * radius / std::max(1, std::min(width(), height() - 20)) / zoom_;
    return view;
}

QString ScannerPicture::lineText() const {
    if (!line_ || !scene_) {
        return {};
    }
    const auto [a, b] = *line_;
    return tr("crystal %1 to crystal %2, %3 mm")
        .arg(a)
        .arg(b)
        .arg(numberText(norm(scene_->crystals[a] - scene_->crystals[b]), 1));
}

bool ScannerPicture::event(QEvent* event) {
    // Arrow keys are the picture's where it has the focus, not the window's.
    return claimsKey(*event,
                     {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Plus, Qt::Key_Minus}) ||
           QWidget::event(event);
}

void ScannerPicture::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.plot);
    if (!scene_) {
        return;
    }
    paintModules(painter, Depth::Far);
    paintField(painter);
    paintPhantom(painter);
    paintLine(painter);
    paintModules(painter, Depth::Near);
    const double mm = view().mmPerPixel;
    const double bar = std::pow(10, std::floor(std::log10(0.4 * width() * mm)));
    painter.setPen(QPen(theme.text2, 1.5));
    const QPointF end(width() - 12.0, height() - 8.0);
    painter.drawLine(end - QPointF(bar / mm, 0), end);
    painter.setFont(smallFont());
    painter.drawText(QRectF(end.x() - 120, end.y() - 18, 120, 14), Qt::AlignRight | Qt::AlignVCenter,
                     tr("%1 mm").arg(bar));
    painter.drawText(QRectF(12, end.y() - 14, std::max(10.0, end.x() - 144), 18),
                     Qt::AlignLeft | Qt::AlignVCenter, lineText());
    drawFocusFrame(*this, painter);
}

void ScannerPicture::paintModules(QPainter& painter, Depth depth) const {
    const Theme& theme = Theme::of(*this);
    const viz::SolidView now = view();
    const Vec3 away = now.axes().away;
    const bool far = depth == Depth::Far;
    std::vector<std::pair<double, const viz::SceneModule*>> order;
    for (const viz::SceneModule& block : scene_->modules) {
        const double distance = dot(block.centre(), away);
        if ((distance >= 0) == far) {
            order.emplace_back(distance, &block);
        }
    }
    // The farthest first.
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [distance, block] : order) {
        QPolygonF front;
        QPolygonF back;
        for (const Vec3& corner : block->front) {
            front << place(corner);
            back << place(corner + block->depth_mm * block->outward);
        }
        const double shade = 0.5 + 0.5 * std::abs(dot(block->outward, away));
        painter.setPen(QPen(faint(theme.text2, far ? 0.8 : 0.35), 0.8));
        if (!far) {
            painter.setBrush(Qt::NoBrush);
            painter.drawPolygon(front);
            continue;
        }
        painter.setBrush(faint(theme.text3, 0.25 * shade));
        painter.drawPolygon(back);
        for (int i = 0; i < 4; ++i) {
            painter.drawLine(front[i], back[i]);
        }
        painter.setBrush(faint(theme.run(0), 0.35 * shade));
        painter.drawPolygon(front);
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const int n = block->crystals[axis];
            const QPointF one = front[axis == 0 ? 1 : 2] - front[axis == 0 ? 0 : 1];
            if (std::hypot(one.x(), one.y()) / n < kLeastPitch) {
                continue;
            }
            painter.setPen(QPen(faint(theme.text3, 0.5), 0.5));
            for (int i = 1; i < n; ++i) {
                const double share = static_cast<double>(i) / n;
                const QPointF a = front[0] + share * (axis == 0 ? front[1] - front[0] : front[3] - front[0]);
                const QPointF b = axis == 0 ? front[3] + share * (front[2] - front[3])
                                            : front[1] + share * (front[2] - front[1]);
                painter.drawLine(a, b);
            }
        }
    }
}

void ScannerPicture::paintField(QPainter& painter) const {
    if (!(scene_->fovRadius_mm > 0)) {
        return;
    }
    painter.setPen(QPen(Theme::of(*this).line, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    // Two panels have no round field between them that would say anything.
    const bool panels = scene_->modules.size() == 2;
    for (const double z : {-scene_->fovHalf_mm, scene_->fovHalf_mm}) {
        QPolygonF circle;
        for (int i = 0; i < kRound && !panels; ++i) {
            const double turn = 2 * std::acos(-1.0) * i / kRound;
            circle << place(
                {scene_->fovRadius_mm * std::cos(turn), scene_->fovRadius_mm * std::sin(turn), z});
        }
        painter.drawPolygon(circle);
    }
}

void ScannerPicture::paintPhantom(QPainter& painter) const {
    const Theme& theme = Theme::of(*this);
    double most = 0;
    for (const PhantomShape& shape : scene_->phantom.shapes) {
        most = shape.kind == PhantomShape::Kind::Point ? most : std::max(most, shape.activity);
    }
    const double mm = view().mmPerPixel;
    for (const PhantomShape& shape : scene_->phantom.shapes) {
        const double share = most > 0 ? std::clamp(shape.activity / most, 0.0, 1.0) : 0;
        painter.setPen(QPen(theme.text, 1));
        painter.setBrush(faint(theme.run(1), 0.15 + 0.6 * share));
        const Vec3 half = shape.halfExtent();
        switch (shape.kind) {
            case PhantomShape::Kind::Point:
                painter.setBrush(theme.run(1));
                painter.drawEllipse(place(shape.centre), 1.5, 1.5);
                break;
            case PhantomShape::Kind::Sphere:
                painter.drawEllipse(place(shape.centre), shape.radius_mm / mm, shape.radius_mm / mm);
                break;
            default: {
                // Ends as polygons of the same corners, edges between some of them.
                const bool box = shape.kind == PhantomShape::Kind::Box;
                const int corners = box ? 4 : kRound;
                painter.setBrush(faint(theme.run(1), 0.06 + 0.2 * share));
                QPolygonF low;
                QPolygonF high;
                for (int i = 0; i < corners; ++i) {
                    const double turn = 2 * std::acos(-1.0) * i / corners;
                    const double x =
                        box ? ((i + 1) / 2 % 2 == 0 ? half.x : -half.x) : half.x * std::cos(turn);
                    const double y = box ? (i < 2 ? half.y : -half.y) : half.y * std::sin(turn);
                    low << place(shape.centre + Vec3{x, y, -half.z});
                    high << place(shape.centre + Vec3{x, y, half.z});
                }
                painter.drawPolygon(low);
                painter.drawPolygon(high);
                for (int i = 0; i < corners; i += box ? 1 : kRound / 8) {
                    painter.drawLine(low[i], high[i]);
                }
            }
        }
    }
    painter.setPen(QPen(theme.run(1), 1.6));
    QPolygonF dots;
    for (const Vec3& voxel : scene_->phantom.voxels) {
        dots << place(voxel);
    }
    painter.drawPoints(dots);
}

void ScannerPicture::paintLine(QPainter& painter) const {
    const Theme& theme = Theme::of(*this);
    const auto mark = [&](std::size_t crystal) {
        painter.setPen(QPen(theme.error, 1.5));
        painter.setBrush(theme.error);
        painter.drawEllipse(place(scene_->crystals[crystal]), 3, 3);
    };
    if (firstEnd_) {
        mark(*firstEnd_);
    }
    if (line_) {
        painter.setPen(QPen(theme.error, 1.75));
        painter.drawLine(place(scene_->crystals[(*line_)[0]]), place(scene_->crystals[(*line_)[1]]));
        mark((*line_)[0]);
        mark((*line_)[1]);
    }
}

std::optional<std::size_t> ScannerPicture::crystalAt(QPointF position) const {
    // The one farther back among those near the pointer: those in front are drawn as edges only.
    const Vec3 away = view().axes().away;
    std::optional<std::size_t> found;
    double best = 1e300;
    for (std::size_t i = 0; i < scene_->crystals.size(); ++i) {
        const QPointF off = place(scene_->crystals[i]) - position;
        const double distance = std::hypot(off.x(), off.y());
        const double rank = distance - (dot(scene_->crystals[i], away) > 0 ? kNear : 0);
        if (distance <= kNear && rank < best) {
            best = rank;
            found = i;
        }
    }
    return found;
}

void ScannerPicture::mousePressEvent(QMouseEvent* event) {
    press_ = last_ = event->position();
    turning_ = false;
}

void ScannerPicture::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) == 0) {
        return;
    }
    const QPointF step = event->position() - last_;
    turning_ =
        turning_ || (event->position() - press_).manhattanLength() >= QApplication::startDragDistance();
    if (turning_) {
        turn(azimuth_ - kDegreesPerPixel * step.x(), elevation_ + kDegreesPerPixel * step.y());
        last_ = event->position();
    }
}

void ScannerPicture::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || turning_ || !scene_) {
        return;
    }
    const auto crystal = crystalAt(event->position());
    if (!crystal) {
        return;
    }
    if (firstEnd_ && *firstEnd_ != *crystal) {
        draw(std::array{*firstEnd_, *crystal});
        Q_EMIT lineChosen();
    } else {
        firstEnd_ = crystal;
        update();
    }
}

void ScannerPicture::mouseDoubleClickEvent(QMouseEvent*) {
    zoom_ = 1;
    turning_ = true;  // the release that follows is no click
    firstEnd_.reset();
    turn(kAzimuth, kElevation);
}

void ScannerPicture::wheelEvent(QWheelEvent* event) {
    zoom_ = std::clamp(zoom_ * std::pow(1.001, event->angleDelta().y()), 0.5, 20.0);
    update();
    event->accept();
}

void ScannerPicture::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: turn(azimuth_ + kStep, elevation_); return;
        case Qt::Key_Right: turn(azimuth_ - kStep, elevation_); return;
        case Qt::Key_Up: turn(azimuth_, elevation_ - kStep); return;
        case Qt::Key_Down: turn(azimuth_, elevation_ + kStep); return;
        case Qt::Key_Plus:
        case Qt::Key_Minus:
            zoom_ = std::clamp(zoom_ * (event->key() == Qt::Key_Plus ? 1.25 : 0.8), 0.5, 20.0);
            update();
            return;
        default: QWidget::keyPressEvent(event);
    }
}

}  // namespace tof::ui
