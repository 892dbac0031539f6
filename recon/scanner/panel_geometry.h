// SPDX-License-Identifier: Apache-2.0
// Two flat heads of crystals that face each other, the image between them, and how their lines of response
// are counted. Plain data; the arithmetic is inline, host and device use the same.
//
// Head 0 lies at +x and head 1 at -x. Crystals are counted along y and z from the negative end, those of both
// heads alike. An orientation class is all pairs (|dy|, |dz|, layer of head 0, layer of head 1) with dy, dz
// the crystal of head 1 less that of head 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "recon/base/hd.h"
#include "recon/base/lattice.h"

namespace tof {

struct Scanner;

struct PanelGeometry {
    std::array<int, 2> crystals{104, 72};        ///< crystals of a head along y and z, 1..256 each
    std::array<double, 2> pitch_mm{2.4, 2.4};    ///< along y and z
    std::array<double, 2> crystal_mm{2.1, 2.1};  ///< width of a crystal along y and z; the rest is gap
    double depth_mm = 20;                        ///< depth of all layers together, along x
    int layers = 1;                              ///< they are equally deep, 1 or 2
    double separation_mm = 60;                   ///< from face to face
    double attenuation_per_mm = 0.083;           ///< attenuation of the crystals at 511 keV
    double efficiency = 1;                       ///< share of the photons that interact which are recorded
    int voxelsPerPitch = 4;        ///< along y and z: a shift by a crystal is one by so many voxels
    int planes = 119;              ///< planes of the image along x
    double planeSpacing_mm = 0.5;  ///< spacing of these planes

    [[nodiscard]] bool operator==(const PanelGeometry&) const = default;

    /// The geometry of a scanner of two such heads (Scanner::panels); nothing for any other.
    [[nodiscard]] static std::optional<PanelGeometry> of(const Scanner& scanner);

    /// The image: planes x (crystals times voxelsPerPitch) x the same, about the centre. Index [z][y][x].
    [[nodiscard]] Lattice lattice() const;
    /// Whether y and z may be exchanged: pitch and width are equal along both.
    [[nodiscard]] bool exchanges() const {
        return pitch_mm[0] == pitch_mm[1] && crystal_mm[0] == crystal_mm[1];
    }
    [[nodiscard]] int headCrystals() const { return crystals[0] * crystals[1]; }
    /// Crystals of a layer of a head times those of the other, times pairs of layers.
    [[nodiscard]] std::size_t lors() const {
        const auto head = static_cast<std::size_t>(headCrystals());
        return head * head * static_cast<std::size_t>(layers * layers);
    }
    [[nodiscard]] int classes() const { return headCrystals() * layers * layers; }
};

/// An orientation class.
struct PanelClass {
    int dy = 0;  ///< |dy| and |dz| in crystals
    int dz = 0;
    int layer0 = 0;  ///< 0: the front one
    int layer1 = 0;

    /// Its number: [layer0][layer1][dz][dy].
    [[nodiscard]] int index(const PanelGeometry& g) const {
        return ((layer0 * g.layers + layer1) * g.crystals[1] + dz) * g.crystals[0] + dy;
    }
    [[nodiscard]] static PanelClass at(const PanelGeometry& g, int index) {
        const int dy = index % g.crystals[0];
        const int dz = index / g.crystals[0] % g.crystals[1];
        const int layers = index / g.crystals[0] / g.crystals[1];
        return {dy, dz, layers / g.layers, layers % g.layers};
    }
    /// Combinations of signs: 1, 2 or 4. Number s of them: see signY() and signZ().
    [[nodiscard]] int signs() const { return (dy > 0 ? 2 : 1) * (dz > 0 ? 2 : 1); }
    /// True where dy, or dz, is negative in combination `s`; that of y changes first.
    [[nodiscard]] bool negativeY(int s) const { return dy > 0 && s % 2 == 1; }
    [[nodiscard]] bool negativeZ(int s) const { return dz > 0 && (dy > 0 ? s / 2 : s) == 1; }
    /// Shifts along y and z.
    [[nodiscard]] int shiftsY(const PanelGeometry& g) const { return g.crystals[0] - dy; }
    [[nodiscard]] int shiftsZ(const PanelGeometry& g) const { return g.crystals[1] - dz; }
    /// Lines: [sign][shift z][shift y]. A shift is the smaller of the two crystals' numbers.
    [[nodiscard]] int lors(const PanelGeometry& g) const { return signs() * shiftsY(g) * shiftsZ(g); }
};

/// A line of response: crystal (y, z) and layer of head 0 and of head 1.
struct PanelLor {
    int y0 = 0;
    int z0 = 0;
    int layer0 = 0;
    int y1 = 0;
    int z1 = 0;
    int layer1 = 0;

    [[nodiscard]] PanelClass orientation() const {
        return {y1 > y0 ? y1 - y0 : y0 - y1, z1 > z0 ? z1 - z0 : z0 - z1, layer0, layer1};
    }
    /// Its number among the lines of its class.
    [[nodiscard]] int inClass(const PanelGeometry& g) const {
        const PanelClass c = orientation();
        const int sign = (y1 < y0 ? 1 : 0) + (z1 < z0 ? (c.dy > 0 ? 2 : 1) : 0);
        const int shiftY = y1 < y0 ? y1 : y0;
        const int shiftZ = z1 < z0 ? z1 : z0;
        return (sign * c.shiftsZ(g) + shiftZ) * c.shiftsY(g) + shiftY;
    }
    [[nodiscard]] static PanelLor at(const PanelGeometry& g, PanelClass c, int inClass) {
        const int shiftY = inClass % c.shiftsY(g);
        const int shiftZ = inClass / c.shiftsY(g) % c.shiftsZ(g);
        const int sign = inClass / c.shiftsY(g) / c.shiftsZ(g);
        const bool backY = c.negativeY(sign);
        const bool backZ = c.negativeZ(sign);
        return {shiftY + (backY ? c.dy : 0), shiftZ + (backZ ? c.dz : 0), c.layer0,
                shiftY + (backY ? 0 : c.dy), shiftZ + (backZ ? 0 : c.dz), c.layer1};
    }
};

/// Where the lines of each class begin when all are counted class by class; classes() + 1 numbers.
[[nodiscard]] std::vector<std::size_t> panelClassStarts(const PanelGeometry& geometry);

/// A line by the crystal numbers of a Scanner of `geometry`, in either order; nothing where both are of one
/// head.
[[nodiscard]] std::optional<PanelLor> panelLor(const PanelGeometry& geometry, std::uint32_t one,
                                               std::uint32_t two);
/// Crystal numbers of the Scanner, head 0 first.
[[nodiscard]] std::array<std::uint32_t, 2> panelCrystals(const PanelGeometry& geometry, const PanelLor& lor);

}  // namespace tof
