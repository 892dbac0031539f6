// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/panel_geometry.h"

#include <algorithm>
#include <cmath>

#include "recon/scanner/scanner.h"

namespace tof {

namespace {

constexpr double kTolerance_mm = 1e-6;
constexpr double kPlaneSpacing_mm = 0.5;
constexpr int kVoxelsPerPitch = 4;
constexpr int kMostCrystals = 256;  // along an axis: what PanelPlace has bits for
constexpr int kMostPlanes = 1023;

/// Number of a crystal of head 0 or 1: layer by layer, in a layer head by head, row by row from -z. Rows of
/// head 1 begin at +y, as all modules are counted in the sense of growing azimuth.
std::uint32_t crystalNumber(const PanelGeometry& g, int head, int layer, int y, int z) {
    const int column = head == 0 ? y : g.crystals[0] - 1 - y;
    return static_cast<std::uint32_t>(((layer * 2 + head) * g.crystals[1] + z) * g.crystals[0] + column);
}

bool isThere(const Crystal& crystal, Vec3 front, double outward) {
    return norm(crystal.front - front) < kTolerance_mm && std::abs(crystal.outward.x - outward) < 1e-9;
}

/// Whether the scanner's crystals are those of the geometry, in its order.
bool holds(const PanelGeometry& g, const Scanner& scanner) {
    const double layer_mm = g.depth_mm / g.layers;
    for (int layer = 0; layer < g.layers; ++layer) {
        for (int head = 0; head < 2; ++head) {
            const double side = head == 0 ? 1 : -1;
            const double x = side * (0.5 * g.separation_mm + layer * layer_mm);
            for (int z = 0; z < g.crystals[1]; ++z) {
                for (int y = 0; y < g.crystals[0]; ++y) {
                    const Vec3 front{x, (y - 0.5 * (g.crystals[0] - 1)) * g.pitch_mm[0],
                                     (z - 0.5 * (g.crystals[1] - 1)) * g.pitch_mm[1]};
                    if (!isThere(scanner.crystals[crystalNumber(g, head, layer, y, z)], front, side)) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

/// Crystals of the first row: those of equal z.
int rowLength(const std::vector<Crystal>& crystals) {
    const double z = crystals.front().front.z;
    const auto end = std::find_if(crystals.begin(), crystals.end(), [&](const Crystal& crystal) {
        return std::abs(crystal.front.z - z) > kTolerance_mm || crystal.outward.x < 0;
    });
    return static_cast<int>(end - crystals.begin());
}

/// Crystals that lie as deep as the first and look the same way, counted from it.
int headLength(const std::vector<Crystal>& crystals) {
    const double x = crystals.front().front.x;
    const auto end = std::find_if(crystals.begin(), crystals.end(), [&](const Crystal& crystal) {
        return std::abs(crystal.front.x - x) > kTolerance_mm;
    });
    return static_cast<int>(end - crystals.begin());
}

}  // namespace

std::optional<PanelGeometry> PanelGeometry::of(const Scanner& scanner) {
    const std::vector<Crystal>& all = scanner.crystals;
    if (all.empty() || std::abs(all.front().outward.x - 1) > 1e-9) {
        return std::nullopt;
    }
    const int head = headLength(all);
    PanelGeometry g;
    g.crystals = {rowLength(all), head / rowLength(all)};
    g.layers = static_cast<int>(all.size()) / (2 * head);
    const bool whole = g.headCrystals() == head &&
                       all.size() == 2 * static_cast<std::size_t>(head) * static_cast<std::size_t>(g.layers);
    if (!whole || g.layers < 1 || g.layers > 2 || std::max(g.crystals[0], g.crystals[1]) > kMostCrystals) {
        return std::nullopt;
    }
    const auto step = [&](int count, int next, std::size_t axis) {
        return count > 1 ? all[static_cast<std::size_t>(next)].front[axis] - all.front().front[axis]
                         : scanner.crystalSize_mm[axis - 1];
    };
    g.pitch_mm = {step(g.crystals[0], 1, 1), step(g.crystals[1], g.crystals[0], 2)};
    g.crystal_mm = {scanner.crystalSize_mm[0], scanner.crystalSize_mm[1]};
    g.depth_mm = scanner.crystalSize_mm[2] * g.layers;
    g.separation_mm = 2 * all.front().front.x;
    g.attenuation_per_mm = scanner.attenuation_per_mm;
    g.voxelsPerPitch = kVoxelsPerPitch;
    g.planeSpacing_mm = kPlaneSpacing_mm;
    g.planes = 2 * static_cast<int>(0.5 * (g.separation_mm / kPlaneSpacing_mm - 1) + kTolerance_mm) + 1;
    const bool fits = g.separation_mm > kPlaneSpacing_mm && g.planes <= kMostPlanes &&
                      g.crystal_mm[0] <= g.pitch_mm[0] + kTolerance_mm &&
                      g.crystal_mm[1] <= g.pitch_mm[1] + kTolerance_mm;
    return fits && holds(g, scanner) ? std::optional(g) : std::nullopt;
}

Lattice PanelGeometry::lattice() const {
    return Lattice::centred({planes, crystals[0] * voxelsPerPitch, crystals[1] * voxelsPerPitch},
                            {planeSpacing_mm, pitch_mm[0] / voxelsPerPitch, pitch_mm[1] / voxelsPerPitch});
}

std::vector<std::size_t> panelClassStarts(const PanelGeometry& geometry) {
    std::vector<std::size_t> starts{0};
    starts.reserve(static_cast<std::size_t>(geometry.classes()) + 1);
    for (int c = 0; c < geometry.classes(); ++c) {
        starts.push_back(starts.back() +
                         static_cast<std::size_t>(PanelClass::at(geometry, c).lors(geometry)));
    }
    return starts;
}

std::optional<PanelLor> panelLor(const PanelGeometry& geometry, std::uint32_t one, std::uint32_t two) {
    const auto head = static_cast<std::uint32_t>(geometry.headCrystals());
    const std::uint32_t all = 2 * head * static_cast<std::uint32_t>(geometry.layers);
    if (one >= all || two >= all || one / head % 2 == two / head % 2) {
        return std::nullopt;
    }
    if (one / head % 2 == 1) {
        std::swap(one, two);
    }
    const auto across = static_cast<std::uint32_t>(geometry.crystals[0]);
    const auto number = [](std::uint32_t n) { return static_cast<int>(n); };
    return PanelLor{number(one % across),        number(one % head / across),
                    number(one / head / 2),      number(across - 1 - two % across),
                    number(two % head / across), number(two / head / 2)};
}

std::array<std::uint32_t, 2> panelCrystals(const PanelGeometry& geometry, const PanelLor& lor) {
    return {crystalNumber(geometry, 0, lor.layer0, lor.y0, lor.z0),
            crystalNumber(geometry, 1, lor.layer1, lor.y1, lor.z1)};
}

}  // namespace tof
