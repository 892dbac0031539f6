// SPDX-License-Identifier: Apache-2.0
#include "ui/window/geometry_picture.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kGap = 12;
constexpr double kFewDots = 4000;

/// Where the spheres are; else the middle.
double sliceOf(const Phantom& phantom) {
    const auto sphere = std::find_if(phantom.shapes.begin(), phantom.shapes.end(), [](const PhantomShape& s) {
        return s.kind == PhantomShape::Kind::Sphere;
    });
    return sphere == phantom.shapes.end() ? 0 : sphere->centre.z;
}

}  // namespace

GeometryPicture::GeometryPicture(QWidget* parent) : QWidget(parent) {
    setFixedHeight(sizeHint().height());
    setMinimumWidth(sizeHint().width());
}

void GeometryPicture::clear() {
    crystals_.clear();
    phantom_.reset();
    fovRadius_mm_ = 0;
    update();
}

void GeometryPicture::show(const Scanner& scanner) {
    clear();
    const auto step =
        static_cast<std::size_t>(std::max(1.0, static_cast<double>(scanner.crystals.size()) / kFewDots));
    for (std::size_t i = 0; i < scanner.crystals.size(); i += step) {
        crystals_.push_back(scanner.crystals[i].front);
    }
    fovRadius_mm_ = scanner.fovRadius_mm;
    measure();
}

void GeometryPicture::show(const RingScanner& scanner, double fovRadius_mm) {
    clear();
    for (int ring = 0; ring < scanner.rings; ++ring) {
        for (int place = 0; place < scanner.crystalsPerRing; place += 4) {
            crystals_.push_back(
                scanner.reference(static_cast<std::uint32_t>(ring * scanner.crystalsPerRing + place)));
        }
    }
    fovRadius_mm_ = fovRadius_mm;
    measure();
}

void GeometryPicture::show(const Phantom& phantom) {
    clear();
    phantom_ = phantom;
    measure();
}

void GeometryPicture::measure() {
    radius_mm_ = fovRadius_mm_;
    halfLength_mm_ = 1;
    for (const Vec3& c : crystals_) {
        radius_mm_ = std::max(radius_mm_, std::hypot(c.x, c.y));
        halfLength_mm_ = std::max(halfLength_mm_, std::abs(c.z));
    }
    if (phantom_) {
        for (const PhantomShape& s : phantom_->shapes) {
            const Vec3 half = s.halfExtent();
            radius_mm_ = std::max({radius_mm_, std::abs(s.centre.x) + half.x, std::abs(s.centre.y) + half.y});
            halfLength_mm_ = std::max(halfLength_mm_, std::abs(s.centre.z) + half.z);
        }
        if (phantom_->emission) {
            const Lattice& lattice = phantom_->emission->lattice;
            radius_mm_ =
                std::max(lattice.size[0] * lattice.spacing_mm[0], lattice.size[1] * lattice.spacing_mm[1]) /
                2;
            halfLength_mm_ = lattice.size[2] * lattice.spacing_mm[2] / 2;
        }
    }
    radius_mm_ = std::max(radius_mm_, 1.0) * 1.04;
    update();
}

void GeometryPicture::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.plot);
    if (crystals_.empty() && !phantom_) {
        return;
    }
    const double scale = std::min((height() - 20.0) / (2 * radius_mm_),
                                  (width() - 3.0 * kGap) / (2 * radius_mm_ + 2 * halfLength_mm_));
    const QPointF front(kGap + radius_mm_ * scale, height() / 2.0 - 4);
    const QPointF side(front.x() + radius_mm_ * scale + kGap + halfLength_mm_ * scale, front.y());
    const auto atFront = [&](const Vec3& p) { return front + QPointF(p.x, p.y) * scale; };
    const auto atSide = [&](const Vec3& p) { return side + QPointF(p.z, p.y) * scale; };
    painter.setPen(QPen(theme.line, 1, Qt::DashLine));
    if (fovRadius_mm_ > 0) {
        painter.drawEllipse(front, fovRadius_mm_ * scale, fovRadius_mm_ * scale);
    }
    painter.setPen(QPen(theme.text2, 1.2));
    for (const Vec3& c : crystals_) {
        painter.drawPoint(atFront(c));
        if (std::abs(c.x) < 0.2 * radius_mm_) {
            painter.drawPoint(atSide(c));
        }
    }
    if (phantom_ && phantom_->emission) {
        const Volume& volume = *phantom_->emission;
        const Lattice& lattice = volume.lattice;
        QImage slice(lattice.size[0], lattice.size[1], QImage::Format_Grayscale8);
        const float most = std::max(1e-30F, *std::max_element(volume.data.begin(), volume.data.end()));
        for (int y = 0; y < lattice.size[1]; ++y) {
            for (int x = 0; x < lattice.size[0]; ++x) {
                slice.scanLine(y)[x] = static_cast<uchar>(
                    255 * std::clamp(volume.at(x, y, lattice.size[2] / 2) / most, 0.0F, 1.0F));
            }
        }
        const double w = lattice.size[0] * lattice.spacing_mm[0] * scale;
        const double h = lattice.size[1] * lattice.spacing_mm[1] * scale;
        painter.drawImage(QRectF(front.x() - w / 2, front.y() - h / 2, w, h), slice);
    } else if (phantom_) {
        double most = 0;
        for (const PhantomShape& s : phantom_->shapes) {
            most = s.kind == PhantomShape::Kind::Point ? most : std::max(most, s.activity);
        }
        const double z = sliceOf(*phantom_);
        painter.setPen(QPen(theme.text3, 0.8));
        for (const PhantomShape& s : phantom_->shapes) {
            const double share = most > 0 ? std::sqrt(std::clamp(s.activity / most, 0.0, 1.0)) : 0;
            painter.setBrush(QColor::fromRgbF(static_cast<float>(share), static_cast<float>(share),
                                              static_cast<float>(share)));
            const Vec3 half = s.halfExtent();
            const QPointF a = atFront(s.centre);
            const QPointF b = atSide(s.centre);
            switch (s.kind) {
                case PhantomShape::Kind::Point:
                    painter.save();
                    painter.setPen(QPen(theme.text, 2));
                    painter.drawPoint(a);
                    painter.drawPoint(b);
                    painter.restore();
                    break;
                case PhantomShape::Kind::Sphere:
                    if (std::abs(s.centre.z - z) < s.radius_mm) {
                        painter.drawEllipse(a, half.x * scale, half.y * scale);
                    }
                    painter.drawEllipse(b, half.z * scale, half.y * scale);
                    break;
                case PhantomShape::Kind::Cylinder:
                    painter.drawEllipse(a, half.x * scale, half.y * scale);
                    painter.drawRect(QRectF(b.x() - half.z * scale, b.y() - half.y * scale,
                                            2 * half.z * scale, 2 * half.y * scale));
                    break;
                case PhantomShape::Kind::Box:
                    painter.drawRect(QRectF(a.x() - half.x * scale, a.y() - half.y * scale,
                                            2 * half.x * scale, 2 * half.y * scale));
                    painter.drawRect(QRectF(b.x() - half.z * scale, b.y() - half.y * scale,
                                            2 * half.z * scale, 2 * half.y * scale));
                    break;
            }
        }
    }
    painter.setPen(QPen(theme.text2, 1.5));
    const double bar = 100 * scale;
    painter.drawLine(QPointF(width() - kGap - bar, height() - 6.0), QPointF(width() - kGap, height() - 6.0));
    painter.setFont(smallFont());
    painter.drawText(QRectF(width() - kGap - 80, height() - 22.0, 80, 14), Qt::AlignRight | Qt::AlignVCenter,
                     tr("100 mm"));
}

}  // namespace tof::ui
