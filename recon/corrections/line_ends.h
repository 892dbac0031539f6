// SPDX-License-Identifier: Apache-2.0
// The crystals that lines of a scanner end in. Internal to recon/corrections.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "recon/base/samples.h"
#include "recon/base/vec3.h"
#include "recon/scanner/detector.h"

namespace tof {

/// Distance of a line from the scanner's axis.
[[nodiscard]] inline double fromAxis(Vec3 p, Vec3 d) {
    const double across = std::hypot(d.x, d.y);
    return across > 0 ? std::abs(p.x * d.y - p.y * d.x) / across : 0.0;
}

/// A crystal that a line ends in.
struct LineEnd {
    std::uint32_t crystal = 0;
    double distance_mm = 0;  ///< to its mean depth
    double area_mm2 = 0;     ///< of the crystal's cell across the line
};

/// The crystals that lines of a scanner end in.
class LineEnds {
  public:
    explicit LineEnds(const Scanner& scanner) : scanner_(scanner), detector_(scanner) {}

    /// Both ends of the line through `p` along the unit vector `d`; nothing of a line beyond the field of
    /// view, or without crystals at one end. `room` is for whatever a line passes.
    [[nodiscard]] std::optional<std::array<LineEnd, 2>> of(Vec3 p, Vec3 d, Passages& room) const {
        if (fromAxis(p, d) > scanner_.fovRadius_mm) {
            return std::nullopt;
        }
        const std::optional<LineEnd> one = end(p, d, room);
        const std::optional<LineEnd> two = one ? end(p, -d, room) : std::nullopt;
        return two ? std::optional(std::array{*one, *two}) : std::nullopt;
    }

  private:
    [[nodiscard]] std::optional<LineEnd> end(Vec3 p, Vec3 d, Passages& found) const {
        detector_.passages(p, d, found);
        for (std::size_t i = 0; i < found.size; ++i) {
            const DetectorModule& module = *found.list[i].module;
            const double cosine = dot(d, module.axes[2]);
            if (!(cosine > 1e-3)) {
                continue;
            }
            const double t = (dot(module.centre - p, module.axes[2]) + scanner_.meanDepth_mm) / cosine;
            const Vec3 q = p + t * d - module.centre;
            std::array<int, 2> cell{};
            bool inside = true;
            for (std::size_t k = 0; k < 2; ++k) {
                const double place =
                    dot(q, module.axes[k]) / module.pitch[k] + 0.5 * static_cast<double>(module.count[k]);
                cell[k] = static_cast<int>(std::floor(place));
                inside = inside && cell[k] >= 0 && cell[k] < module.count[k];
            }
            if (inside) {
                const std::uint32_t crystal =
                    module.ids[static_cast<std::size_t>(cell[1]) * static_cast<std::size_t>(module.count[0]) +
                               static_cast<std::size_t>(cell[0])];
                return LineEnd{crystal, t, module.pitch[0] * module.pitch[1] * cosine};
            }
        }
        return std::nullopt;
    }

    const Scanner& scanner_;
    Detector detector_;
};

}  // namespace tof
