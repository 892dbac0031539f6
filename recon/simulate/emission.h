// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "recon/base/hd.h"
#include "recon/base/parallel.h"
#include "recon/phantom/phantom.h"
#include "recon/simulate/random_stream.h"

namespace tof {

/// A shape that may emit, as emission points are drawn in it.
struct EmissionShape {
    PhantomShape::Kind kind = PhantomShape::Kind::Point;
    Vec3 centre;
    Vec3 half;  ///< half the sides of the box around it
    double radius2 = 0;
    double coverLow = 0;  ///< heights between which later shapes may replace it; none where low > high
    double coverHigh = 0;

    [[nodiscard]] TOF_HD bool contains(Vec3 p) const {
        const Vec3 d = p - centre;
        switch (kind) {
            case PhantomShape::Kind::Sphere: return dot(d, d) <= radius2;
            case PhantomShape::Kind::Cylinder:
                return d.x * d.x + d.y * d.y <= radius2 && std::fabs(d.z) <= half.z;
            case PhantomShape::Kind::Box:
                return std::fabs(d.x) <= half.x && std::fabs(d.y) <= half.y && std::fabs(d.z) <= half.z;
            case PhantomShape::Kind::Point: break;
        }
        return false;
    }
};

/// Where a phantom emits; plain data for host and device, pointers into tables that somebody else owns.
struct EmissionView {
    const EmissionShape* shapes = nullptr;  ///< in the phantom's order
    std::int32_t shapeCount = 0;
    const std::int32_t* ranked = nullptr;  ///< those that emit, the strongest first
    const double* upTo = nullptr;          ///< and up to which number each is chosen
    std::int32_t rankedCount = 0;
    // Voxels, where they are: Walker's alias table. Entry i is kept with probability keep[i].
    const double* keep = nullptr;
    const std::uint32_t* alias = nullptr;
    std::uint64_t voxelCount = 0;
    std::array<std::int32_t, 3> size{0, 0, 0};
    Vec3 origin;
    Vec3 spacing;
};

/// One try at an emission point; false when it fell outside the shape it was meant for, or into a shape that
/// replaces it. `Random` gives word().
template <class Random>
[[nodiscard]] TOF_HD bool drawEmission(const EmissionView& view, Random& random, Vec3& place) {
    const double chosen = uniformOf(random.word());
    const double second = uniformOf(random.word());
    const double third = uniformOf(random.word());
    if (view.keep != nullptr) {
        // One word would leave too few bits to choose among millions of voxels and then toss the coin.
        const auto slot = static_cast<std::uint64_t>(chosen * static_cast<double>(view.voxelCount));
        const std::uint64_t index = second < view.keep[slot] ? slot : view.alias[slot];
        const auto row = static_cast<std::uint64_t>(view.size[0]);
        const std::uint64_t plane = row * static_cast<std::uint64_t>(view.size[1]);
        const std::uint64_t line = index % plane / row;
        const std::uint64_t slice = index / plane;
        const double x = static_cast<double>(index % row) + third - 0.5;
        const double y = static_cast<double>(line) + uniformOf(random.word()) - 0.5;
        const double z = static_cast<double>(slice) + uniformOf(random.word()) - 0.5;
        place = view.origin + Vec3{x * view.spacing.x, y * view.spacing.y, z * view.spacing.z};
        return true;
    }
    std::int32_t rank = 0;
    while (chosen >= view.upTo[rank] && rank + 1 < view.rankedCount) {
        ++rank;
    }
    const std::int32_t index = view.ranked[rank];
    const EmissionShape& shape = view.shapes[index];
    // Where within the shape's share the first number fell is a number in (0, 1) again.
    const double below = rank > 0 ? view.upTo[rank - 1] : 0;
    const double z = (chosen - below) / (view.upTo[rank] - below);
    place = shape.centre +
            Vec3{(2 * second - 1) * shape.half.x, (2 * third - 1) * shape.half.y, (2 * z - 1) * shape.half.z};
    if (shape.kind == PhantomShape::Kind::Point) {
        return true;
    }
    if (!shape.contains(place)) {
        return false;
    }
    if (place.z >= shape.coverLow && place.z <= shape.coverHigh) {
        for (std::int32_t later = index + 1; later < view.shapeCount; ++later) {
            if (view.shapes[later].contains(place)) {
                return false;
            }
        }
    }
    return true;
}

/// Draws emission points with the density of a phantom. Immutable; share between threads.
class EmissionSampler {
  public:
    /// Keeps a reference to `phantom`. Throws WrongUse when nothing emits, and what the pool's heed throws:
    /// an image of 70 million voxels takes a second.
    EmissionSampler(const Phantom& phantom, const ThreadPool& pool);
    EmissionSampler(const EmissionSampler&) = delete;
    EmissionSampler& operator=(const EmissionSampler&) = delete;

    [[nodiscard]] const EmissionView& view() const { return view_; }

    /// One try; nothing when it fell outside the shape it was meant for, or into a shape that replaces it.
    [[nodiscard]] std::optional<Vec3> sample(RandomStream& random) const;

    /// The shape that emits most, when it is a cylinder. Its samples use a first number below `share` for the
    /// height, then one each for x and y.
    struct Bulk {
        std::size_t shape;
        double share;         ///< share of all emissions
        std::uint32_t limit;  ///< first words below this choose it
        double coverLow;      ///< heights between which later shapes may replace it
        double coverHigh;
        double coverInner;  ///< distances from its axis between which they may
        double coverOuter;
    };
    [[nodiscard]] std::optional<Bulk> bulkCylinder() const;

  private:
    void buildAlias(const std::vector<double>& weights, double total, const ThreadPool& pool);
    void rankShapes(const std::vector<double>& weights, double total);
    void describeShapes();

    const Phantom& phantom_;
    // Shapes, those that emit most first, and up to which number each is chosen.
    std::vector<std::int32_t> ranked_;
    std::vector<double> upTo_;
    // Voxels: Walker's alias table, built as Vose does. Entry i is kept with probability keep_[i], else
    // alias_[i] is taken.
    std::vector<double> keep_;
    std::vector<std::uint32_t> alias_;
    std::vector<EmissionShape> shapes_;
    EmissionView view_;
};

}  // namespace tof
