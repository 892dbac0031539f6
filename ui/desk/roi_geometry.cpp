// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/roi_geometry.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/metrics/roi_region.h"
#include "ui/desk/oblique_roi.h"

namespace tof::ui {

namespace {

constexpr double kLeast_mm = 0.2;  ///< smallest radius or extent that a drag leaves
constexpr double kAngleStep_deg = 15;
constexpr double kAngleArm_mm = 6;  ///< from the outline to the handle that turns it
constexpr double kDiagonal = 0.70710678118654752;

double along(Vec3 p, int axis) {
    return viz::coordinate(p, axis);
}

/// Half of the chord at a distance from the middle of a circle; negative when the line misses it.
double halfChord(double radius, double away) {
    return std::abs(away) <= radius ? std::sqrt(radius * radius - away * away) : -1;
}

int normalOf(Plane plane) {
    return viz::planeAxes(plane, viz::Orientation::Radiological).normal;
}

/// Interval of the ROI's flat figure along `axis`, cut at the slice's coordinate along `across`; low > high
/// when there is none.
std::array<double, 2> flatChord(const Roi& roi, int axis, int across, double at) {
    const double centre = along(roi.centre, axis);
    double half = -1;
    if (roi.shape == Roi::Shape::Polygon) {
        std::array<double, 2> ends{1, 0};
        for (std::size_t i = 0, j = roi.vertices.size() - 1; i < roi.vertices.size(); j = i++) {
            const double a = along(roi.vertices[j], across);
            const double b = along(roi.vertices[i], across);
            if ((a <= at) == (b <= at)) {
                continue;
            }
            const double share = (at - a) / (b - a);
            const double x =
                along(roi.vertices[j], axis) * (1 - share) + along(roi.vertices[i], axis) * share;
            ends =
                ends[0] > ends[1] ? std::array{x, x} : std::array{std::min(ends[0], x), std::max(ends[1], x)};
        }
        return ends;
    }
    const double away = at - along(roi.centre, across);
    if (roi.shape == Roi::Shape::Ellipse) {
        // (u c + v s)^2 / a^2 + (v c - u s)^2 / b^2 = 1 solved for the coordinate along `axis`, v being
        // `away`.
        const double a = along(roi.size_mm, axis) / 2;
        const double b = along(roi.size_mm, across) / 2;
        const double sense = static_cast<std::size_t>(axis) == planeFrame(roi.plane).first ? 1 : -1;
        const double c = std::cos(roi.angle_deg * kRadPerDeg);
        const double s = sense * std::sin(roi.angle_deg * kRadPerDeg);
        const double square = c * c / (a * a) + s * s / (b * b);
        const double middle = -away * c * s * (1 / (a * a) - 1 / (b * b)) / square;
        const double rest = away * away * (s * s / (a * a) + c * c / (b * b)) - 1;
        const double root = middle * middle - rest / square;
        half = root >= 0 ? std::sqrt(root) : -1;
        return {centre + middle - half, centre + middle + half};
    } else {
        half = halfChord(roi.radius_mm, away);
    }
    return {centre - half, centre + half};
}

/// The figure of a turned box or ellipse about its centre, from its outline without the turn.
QPainterPath turnedPath(const QPainterPath& path, const Roi& roi, QPointF centre) {
    QTransform turn;
    turn.translate(centre.x(), centre.y());
    turn.rotate(roi.angle_deg);
    turn.translate(-centre.x(), -centre.y());
    return turn.map(path);
}

/// A point's two coordinates in the picture.
QPointF inPicture(const RoiView& view, Vec3 p) {
    const viz::PlaneAxes axes = view.axes();
    return {along(p, axes.across), along(p, axes.down)};
}

/// What a slice along the normal of a flat figure cuts out of it where it is `thick` along that normal from
/// `low` on; empty when missed.
QRectF figureFromTheSide(const Roi& figure, const RoiView& view, double low, double thick) {
    const viz::PlaneAxes axes = view.axes();
    const bool across = axes.across == normalOf(figure.plane);
    const auto ends =
        flatChord(figure, across ? axes.down : axes.across, axes.normal, along(view.cursor, axes.normal));
    if (ends[0] >= ends[1]) {
        return {};
    }
    return across ? QRectF(low, ends[0], thick, ends[1] - ends[0])
                  : QRectF(ends[0], low, ends[1] - ends[0], thick);
}

/// A flat ROI in a plane that is not its own: what is measured is one slice thick.
QPainterPath flatFromTheSide(const Roi& roi, const RoiView& view) {
    const int own = normalOf(roi.plane);
    const int slice = viz::nearestIndex(view.lattice, own, along(roi.centre, own));
    const double middle = along(view.lattice.centre(slice, slice, slice), own);
    const double thick = view.lattice.spacing_mm[static_cast<std::size_t>(own)];
    QPainterPath path;
    if (const QRectF rect = figureFromTheSide(roi, view, middle - thick / 2, thick); !rect.isEmpty()) {
        path.addRect(rect);
    }
    return path;
}

QPainterPath flatSection(const Roi& roi, const RoiView& view) {
    const viz::PlaneAxes axes = view.axes();
    QPainterPath path;
    if (viz::nearestIndex(view.lattice, axes.normal, along(roi.centre, axes.normal)) !=
        viz::nearestIndex(view.lattice, axes.normal, along(view.cursor, axes.normal))) {
        return path;
    }
    const QPointF c = inPicture(view, roi.centre);
    if (roi.shape == Roi::Shape::Polygon) {
        QPolygonF polygon;
        for (const Vec3 v : roi.vertices) {
            polygon << inPicture(view, v);
        }
        path.addPolygon(polygon);
        path.closeSubpath();
    } else if (roi.shape == Roi::Shape::Ellipse) {
        path.addEllipse(c, along(roi.size_mm, axes.across) / 2, along(roi.size_mm, axes.down) / 2);
        path = turnedPath(path, roi, c);
    } else {
        path.addEllipse(c, roi.radius_mm, roi.radius_mm);
        if (roi.shape == Roi::Shape::Annulus) {
            path.addEllipse(c, roi.innerRadius_mm, roi.innerRadius_mm);
        }
    }
    return path;
}

bool isTurned(const Roi& roi) {
    return hasAngle(roi.shape) && roi.angle_deg != 0;
}

/// Corners of a box in its own plane.
Roi turnedFootprint(const Roi& box) {
    const PlaneFrame axes = planeFrame(box.plane);
    const auto first = static_cast<int>(axes.first);
    const auto second = static_cast<int>(axes.second);
    Roi polygon = box;
    polygon.shape = Roi::Shape::Polygon;
    for (const auto& [a, b] : {std::pair{-1, -1}, std::pair{1, -1}, std::pair{1, 1}, std::pair{-1, 1}}) {
        Vec3 corner = box.centre;
        viz::setCoordinate(corner, first, along(corner, first) + a * along(box.size_mm, first) / 2);
        viz::setCoordinate(corner, second, along(corner, second) + b * along(box.size_mm, second) / 2);
        polygon.vertices.push_back(turnedForth(box, corner));
    }
    return polygon;
}

/// Radius of what a slice cuts out of a sphere, or of a cylinder in its own plane; negative: missed.
double sectionRadius(const Roi& roi, const RoiView& view) {
    const int normal = view.axes().normal;
    const double away = along(view.cursor, normal) - along(roi.centre, normal);
    if (roi.shape == Roi::Shape::Sphere) {
        return halfChord(roi.radius_mm, away);
    }
    return std::abs(away) <= roi.size_mm.z / 2 ? roi.radius_mm : -1;
}

/// Extents of a box, or of a cylinder from the side, in the picture; empty when missed.
QRectF sectionRect(const Roi& roi, const RoiView& view) {
    const viz::PlaneAxes axes = view.axes();
    const double away = along(view.cursor, axes.normal) - along(roi.centre, axes.normal);
    std::array<double, 2> half{};
    if (roi.shape == Roi::Shape::Box && (!isTurned(roi) || roi.plane == view.plane)) {
        if (2 * std::abs(away) > along(roi.size_mm, axes.normal)) {
            return {};
        }
        half = {along(roi.size_mm, axes.across) / 2, along(roi.size_mm, axes.down) / 2};
    } else if (roi.shape == Roi::Shape::Box) {
        const int own = normalOf(roi.plane);
        const double thick = along(roi.size_mm, own);
        return figureFromTheSide(turnedFootprint(roi), view, along(roi.centre, own) - thick / 2, thick);
    } else {
        const double chord = halfChord(roi.radius_mm, away);
        if (chord <= 0) {
            return {};
        }
        const bool axisDown = axes.down == normalOf(roi.plane);
        half = axisDown ? std::array{chord, roi.size_mm.z / 2} : std::array{roi.size_mm.z / 2, chord};
    }
    return {inPicture(view, roi.centre) - QPointF(half[0], half[1]), QSizeF(2 * half[0], 2 * half[1])};
}

/// Outline of the voxels of a region in the slice; edges in one line are joined.
QPainterPath regionSection(const Roi& roi, const RoiView& view) {
    const viz::PlaneAxes axes = view.axes();
    const Lattice& own = roi.region->lattice;
    const Vec3 shift = roi.centre - roi.region->home_mm;
    const int slice = viz::nearestIndex(own, axes.normal, along(view.cursor - shift, axes.normal));
    VoxelIndex low = roi.region->low;
    VoxelIndex high = roi.region->high;
    const auto normal = static_cast<std::size_t>(axes.normal);
    if (slice < low[normal] || slice > high[normal]) {
        return {};
    }
    low[normal] = high[normal] = slice;
    const auto across = static_cast<std::size_t>(axes.across);
    const auto down = static_cast<std::size_t>(axes.down);
    const int columns = high[across] - low[across] + 1;
    const int rows = high[down] - low[down] + 1;
    const auto cell = [columns](int u, int v) {
        return static_cast<std::size_t>(v) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(u);
    };
    std::vector<char> mask(cell(0, rows));
    RegionRows voxels(*roi.region);
    for (int z = low[2]; z <= high[2]; ++z) {
        for (int y = low[1]; y <= high[1]; ++y) {
            for (const auto& [first, past] : voxels.at(y, z)) {
                for (int x = std::max(first, low[0]); x < past && x <= high[0]; ++x) {
                    const VoxelIndex at{x, y, z};
                    mask[cell(at[across] - low[across], at[down] - low[down])] = 1;
                }
            }
        }
    }
    const Vec3 origin = own.centre(0, 0, 0) + shift;
    const auto corner = [&](int u, int v) {
        return QPointF(origin[across] + (low[across] + u - 0.5) * own.spacing_mm[across],
                       origin[down] + (low[down] + v - 0.5) * own.spacing_mm[down]);
    };
    return cellOutline(
        columns, rows, [&](int u, int v) { return mask[cell(u, v)] != 0; }, corner);
}

bool cylinderEndOn(const Roi& roi, const RoiView& view) {
    return roi.shape == Roi::Shape::Cylinder && roi.plane == view.plane;
}

/// A point of the slice from its two coordinates.
Vec3 pointAt(const RoiView& view, double across, double down) {
    const viz::PlaneAxes axes = view.axes();
    Vec3 p = view.cursor;
    viz::setCoordinate(p, axes.across, across);
    viz::setCoordinate(p, axes.down, down);
    return p;
}

double distanceInPlane(const RoiView& view, Vec3 a, Vec3 b) {
    const QPointF d = inPicture(view, a) - inPicture(view, b);
    return std::hypot(d.x(), d.y());
}

RoiHandle sideHandle(const RoiView& view, const QRectF& rect, int axis, int sign) {
    const viz::PlaneAxes axes = view.axes();
    RoiHandle handle;
    handle.kind = RoiHandle::Kind::Side;
    handle.axis = axis;
    handle.sign = sign;
    const QPointF middle = rect.center();
    handle.at = axis == axes.across ? pointAt(view, sign > 0 ? rect.right() : rect.left(), middle.y())
                                    : pointAt(view, middle.x(), sign > 0 ? rect.bottom() : rect.top());
    return handle;
}

void addSides(std::vector<RoiHandle>& handles, const RoiView& view, const QRectF& rect) {
    const viz::PlaneAxes axes = view.axes();
    for (const int axis : {axes.across, axes.down}) {
        for (const int sign : {1, -1}) {
            handles.push_back(sideHandle(view, rect, axis, sign));
        }
    }
}

/// Sides of a box or an ellipse in its own plane, and the handle that turns it, above it without a turn.
void addTurnedSides(std::vector<RoiHandle>& handles, const Roi& roi, const RoiView& view) {
    const viz::PlaneAxes axes = view.axes();
    const QPointF centre = inPicture(view, roi.centre);
    const QPointF half = inPicture(view, roi.size_mm) / 2;
    const std::size_t first = handles.size();
    addSides(handles, view, QRectF(centre - half, centre + half));
    RoiHandle angle;
    angle.kind = RoiHandle::Kind::Angle;
    angle.at = pointAt(view, centre.x(), centre.y() - axes.downSign * (half.y() + kAngleArm_mm));
    handles.push_back(angle);
    for (std::size_t i = first; i < handles.size(); ++i) {
        handles[i].at = turnedForth(roi, handles[i].at);
    }
}

/// The angle in (-180, 180].
double wrapped(double angle_deg) {
    const double turn = std::remainder(angle_deg, 360.0);
    return turn == -180 ? 180 : turn;
}

Roi withAngleMoved(Roi roi, const RoiView& view, Vec3 from, Vec3 to, DragMode mode) {
    const auto angleOf = [&](Vec3 p) {
        const QPointF d = inPicture(view, p) - inPicture(view, roi.centre);
        return std::atan2(d.y(), d.x()) / kRadPerDeg;
    };
    double angle = roi.angle_deg + angleOf(to) - angleOf(from);
    if (mode.proportional) {
        angle = kAngleStep_deg * std::round(angle / kAngleStep_deg);
    }
    roi.angle_deg = wrapped(angle);
    return roi;
}

/// On a circle, up and to the right in the picture.
RoiHandle radiusHandle(const RoiView& view, Vec3 centre, double radius, RoiHandle::Kind kind) {
    const viz::PlaneAxes axes = view.axes();
    RoiHandle handle;
    handle.kind = kind;
    const QPointF c = inPicture(view, centre);
    handle.at = pointAt(view, c.x() + axes.acrossSign * kDiagonal * radius,
                        c.y() - axes.downSign * kDiagonal * radius);
    return handle;
}

/// Extent of a shape with sides along an axis, to be read and written.
double extentOf(const Roi& roi, int axis) {
    if (roi.shape == Roi::Shape::Cylinder) {
        return axis == normalOf(roi.plane) ? roi.size_mm.z : 2 * roi.radius_mm;
    }
    return along(roi.size_mm, axis);
}

void setExtent(Roi& roi, int axis, double extent) {
    extent = std::max(extent, kLeast_mm);
    if (roi.shape == Roi::Shape::Cylinder) {
        (axis == normalOf(roi.plane) ? roi.size_mm.z : roi.radius_mm) =
            axis == normalOf(roi.plane) ? extent : extent / 2;
    } else {
        viz::setCoordinate(roi.size_mm, axis, extent);
    }
}

Roi withSideMoved(Roi roi, const RoiHandle& handle, const RoiView& view, double by, DragMode mode) {
    const viz::PlaneAxes axes = view.axes();
    const double old = extentOf(roi, handle.axis);
    const double grown = handle.sign * by;
    if (mode.proportional) {
        const double factor = std::max(old + 2 * grown, kLeast_mm) / old;
        for (const int axis : {axes.across, axes.down}) {
            setExtent(roi, axis, extentOf(roi, axis) * factor);
        }
        return roi;
    }
    const bool radial = roi.shape == Roi::Shape::Cylinder && handle.axis != normalOf(roi.plane);
    if (mode.symmetric || radial) {  // a radius has no opposite side to hold
        setExtent(roi, handle.axis, old + 2 * grown);
        return roi;
    }
    setExtent(roi, handle.axis, old + grown);
    const double change = extentOf(roi, handle.axis) - old;
    viz::setCoordinate(roi.centre, handle.axis, along(roi.centre, handle.axis) + handle.sign * change / 2);
    return roi;
}

double squaredDistanceToEdge(Vec3 a, Vec3 b, Vec3 p) {
    const Vec3 edge = b - a;
    const double length = dot(edge, edge);
    const double share = length > 0 ? std::clamp(dot(p - a, edge) / length, 0.0, 1.0) : 0;
    const Vec3 d = p - (a + share * edge);
    return dot(d, d);
}

/// The slice in its own coordinates, in which it is straight, and a sphere in them.
RoiView straight(const RoiView& view) {
    return {view.plane, view.orientation, view.lattice, view.turn.toLocal(view.cursor), {}};
}

Roi straight(Roi sphere, const RoiView& view) {
    sphere.centre = view.turn.toLocal(sphere.centre);
    return sphere;
}

QPainterPath cutObliquely(const Roi& roi, const RoiView& view) {
    const viz::PlaneAxes axes = view.axes();
    const auto axis = [&view](int i) { return view.turn.axes[static_cast<std::size_t>(i)]; };
    const CutPlane plane{dot(view.cursor, axis(axes.normal)) * axis(axes.normal), axis(axes.across),
                         axis(axes.down)};
    if (roi.shape == Roi::Shape::Region) {
        return obliqueRegion(roi, plane);
    }
    const RoiView own{roi.plane, view.orientation, view.lattice, roi.centre, {}};
    return obliqueSection(roi, roiSection(roi, own), own.axes(), plane, view.lattice);
}

}  // namespace

QPainterPath roiSection(const Roi& roi, const RoiView& view) {
    if (!view.turn.isNone()) {
        return roi.shape == Roi::Shape::Sphere ? roiSection(straight(roi, view), straight(view))
                                               : cutObliquely(roi, view);
    }
    if (roi.shape == Roi::Shape::Region) {
        return regionSection(roi, view);
    }
    if (isFlat(roi.shape)) {
        return roi.plane == view.plane ? flatSection(roi, view) : flatFromTheSide(roi, view);
    }
    QPainterPath path;
    if (roi.shape == Roi::Shape::Sphere || cylinderEndOn(roi, view)) {
        if (const double radius = sectionRadius(roi, view); radius > 0) {
            path.addEllipse(inPicture(view, roi.centre), radius, radius);
        }
        return path;
    }
    if (const QRectF rect = sectionRect(roi, view); !rect.isEmpty()) {
        path.addRect(rect);
        if (isTurned(roi) && roi.plane == view.plane) {
            return turnedPath(path, roi, rect.center());
        }
    }
    return path;
}

QPainterPath RegionOutlines::section(const Roi& region, const RoiView& view) {
    const double depth = along(view.turn.toLocal(view.cursor), view.axes().normal);
    const Slice slice{view.plane, view.orientation, view.turn, depth};
    if (slice_ != slice) {
        kept_.clear();
        slice_ = slice;
    }
    const Vec3 at = region.centre;
    const Place place{region.region.get(), at.x, at.y, at.z};
    auto found = kept_.find(place);
    if (found == kept_.end()) {
        found = kept_.emplace(place, Outline{region.region, roiSection(region, view)}).first;
    }
    found->second.used = true;
    return found->second.path;
}

void RegionOutlines::forgetUnused() {
    std::erase_if(kept_, [](const auto& entry) { return !entry.second.used; });
    for (auto& [place, outline] : kept_) {
        outline.used = false;
    }
}

std::vector<RoiHandle> roiHandles(const Roi& roi, const RoiView& view) {
    std::vector<RoiHandle> handles;
    if (!view.turn.isNone()) {
        if (roi.shape == Roi::Shape::Sphere) {
            handles = roiHandles(straight(roi, view), straight(view));
            for (RoiHandle& handle : handles) {
                handle.at = view.turn.toWorld(handle.at);
            }
        }
        return handles;
    }
    if (roi.shape == Roi::Shape::Region || roiSection(roi, view).isEmpty()) {
        return handles;
    }
    using Kind = RoiHandle::Kind;
    if (isFlat(roi.shape)) {
        if (roi.plane != view.plane) {
            return handles;
        }
        if (roi.shape == Roi::Shape::Polygon) {
            for (int i = 0; i < static_cast<int>(roi.vertices.size()); ++i) {
                RoiHandle handle;
                handle.kind = Kind::Vertex;
                handle.at = roi.vertices[static_cast<std::size_t>(i)];
                handle.vertex = i;
                handles.push_back(handle);
            }
        } else if (roi.shape == Roi::Shape::Ellipse) {
            addTurnedSides(handles, roi, view);
        } else {
            handles.push_back(radiusHandle(view, roi.centre, roi.radius_mm, Kind::Radius));
            if (roi.shape == Roi::Shape::Annulus) {
                handles.push_back(radiusHandle(view, roi.centre, roi.innerRadius_mm, Kind::InnerRadius));
            }
        }
        return handles;
    }
    if (roi.shape == Roi::Shape::Sphere || cylinderEndOn(roi, view)) {
        handles.push_back(radiusHandle(view, roi.centre, sectionRadius(roi, view), Kind::Radius));
        return handles;
    }
    if (roi.shape == Roi::Shape::Box && roi.plane == view.plane) {
        addTurnedSides(handles, roi, view);
        return handles;
    }
    addSides(handles, view, sectionRect(roi, view));
    if (isTurned(roi)) {  // from the side only its length along the axis of the turn is seen as it is
        const int own = normalOf(roi.plane);
        std::erase_if(handles, [own](const RoiHandle& handle) { return handle.axis != own; });
    }
    return handles;
}

Roi withHandleMoved(const Roi& roi, const RoiHandle& handle, const RoiView& view, Vec3 from, Vec3 to,
                    DragMode mode) {
    if (!view.turn.isNone()) {  // a sphere
        const viz::Turn& turn = view.turn;
        Roi out = withHandleMoved(straight(roi, view), handle, straight(view), turn.toLocal(from),
                                  turn.toLocal(to), mode);
        out.centre = roi.centre;
        return out;
    }
    Roi out = roi;
    const viz::PlaneAxes axes = view.axes();
    const double grown = distanceInPlane(view, to, roi.centre) - distanceInPlane(view, from, roi.centre);
    switch (handle.kind) {
        case RoiHandle::Kind::Radius: {
            double away = 0;
            if (roi.shape == Roi::Shape::Sphere) {
                away = along(view.cursor, axes.normal) - along(roi.centre, axes.normal);
            }
            const double section = std::sqrt(std::max(0.0, roi.radius_mm * roi.radius_mm - away * away));
            const double least =
                roi.shape == Roi::Shape::Annulus ? roi.innerRadius_mm + kLeast_mm : kLeast_mm;
            out.radius_mm = std::max(std::hypot(std::max(0.0, section + grown), away), least);
            break;
        }
        case RoiHandle::Kind::InnerRadius:
            out.innerRadius_mm = std::clamp(roi.innerRadius_mm + grown, 0.0, roi.radius_mm - kLeast_mm);
            break;
        case RoiHandle::Kind::Side:
            from = turnedBack(roi, from);
            to = turnedBack(roi, to);
            out = withSideMoved(roi, handle, view, along(to, handle.axis) - along(from, handle.axis), mode);
            out.centre = turnedForth(roi, out.centre);
            break;
        case RoiHandle::Kind::Angle: return withAngleMoved(roi, view, from, to, mode);
        case RoiHandle::Kind::Vertex: {
            Vec3& vertex = out.vertices[static_cast<std::size_t>(handle.vertex)];
            for (const int axis : {axes.across, axes.down}) {
                viz::setCoordinate(vertex, axis, along(vertex, axis) + along(to, axis) - along(from, axis));
            }
            break;
        }
    }
    return out;
}

Roi translated(Roi roi, Vec3 by_mm) {
    roi.centre = roi.centre + by_mm;
    for (Vec3& vertex : roi.vertices) {
        vertex = vertex + by_mm;
    }
    return roi;
}

Roi drawnRoi(Roi::Shape shape, const RoiView& view, Vec3 from, Vec3 to, DragMode mode) {
    if (!view.turn.isNone()) {
        const viz::Turn& turn = view.turn;
        Roi roi = drawnRoi(shape, straight(view), turn.toLocal(from), turn.toLocal(to), mode);
        roi.centre = turn.toWorld(roi.centre);
        return roi;
    }
    const viz::PlaneAxes axes = view.axes();
    Roi roi;
    roi.shape = shape;
    roi.plane = view.plane;
    const QPointF drag = inPicture(view, to) - inPicture(view, from);
    double width = std::abs(drag.x());
    double height = std::abs(drag.y());
    if (mode.proportional) {
        width = height = std::max(width, height);
    }
    roi.centre = from;
    if (!mode.symmetric) {
        const QPointF start = inPicture(view, from);
        viz::setCoordinate(roi.centre, axes.across, start.x() + (drag.x() >= 0 ? 1 : -1) * width / 2);
        viz::setCoordinate(roi.centre, axes.down, start.y() + (drag.y() >= 0 ? 1 : -1) * height / 2);
        width /= 2;
        height /= 2;
    }
    // Half extents from here on. Round shapes pass through the pointer, or fill the square.
    const double radius =
        std::max(kLeast_mm, mode.symmetric ? std::hypot(width, height) : std::max(width, height));
    width = std::max(width, kLeast_mm / 2);
    height = std::max(height, kLeast_mm / 2);
    const double slice = view.lattice.spacing_mm[static_cast<std::size_t>(axes.normal)];
    switch (shape) {
        case Roi::Shape::Annulus: roi.innerRadius_mm = 0.6 * radius; [[fallthrough]];
        case Roi::Shape::Circle:
        case Roi::Shape::Sphere: roi.radius_mm = radius; break;
        case Roi::Shape::Cylinder:
            roi.radius_mm = radius;
            roi.size_mm.z = std::max(2 * radius, slice);
            break;
        default:
            viz::setCoordinate(roi.size_mm, axes.across, 2 * width);
            viz::setCoordinate(roi.size_mm, axes.down, 2 * height);
            viz::setCoordinate(roi.size_mm, axes.normal,
                               shape == Roi::Shape::Box ? std::max(width + height, slice) : 0);
    }
    return roi;
}

Roi withVertexAdded(Roi roi, const RoiView& view, Vec3 at) {
    const viz::PlaneAxes axes = view.axes();
    viz::setCoordinate(at, axes.normal, along(roi.centre, axes.normal));
    std::size_t best = 0;
    double least = -1;
    for (std::size_t i = 0; i < roi.vertices.size(); ++i) {
        const double d =
            squaredDistanceToEdge(roi.vertices[i], roi.vertices[(i + 1) % roi.vertices.size()], at);
        if (least < 0 || d < least) {
            least = d;
            best = i;
        }
    }
    roi.vertices.insert(roi.vertices.begin() + static_cast<std::ptrdiff_t>(best) + 1, at);
    return roi;
}

Roi withVertexRemoved(Roi roi, int vertex) {
    if (roi.vertices.size() > 3 && vertex >= 0 && vertex < static_cast<int>(roi.vertices.size())) {
        roi.vertices.erase(roi.vertices.begin() + vertex);
    }
    return roi;
}

}  // namespace tof::ui
