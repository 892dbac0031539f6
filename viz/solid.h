// SPDX-License-Identifier: Apache-2.0
// A volume seen from outside, computed on the host: needs nothing from the machine.
#pragma once

#include <memory>
#include <optional>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "viz/colour_map.h"
#include "viz/picture.h"

namespace tof::viz {

/// Brightest value behind every pixel, or the lit surface where the volume reaches a level.
enum class SolidMode { Maximum, Surface };

/// Says from where a volume is seen, without perspective. Azimuth 0 and elevation 0 look along +y, from the
/// front: x to the right as in a coronal picture, z up. Azimuth turns the viewer about z towards the
/// patient's left.
struct SolidView {
    double azimuth_deg = 0;
    double elevation_deg = 0;
    Vec3 centre;            ///< shown in the middle
    double mmPerPixel = 1;  ///< > 0
    int width = 1;
    int height = 1;

    /// Unit vectors to the right, upwards, and away from the viewer.
    struct Axes {
        Vec3 right, up, away;
    };
    [[nodiscard]] Axes axes() const;
    /// Pixel position of a point; (0, 0) is the corner of the top left pixel.
    [[nodiscard]] std::array<double, 2> toPixel(Vec3 p) const;
};

struct SolidRequest {
    std::shared_ptr<const Volume> volume;  ///< not null
    SolidMode mode = SolidMode::Maximum;
    SolidView view;
    double level = 0;  ///< that of the surface
    double low = 0;    ///< value of the map's first colour; for Maximum
    double high = 1;
    ColourMap map;  ///< its zero is the ground in both modes
    Rgb surface{224, 222, 216};
};

/// The distance along `away` from the plane through the view's centre to the first point of the pixel's ray
/// where the volume, interpolated linearly, reaches the level; nothing where it does not.
[[nodiscard]] std::optional<double> surfaceDepth(const SolidRequest& request, double x, double y);

/// The picture. `pool` computes rows in parallel.
[[nodiscard]] Picture renderSolid(const SolidRequest& request, const ThreadPool& pool);

}  // namespace tof::viz
