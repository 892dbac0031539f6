// SPDX-License-Identifier: Apache-2.0
#include "viz/scanner_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace tof::viz {

namespace {

constexpr std::size_t kMostDrawnVoxels = 6000;
constexpr float kDrawnShare = 0.2F;  ///< what emits less than this share of the most is not drawn
constexpr int kRingBlock = 8;
constexpr double kOffEdge = 0.17;  ///< keeps round numbers away from where rounding tips over
constexpr double kRingDepth_mm = 20;

/// Axes of a face that looks along `outward`: across and up.
std::array<Vec3, 2> faceAxes(Vec3 outward) {
    const Vec3 z{0, 0, 1};
    const bool axial = std::abs(outward.z) > 0.999;
    const Vec3 across = normalized(cross(axial ? Vec3{0, 1, 0} : z, outward));
    return {across, cross(outward, across)};
}

/// Numbers that differ by more than a tenth of a millimetre.
int distinct(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    int count = values.empty() ? 0 : 1;
    for (std::size_t i = 1; i < values.size(); ++i) {
        count += values[i] - values[i - 1] > 0.1 ? 1 : 0;
    }
    return count;
}

/// The plane of a face, told apart to a thousandth of the direction and a tenth of a millimetre.
using PlaneKey = std::tuple<long, long, long, long>;

PlaneKey planeOf(const Crystal& crystal) {
    return {std::lround(1e3 * crystal.outward.x), std::lround(1e3 * crystal.outward.y),
            std::lround(1e3 * crystal.outward.z),
            std::lround(10 * dot(crystal.front, crystal.outward) + kOffEdge)};
}

using Heed = std::function<void()>;

/// Calls visit(value, place) for every voxel, and `heed` before each plane of them.
template <typename Visit>
void visitVoxels(const Volume& volume, const Heed& heed, const Visit& visit) {
    const Lattice& lattice = volume.lattice;
    for (int z = 0; z < lattice.size[2]; ++z) {
        if (heed) {
            heed();
        }
        for (int y = 0; y < lattice.size[1]; ++y) {
            for (int x = 0; x < lattice.size[0]; ++x) {
                visit(volume.at(x, y, z), lattice.centre(x, y, z));
            }
        }
    }
}

/// Evenly among all that emit much, by a step that shares no pattern with the rows.
std::vector<Vec3> someOf(const Volume& volume, float least, std::size_t all, const Heed& heed) {
    const std::size_t count = std::min(all, kMostDrawnVoxels);
    std::vector<Vec3> some;
    std::size_t met = 0;
    visitVoxels(volume, heed, [&](float value, Vec3 place) {
        if (value > least) {
            if (some.size() < count && met == some.size() * all / count) {
                some.push_back(place);
            }
            ++met;
        }
    });
    return some;
}

SceneModule moduleOf(const Scanner& scanner, const std::vector<std::size_t>& members) {
    const Vec3 outward = scanner.crystals[members.front()].outward;
    const auto [across, up] = faceAxes(outward);
    std::vector<double> u;
    std::vector<double> v;
    for (const std::size_t i : members) {
        u.push_back(dot(scanner.crystals[i].front, across));
        v.push_back(dot(scanner.crystals[i].front, up));
    }
    const auto [u0, u1] = std::minmax_element(u.begin(), u.end());
    const auto [v0, v1] = std::minmax_element(v.begin(), v.end());
    const double du = scanner.crystalSize_mm[0] / 2;
    const double dv = scanner.crystalSize_mm[1] / 2;
    const Vec3 foot = dot(scanner.crystals[members.front()].front, outward) * outward;
    const auto corner = [&, a = across, b = up](double x, double y) { return foot + x * a + y * b; };
    SceneModule block;
    block.front = {corner(*u0 - du, *v0 - dv), corner(*u1 + du, *v0 - dv), corner(*u1 + du, *v1 + dv),
                   corner(*u0 - du, *v1 + dv)};
    block.outward = outward;
    block.depth_mm = scanner.crystalSize_mm[2];
    block.crystals = {distinct(std::move(u)), distinct(std::move(v))};
    return block;
}

}  // namespace

PhantomOutline::PhantomOutline(const Phantom& phantom, const std::function<void()>& heed)
    : shapes(phantom.shapes) {
    for (const PhantomShape& shape : shapes) {
        const Vec3 half = shape.halfExtent();
        const double across =
            shape.kind == PhantomShape::Kind::Box ? std::hypot(half.x, half.y) : half.x;  // round ones else
        fromAxis_mm = std::max(fromAxis_mm, std::hypot(shape.centre.x, shape.centre.y) + across);
        alongX_mm = std::max(alongX_mm, std::abs(shape.centre.x) + half.x);
    }
    if (!phantom.emission) {
        return;
    }
    double fromAxis2 = 0;
    float most = 0;
    visitVoxels(*phantom.emission, heed, [&](float value, Vec3 place) {
        if (value > 0) {
            most = std::max(most, value);
            fromAxis2 = std::max(fromAxis2, place.x * place.x + place.y * place.y);
            alongX_mm = std::max(alongX_mm, std::abs(place.x));
        }
    });
    fromAxis_mm = std::max(fromAxis_mm, std::sqrt(fromAxis2));
    const float least = kDrawnShare * most;
    const std::vector<float>& values = phantom.emission->data;
    const auto all = std::count_if(values.begin(), values.end(), [least](float v) { return v > least; });
    voxels = someOf(*phantom.emission, least, static_cast<std::size_t>(all), heed);
}

ScannerScene ScannerScene::of(const Scanner& scanner) {
    ScannerScene scene;
    scene.crystal_mm = scanner.crystalSize_mm;
    scene.fovRadius_mm = scanner.fovRadius_mm;
    std::map<PlaneKey, std::vector<std::size_t>> planes;
    for (std::size_t i = 0; i < scanner.crystals.size(); ++i) {
        const Crystal& crystal = scanner.crystals[i];
        scene.crystals.push_back(crystal.front);
        scene.outward.push_back(crystal.outward);
        scene.fovHalf_mm =
            std::max(scene.fovHalf_mm, std::abs(crystal.front.z) + scanner.crystalSize_mm[1] / 2);
        planes[planeOf(crystal)].push_back(i);
    }
    for (const auto& [key, members] : planes) {
        scene.modules.push_back(moduleOf(scanner, members));
    }
    scene.measure();
    return scene;
}

ScannerScene ScannerScene::of(const RingScanner& scanner) {
    ScannerScene scene;
    const double pitch = 2 * std::acos(-1.0) * scanner.radius_mm / scanner.crystalsPerRing;
    scene.crystal_mm = {pitch, scanner.ringSpacing_mm, kRingDepth_mm};
    const double low = scanner.ringZ(-0.5);
    const double high = scanner.ringZ(scanner.rings - 0.5);
    scene.fovHalf_mm = std::max(std::abs(low), std::abs(high));
    for (int i = 0; i < scanner.rings * scanner.crystalsPerRing; ++i) {
        const Vec3 p = scanner.reference(static_cast<std::uint32_t>(i));
        scene.crystals.push_back(p);
        scene.outward.push_back(normalized({p.x, p.y, 0}));
    }
    // Crystals of the first ring give the directions; how places turn is the scanner's own affair.
    const auto& gaps = scanner.gapPlaces;
    for (int first = 0; first < scanner.crystalsPerRing; first += kRingBlock) {
        const int last = std::min(first + kRingBlock, scanner.crystalsPerRing) - 1;
        const bool empty = std::find(gaps.begin(), gaps.end(), first) != gaps.end() &&
                           std::find(gaps.begin(), gaps.end(), last) != gaps.end();
        if (empty) {
            continue;
        }
        Vec3 a = scene.crystals[static_cast<std::size_t>(first)];
        Vec3 b = scene.crystals[static_cast<std::size_t>(last)];
        a.z = b.z = 0;
        SceneModule block;
        block.outward = normalized(a + b);
        const Vec3 side = last > first ? (0.5 * pitch / norm(b - a)) * (b - a) : Vec3{};
        a = a - side;
        b = b + side;
        block.front = {Vec3{a.x, a.y, low}, Vec3{b.x, b.y, low}, Vec3{b.x, b.y, high}, Vec3{a.x, a.y, high}};
        block.depth_mm = kRingDepth_mm;
        block.crystals = {last - first + 1, scanner.rings};
        scene.modules.push_back(block);
    }
    scene.measure();
    return scene;
}

void ScannerScene::place(PhantomOutline outline) {
    phantom = std::move(outline);
    measure();
}

void ScannerScene::measure() {
    radius_mm = 1;
    for (const SceneModule& block : modules) {
        for (const Vec3& corner : block.front) {
            radius_mm = std::max(radius_mm, norm(corner + block.depth_mm * block.outward));
        }
    }
    for (const PhantomShape& shape : phantom.shapes) {
        radius_mm = std::max(radius_mm, norm(shape.centre) + norm(shape.halfExtent()));
    }
    for (const Vec3& voxel : phantom.voxels) {
        radius_mm = std::max(radius_mm, norm(voxel));
    }
}

std::optional<std::array<std::size_t, 2>> ScannerScene::nearestLine(Vec3 point, Vec3 direction) const {
    const Vec3 d = normalized(direction);
    constexpr double kNone = std::numeric_limits<double>::max();
    std::array<double, 2> least{kNone, kNone};
    std::array<std::size_t, 2> found{};
    for (std::size_t i = 0; i < crystals.size(); ++i) {
        const Vec3 to = crystals[i] - point;
        const double along = dot(to, d);
        const std::size_t side = along < 0 ? 0 : 1;
        const double off = norm(to - along * d);
        if (off < least[side]) {
            least[side] = off;
            found[side] = i;
        }
    }
    return least[0] < kNone && least[1] < kNone ? std::optional(found) : std::nullopt;
}

}  // namespace tof::viz
