// SPDX-License-Identifier: Apache-2.0
#include "recon/phantom/attenuation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "recon/base/box.h"

namespace tof {

namespace {

using Kind = PhantomShape::Kind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Part of a line where a t^2 + 2 b t + c <= 0.
Interval quadratic(double a, double b, double c) {
    const double discriminant = b * b - a * c;
    if (a == 0) {
        return c <= 0 ? Interval() : Interval::nothing();
    }
    if (discriminant <= 0) {
        return Interval::nothing();
    }
    const double root = std::sqrt(discriminant);
    return {(-b - root) / a, (-b + root) / a};
}

/// Where a line passes through a solid; empty when begin >= end.
Interval chord(const PhantomShape& shape, Vec3 p, Vec3 d) {
    const Vec3 q = p - shape.centre;
    const double r2 = shape.radius_mm * shape.radius_mm;
    switch (shape.kind) {
        case Kind::Sphere: return quadratic(dot(d, d), dot(q, d), dot(q, q) - r2);
        case Kind::Cylinder:
            return overlap(
                quadratic(d.x * d.x + d.y * d.y, q.x * d.x + q.y * d.y, q.x * q.x + q.y * q.y - r2),
                insideSlab(q.z, d.z, -0.5 * shape.size_mm.z, 0.5 * shape.size_mm.z));
        case Kind::Box: return insideBox(q, d, -0.5 * shape.size_mm, 0.5 * shape.size_mm);
        case Kind::Point: break;
    }
    return Interval::nothing();
}

double boundingRadius(const PhantomShape& shape) {
    const bool sphere = shape.kind == Kind::Sphere;
    const double inPlane =
        shape.kind == Kind::Box ? 0.5 * std::hypot(shape.size_mm.x, shape.size_mm.y) : shape.radius_mm;
    return sphere ? shape.radius_mm : std::hypot(inPlane, 0.5 * shape.size_mm.z);
}

/// Whether leaving `shapes[index]` out changes nothing: every earlier solid it meets attenuates alike, and
/// one of them holds all of it (hot spheres in water, say). Without any such solid: it attenuates nothing and
/// meets nothing.
bool redundant(const std::vector<PhantomShape>& shapes, std::size_t index) {
    const PhantomShape& shape = shapes[index];
    bool held = shape.mu_per_mm == 0;
    for (std::size_t i = 0; i < index; ++i) {
        const bool apart = shapes[i].distance(shape.centre) > boundingRadius(shape);
        if (apart) {
            continue;
        }
        if (shapes[i].mu_per_mm != shape.mu_per_mm) {
            return false;
        }
        held = held || shapes[i].distance(shape.centre) <= -boundingRadius(shape);
    }
    return held;
}

/// Lengths of several solids along one line, later ones replacing earlier ones.
double overlaid(const std::vector<PhantomShape>& shapes, Interval part, Vec3 p, Vec3 d) {
    struct Piece {
        Interval where;
        double mu;
    };
    std::vector<Piece> pieces;
    std::vector<double> cuts;
    for (const PhantomShape& shape : shapes) {
        const Interval where = overlap(chord(shape, p, d), part);
        if (where.begin < where.end) {
            pieces.push_back({where, shape.mu_per_mm});
            cuts.insert(cuts.end(), {where.begin, where.end});
        }
    }
    std::sort(cuts.begin(), cuts.end());
    double sum = 0;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
        const double middle = 0.5 * (cuts[i - 1] + cuts[i]);
        const auto top = std::find_if(pieces.rbegin(), pieces.rend(), [middle](const Piece& piece) {
            return piece.where.begin <= middle && middle <= piece.where.end;
        });
        sum += top == pieces.rend() ? 0.0 : top->mu * (cuts[i] - cuts[i - 1]);
    }
    return sum;
}

/// One axis of a walk from voxel to voxel.
struct Axis {
    int index;         ///< voxel we are in
    int step;          ///< -1, 0, +1
    int end;           ///< index past the last voxel in the sense of the walk
    double next;       ///< line parameter of the next boundary
    double increment;  ///< line parameter from boundary to boundary
    std::ptrdiff_t stride;
};

Axis startAxis(double start, double p, double d, int size, double begin, std::ptrdiff_t stride) {
    // p and d are in voxel units with boundaries at whole numbers.
    const int index = std::clamp(static_cast<int>(std::floor(start)), 0, size - 1);
    if (d == 0) {
        return {index, 0, size, kInfinity, kInfinity, 0};
    }
    const int step = d > 0 ? 1 : -1;
    const double next = (index + (d > 0 ? 1 : 0) - p) / d;
    return {index, step, d > 0 ? size : -1, std::max(next, begin), std::abs(1 / d), step * stride};
}

std::vector<AttenuationPiece> steppedThrough(const Volume& volume, Vec3 p, Vec3 d) {
    const Lattice& lattice = volume.lattice;
    const Box box = latticeBox(lattice);
    Interval inside;
    for (std::size_t k = 0; k < 3; ++k) {
        inside = overlap(inside, insideSlab(p[k], d[k], box.low[k], box.high[k]));
    }
    std::vector<AttenuationPiece> found;
    const double step = 0.5 * std::min({lattice.spacing_mm[0], lattice.spacing_mm[1], lattice.spacing_mm[2]});
    for (double t = inside.begin; t < inside.end; t += step) {
        const double until = std::min(t + step, inside.end);
        const Vec3 at = lattice.continuousIndex(p + 0.5 * (t + until) * d);
        const auto index = [](double v, int size) {
            return std::clamp(static_cast<int>(std::lround(v)), 0, size - 1);
        };
        const float value = volume.at(index(at.x, lattice.size[0]), index(at.y, lattice.size[1]),
                                      index(at.z, lattice.size[2]));
        if (value > 0.0F) {
            found.push_back({t, until, static_cast<double>(value)});
        }
    }
    return found;
}

}  // namespace

double lineIntegral(const Volume& volume, Vec3 p, Vec3 d, double limit, Interval part) {
    const Lattice& lattice = volume.lattice;
    const Vec3 c = lattice.continuousIndex(p);
    const auto& h = lattice.spacing_mm;
    const auto& n = lattice.size;
    const std::array<double, 3> q{c.x + 0.5, c.y + 0.5, c.z + 0.5};
    const std::array<double, 3> v{d.x / h[0], d.y / h[1], d.z / h[2]};
    Interval inside = part;
    for (std::size_t k = 0; k < 3; ++k) {
        inside = overlap(inside, insideSlab(q[k] - 0.5 * n[k], v[k], -0.5 * n[k], 0.5 * n[k]));
    }
    if (!(inside.begin < inside.end)) {
        return 0;
    }
    std::array<Axis, 3> axes{};
    std::array<std::ptrdiff_t, 3> strides{1, n[0], static_cast<std::ptrdiff_t>(n[0]) * n[1]};
    std::ptrdiff_t at = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        axes[k] = startAxis(q[k] + inside.begin * v[k], q[k], v[k], n[k], inside.begin, strides[k]);
        at += axes[k].index * strides[k];
    }
    double sum = 0;
    double t = inside.begin;
    while (sum < limit) {
        Axis& axis = axes[0].next <= axes[1].next ? (axes[0].next <= axes[2].next ? axes[0] : axes[2])
                                                  : (axes[1].next <= axes[2].next ? axes[1] : axes[2]);
        const double until = std::min(axis.next, inside.end);
        sum += static_cast<double>(volume.data[static_cast<std::size_t>(at)]) * (until - t);
        t = until;
        axis.index += axis.step;
        if (axis.index == axis.end || t >= inside.end) {
            break;
        }
        at += axis.stride;
        axis.next += axis.increment;
    }
    return sum;
}

PairAttenuation::PairAttenuation(const Phantom& phantom) : phantom_(phantom) {
    for (const PhantomShape& shape : phantom.shapes) {
        if (shape.kind != Kind::Point) {
            shapes_.push_back(shape);
        }
    }
    for (std::size_t i = shapes_.size(); i-- > 0;) {
        if (redundant(shapes_, i)) {
            shapes_.erase(shapes_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
}

std::vector<AttenuationPiece> PairAttenuation::pieces(Vec3 p, Vec3 d) const {
    if (phantom_.attenuation.has_value()) {
        return steppedThrough(*phantom_.attenuation, p, d);
    }
    std::vector<double> cuts;
    for (const PhantomShape& shape : shapes_) {
        if (const Interval where = chord(shape, p, d); where.begin < where.end) {
            cuts.insert(cuts.end(), {where.begin, where.end});
        }
    }
    std::sort(cuts.begin(), cuts.end());
    std::vector<AttenuationPiece> found;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
        const Vec3 middle = p + 0.5 * (cuts[i - 1] + cuts[i]) * d;
        const auto top = std::find_if(shapes_.rbegin(), shapes_.rend(),
                                      [middle](const PhantomShape& shape) { return shape.contains(middle); });
        if (top != shapes_.rend() && top->mu_per_mm > 0 && cuts[i] > cuts[i - 1]) {
            found.push_back({cuts[i - 1], cuts[i], top->mu_per_mm});
        }
    }
    return found;
}

std::optional<PhantomShape> PairAttenuation::onlyCylinder() const {
    const bool only =
        !phantom_.attenuation.has_value() && shapes_.size() == 1 && shapes_[0].kind == Kind::Cylinder;
    return only ? std::optional(shapes_[0]) : std::nullopt;
}

double PairAttenuation::over(Interval part, Vec3 p, Vec3 d, double limit) const {
    if (phantom_.attenuation.has_value()) {
        return lineIntegral(*phantom_.attenuation, p, d, limit, part);
    }
    if (shapes_.size() == 1) {
        return shapes_[0].mu_per_mm * std::max(0.0, overlap(chord(shapes_[0], p, d), part).length());
    }
    return shapes_.empty() ? 0.0 : overlaid(shapes_, part, p, d);
}

double PairAttenuation::along(Vec3 p, Vec3 d, double limit) const {
    return over({}, p, d, limit);
}

double PairAttenuation::ahead(Vec3 p, Vec3 d) const {
    return over({0, kInfinity}, p, d, kInfinity);
}

}  // namespace tof
