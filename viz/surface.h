// SPDX-License-Identifier: Apache-2.0
// Where a volume reaches a level, as triangles: made and drawn in any thread.
#pragma once

#include <memory>
#include <string>

#include "viz/solid.h"

namespace tof::viz {

/// A surface of triangles with its normals, and a coarse one for as long as it is turned. Never changes.
class SurfaceMesh {
  public:
    struct Impl;
    explicit SurfaceMesh(std::unique_ptr<Impl> impl);
    ~SurfaceMesh();
    SurfaceMesh(const SurfaceMesh&) = delete;
    SurfaceMesh& operator=(const SurfaceMesh&) = delete;

    [[nodiscard]] std::size_t triangles() const;
    [[nodiscard]] std::size_t coarseTriangles() const;
    /// Corner of a triangle, mm; `triangle` < triangles(), `corner` 0..2.
    [[nodiscard]] Vec3 corner(std::size_t triangle, int corner) const;
    /// Voxels along an edge that were averaged into one before, because the volume is large; 1: none.
    [[nodiscard]] int averaged() const;
    [[nodiscard]] const Impl& impl() const { return *impl_; }

  private:
    std::unique_ptr<Impl> impl_;
};

/// The surface where the volume, interpolated linearly and zero a voxel outside the lattice, reaches the
/// level
/// (> 0). Volumes of more than 2^23 voxels are averaged first.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> extractSurface(const Volume& volume, double level);

/// Draws surfaces, in a context of its own: made and used in any thread, one at a time; destroyed in that of
/// the window.
class SurfaceRenderer {
  public:
    enum class Detail { Full, Coarse };
    virtual ~SurfaceRenderer() = default;
    /// The mesh as `request` sees it: its view, surface colour, and the map's ground; its volume and level
    /// are not looked at. Valid until the next call.
    [[nodiscard]] virtual const Picture& render(const std::shared_ptr<const SurfaceMesh>& mesh,
                                                const SolidRequest& request, Detail detail) = 0;
    /// "llvmpipe (...)": what the driver calls itself.
    [[nodiscard]] virtual std::string driver() = 0;
};

/// Throws Unavailable with the reason when there is no usable OpenGL. The first call loads the driver, which
/// can take many seconds: not for the window's thread.
[[nodiscard]] std::unique_ptr<SurfaceRenderer> makeSurfaceRenderer();

/// What surfaces are drawn by, for reports: "OpenGL: llvmpipe (...)", or why there is no OpenGL.
[[nodiscard]] std::string surfaceDriver();

}  // namespace tof::viz
