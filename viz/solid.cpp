// SPDX-License-Identifier: Apache-2.0
#include "viz/solid.h"

#include <algorithm>
#include <cmath>

#include "recon/base/box.h"
#include "recon/base/constants.h"

namespace tof::viz {

namespace {

constexpr double kStep = 0.7;           ///< share of the smallest voxel edge
constexpr double kSolidAmbient = 0.25;  ///< light from everywhere
constexpr int kRefinements = 6;         ///< halvings of the step in which the level is crossed

/// Linear interpolation between voxel centres; zero half a voxel beyond the outermost ones and further out.
class Sampler {
  public:
    explicit Sampler(const Volume& volume) : data_(volume.data.data()), lattice_(volume.lattice) {}

    [[nodiscard]] double at(Vec3 p) const {
        const Vec3 index = lattice_.continuousIndex(p);
        double sum = 0;
        const int x = static_cast<int>(std::floor(index.x));
        const int y = static_cast<int>(std::floor(index.y));
        const int z = static_cast<int>(std::floor(index.z));
        const double fx = index.x - x;
        const double fy = index.y - y;
        const double fz = index.z - z;
        const bool inside = x >= 0 && y >= 0 && z >= 0 && x + 1 < lattice_.size[0] &&
                            y + 1 < lattice_.size[1] && z + 1 < lattice_.size[2];
        if (inside) {
            const float* v = data_ + lattice_.index(x, y, z);
            const std::size_t row = lattice_.index(0, 1, 0);
            const std::size_t slice = lattice_.index(0, 0, 1);
            const auto along = [fx](const float* q) {
                return static_cast<double>(q[0]) +
                       fx * (static_cast<double>(q[1]) - static_cast<double>(q[0]));
            };
            const double lower = along(v) + fy * (along(v + row) - along(v));
            const double upper = along(v + slice) + fy * (along(v + slice + row) - along(v + slice));
            return lower + fz * (upper - lower);
        }
        for (int corner = 0; corner < 8; ++corner) {
            const int cx = x + (corner & 1);
            const int cy = y + ((corner >> 1) & 1);
            const int cz = z + (corner >> 2);
            if (lattice_.contains(cx, cy, cz)) {
                const double weight = ((corner & 1) != 0 ? fx : 1 - fx) * ((corner & 2) != 0 ? fy : 1 - fy) *
                                      ((corner & 4) != 0 ? fz : 1 - fz);
                sum += weight * static_cast<double>(data_[lattice_.index(cx, cy, cz)]);
            }
        }
        return sum;
    }

    [[nodiscard]] Vec3 gradient(Vec3 p) const {
        const auto& h = lattice_.spacing_mm;
        return {(at(p + Vec3{h[0], 0, 0}) - at(p - Vec3{h[0], 0, 0})) / h[0],
                (at(p + Vec3{0, h[1], 0}) - at(p - Vec3{0, h[1], 0})) / h[1],
                (at(p + Vec3{0, 0, h[2]}) - at(p - Vec3{0, 0, h[2]})) / h[2]};
    }

  private:
    const float* data_;
    const Lattice& lattice_;
};

/// A ray's stretch inside the lattice, as distances along `away`.
Interval stretchInside(const Box& box, Vec3 start, Vec3 away) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        away[axis] = std::abs(away[axis]) < 1e-12 ? 0 : away[axis];  // along a face but for rounding
    }
    return overlap({-1e9, 1e9}, insideBox(start, away, box.low, box.high));
}

/// Casts the rays of one request.
class Caster {
  public:
    explicit Caster(const SolidRequest& request)
        : request_(request),
          sampler_(*request.volume),
          axes_(request.view.axes()),
          box_(latticeBox(request.volume->lattice)) {
        const auto& h = request.volume->lattice.spacing_mm;
        step_ = kStep * std::min({h[0], h[1], h[2]});
        // Outside its outermost centres the volume falls to zero within a voxel.
        const Vec3 half = 0.5 * Vec3{h[0], h[1], h[2]};
        box_.low = box_.low - half;
        box_.high = box_.high + half;
    }

    [[nodiscard]] Vec3 start(double x, double y) const {
        const SolidView& v = request_.view;
        return v.centre + (v.mmPerPixel * (x - v.width / 2.0)) * axes_.right -
               (v.mmPerPixel * (y - v.height / 2.0)) * axes_.up;
    }

    [[nodiscard]] std::optional<double> maximum(double x, double y) const {
        const Vec3 from = start(x, y);
        const Interval s = stretchInside(box_, from, axes_.away);
        std::optional<double> best;
        for (double t = s.begin; t <= s.end; t += step_) {
            const double v = sampler_.at(from + t * axes_.away);
            best = !best || v > *best ? v : *best;
        }
        return best;
    }

    [[nodiscard]] std::optional<double> depth(double x, double y) const {
        const Vec3 from = start(x, y);
        const Interval s = stretchInside(box_, from, axes_.away);
        for (double t = s.begin; t <= s.end; t += step_) {
            if (sampler_.at(from + t * axes_.away) < request_.level) {
                continue;
            }
            double outside = t - step_;
            double inside = t;
            for (int i = 0; i < kRefinements; ++i) {
                const double middle = (outside + inside) / 2;
                (sampler_.at(from + middle * axes_.away) < request_.level ? outside : inside) = middle;
            }
            return inside;
        }
        return std::nullopt;
    }

    /// Lit from beside the viewer's head.
    [[nodiscard]] Rgb surface(double x, double y, Rgb ground) const {
        const auto t = depth(x, y);
        if (!t) {
            return ground;
        }
        const Vec3 gradient = sampler_.gradient(start(x, y) + *t * axes_.away);
        const double length = norm(gradient);
        const Vec3 light = normalized(-axes_.away + 0.35 * axes_.up - 0.35 * axes_.right);
        const double facing = length > 0 ? std::max(0.0, -dot(gradient, light) / length) : 1;
        const double brightness = kSolidAmbient + (1 - kSolidAmbient) * facing;
        const auto shade = [&](std::uint8_t c) {
            return static_cast<std::uint8_t>(std::lround(brightness * c));
        };
        return {shade(request_.surface.r), shade(request_.surface.g), shade(request_.surface.b)};
    }

  private:
    const SolidRequest& request_;
    Sampler sampler_;
    SolidView::Axes axes_;
    Box box_;
    double step_ = 1;
};

}  // namespace

SolidView::Axes SolidView::axes() const {
    const double a = azimuth_deg * kRadPerDeg;
    const double e = elevation_deg * kRadPerDeg;
    const Vec3 right{std::cos(a), std::sin(a), 0};
    const Vec3 level{-std::sin(a), std::cos(a), 0};
    const Vec3 away = std::cos(e) * level - std::sin(e) * Vec3{0, 0, 1};
    const Vec3 up = std::sin(e) * level + std::cos(e) * Vec3{0, 0, 1};
    return {right, up, away};
}

std::array<double, 2> SolidView::toPixel(Vec3 p) const {
    const Axes a = axes();
    const Vec3 d = p - centre;
    return {width / 2.0 + dot(d, a.right) / mmPerPixel, height / 2.0 - dot(d, a.up) / mmPerPixel};
}

std::optional<double> surfaceDepth(const SolidRequest& request, double x, double y) {
    return Caster(request).depth(x, y);
}

Picture renderSolid(const SolidRequest& request, const ThreadPool& pool) {
    Picture picture;
    picture.width = std::max(1, request.view.width);
    picture.height = std::max(1, request.view.height);
    const Rgb ground = request.map.zero();
    const auto columns = static_cast<std::size_t>(picture.width);
    picture.pixels.assign(columns * static_cast<std::size_t>(picture.height), ground.packed());
    const Caster caster(request);
    const double scale = 256.0 / (request.high - request.low);
    pool.forRange(static_cast<std::size_t>(picture.height), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const double y = static_cast<double>(row) + 0.5;
            for (std::size_t column = 0; column < columns; ++column) {
                const double x = static_cast<double>(column) + 0.5;
                Rgb colour = ground;
                if (request.mode == SolidMode::Surface) {
                    colour = caster.surface(x, y, ground);
                } else if (const auto value = caster.maximum(x, y)) {
                    const double position = std::clamp((*value - request.low) * scale, 0.0, 255.0);
                    colour = request.map.table[static_cast<std::size_t>(position)];
                }
                picture.pixels[row * columns + column] = colour.packed();
            }
        }
    });
    return picture;
}

}  // namespace tof::viz
