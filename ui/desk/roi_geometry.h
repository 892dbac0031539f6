// SPDX-License-Identifier: Apache-2.0
// Outlines, handles and edits of ROIs in a picture of a plane. No widgets; all lengths in mm.
#pragma once

#include <QPainterPath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "recon/metrics/roi.h"
#include "viz/slice_view.h"

namespace tof::ui {

/// The slice that a picture shows.
struct RoiView {
    Plane plane = Plane::Transverse;
    viz::Orientation orientation = viz::Orientation::Radiological;
    Lattice lattice;
    Vec3 cursor;     ///< its coordinate along the normal selects the slice
    viz::Turn turn;  ///< leans an oblique slice

    [[nodiscard]] viz::PlaneAxes axes() const { return viz::planeAxes(plane, orientation); }
};

/// What of an ROI the slice cuts, as closed curves: x is the coordinate along the picture's width, y that
/// along its height, both in mm of the scanner frame, or local ones of an oblique slice. Flat ROIs fill the
/// one slice nearest to their centre and are a slice thick from the side, as an oblique slice cuts them.
/// Empty when the slice misses it.
[[nodiscard]] QPainterPath roiSection(const Roi& roi, const RoiView& view);

/// Outlines of regions in a picture, kept while it shows one slice: they are made of many voxels, and the
/// mouse asks for all of them wherever it goes. Regions never change and live as long as their outlines here,
/// so that an edited region is another one.
class RegionOutlines {
  public:
    /// What roiSection() says of a region.
    [[nodiscard]] QPainterPath section(const Roi& region, const RoiView& view);
    /// Forgets the outlines that nobody asked for since the last call.
    void forgetUnused();

  private:
    struct Slice {
        Plane plane = Plane::Transverse;
        viz::Orientation orientation = viz::Orientation::Radiological;
        viz::Turn turn;
        double depth_mm = 0;
        [[nodiscard]] bool operator==(const Slice&) const = default;
    };
    struct Outline {
        std::shared_ptr<const RoiRegion> region;
        QPainterPath path;
        bool used = true;
    };
    using Place = std::tuple<const RoiRegion*, double, double, double>;  ///< a region and its centre, mm

    std::optional<Slice> slice_;
    std::map<Place, Outline> kept_;
};

/// A place where an ROI can be taken hold of.
struct RoiHandle {
    enum class Kind { Radius, InnerRadius, Side, Vertex, Angle };
    Kind kind = Kind::Radius;
    Vec3 at;          ///< on the outline
    int axis = 0;     ///< the axis of a side
    int sign = 1;     ///< the sign of a side: +1 the upper one
    int vertex = -1;  ///< the vertex of a polygon
};

/// Handles in this slice; none where the slice misses the ROI or shows it from a side that has none. Oblique
/// slices have those of spheres alone.
[[nodiscard]] std::vector<RoiHandle> roiHandles(const Roi& roi, const RoiView& view);

/// How a drag acts: about the centre instead of with the opposite side held, and with sides kept in
/// proportion.
struct DragMode {
    bool symmetric = false;
    bool proportional = false;  ///< an angle goes in steps of 15 degrees
};

/// The ROI after its handle was dragged from one point of the slice to another; sizes stay positive.
[[nodiscard]] Roi withHandleMoved(const Roi& roi, const RoiHandle& handle, const RoiView& view, Vec3 from,
                                  Vec3 to, DragMode mode);

/// The ROI displaced.
[[nodiscard]] Roi translated(Roi roi, Vec3 by_mm);

/// What a press at `from` and a release at `to` draw, from the centre outwards (mode.symmetric) or from
/// corner to corner; mode.proportional makes it as wide as high. Shapes: all but Polygon and Region; in an
/// oblique slice spheres.
[[nodiscard]] Roi drawnRoi(Roi::Shape shape, const RoiView& view, Vec3 from, Vec3 to, DragMode mode);

/// A polygon with a vertex put into the edge nearest to a point, or with one taken out (three stay).
[[nodiscard]] Roi withVertexAdded(Roi roi, const RoiView& view, Vec3 at);
[[nodiscard]] Roi withVertexRemoved(Roi roi, int vertex);

}  // namespace tof::ui
