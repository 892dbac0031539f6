// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/emission.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/core/error.h"

namespace tof {

namespace {

using Kind = PhantomShape::Kind;

std::vector<double> weightsOf(const Phantom& phantom) {
    std::vector<double> weights;
    if (phantom.emission.has_value()) {
        const auto& data = phantom.emission->data;
        weights.resize(data.size());
        // A reconstruction used as a phantom may hold small negative values: nothing is emitted there.
        std::transform(data.begin(), data.end(), weights.begin(), [](float v) {
            return std::isfinite(v) ? std::max(0.0, static_cast<double>(v)) : 0.0;
        });
        return weights;
    }
    for (const PhantomShape& shape : phantom.shapes) {
        weights.push_back(shape.activity * (shape.kind == Kind::Point ? 1.0 : shape.volume_mm3()));
    }
    return weights;
}

double symmetric(RandomStream& random, double halfWidth) {
    return (2 * random.uniform() - 1) * halfWidth;
}

/// Uniform in a solid, by trial in its bounding box.
Vec3 inside(const PhantomShape& shape, RandomStream& random) {
    const bool box = shape.kind == Kind::Box;
    const double halfZ = shape.kind == Kind::Sphere ? shape.radius_mm : 0.5 * shape.size_mm.z;
    const double halfX = box ? 0.5 * shape.size_mm.x : shape.radius_mm;
    const double halfY = box ? 0.5 * shape.size_mm.y : shape.radius_mm;
    const Vec3 z{0, 0, shape.kind == Kind::Sphere ? 0 : symmetric(random, halfZ)};
    while (true) {
        Vec3 d{symmetric(random, halfX), symmetric(random, halfY), z.z};
        if (shape.kind == Kind::Sphere) {
            d.z = symmetric(random, halfZ);
        }
        const double inCircle = d.x * d.x + d.y * d.y + (shape.kind == Kind::Sphere ? d.z * d.z : 0);
        if (box || inCircle <= shape.radius_mm * shape.radius_mm) {
            return shape.centre + d;
        }
    }
}

double boundingRadius(const PhantomShape& shape) {
    switch (shape.kind) {
        case Kind::Sphere: return shape.radius_mm;
        case Kind::Cylinder: return std::hypot(shape.radius_mm, 0.5 * shape.size_mm.z);
        case Kind::Box: return 0.5 * norm(shape.size_mm);
        case Kind::Point: break;
    }
    return 0;
}

}  // namespace

EmissionSampler::EmissionSampler(const Phantom& phantom) : phantom_(phantom) {
    const std::vector<double> weights = weightsOf(phantom);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (!(total > 0)) {
        throw WrongUse(fmt::format("phantom '{}' emits nothing; give it a positive activity", phantom.name));
    }
    const std::size_t n = weights.size();
    keep_.resize(n);
    alias_.resize(n);
    std::vector<std::uint32_t> small;
    std::vector<std::uint32_t> large;
    for (std::size_t i = 0; i < n; ++i) {
        keep_[i] = weights[i] / total * static_cast<double>(n);
        alias_[i] = static_cast<std::uint32_t>(i);
        (keep_[i] < 1 ? small : large).push_back(static_cast<std::uint32_t>(i));
    }
    while (!small.empty() && !large.empty()) {
        const std::uint32_t giver = large.back();
        const std::uint32_t taker = small.back();
        small.pop_back();
        alias_[taker] = giver;
        keep_[giver] -= 1 - keep_[taker];
        if (keep_[giver] < 1) {
            large.pop_back();
            small.push_back(giver);
        }
    }
    // What is left is 1 up to rounding, except where rounding stranded an entry without weight.
    for (const auto& rest : {small, large}) {
        for (const std::uint32_t i : rest) {
            keep_[i] = weights[i] > 0 ? 1 : keep_[i];
        }
    }
    const auto& shapes = phantom.shapes;
    coverable_.assign(shapes.size(), 0);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        coverable_[i] = std::any_of(shapes.begin() + static_cast<std::ptrdiff_t>(i) + 1, shapes.end(),
                                    [&](const PhantomShape& later) {
                                        return norm(later.centre - shapes[i].centre) <=
                                               boundingRadius(later) + boundingRadius(shapes[i]);
                                    })
                            ? 1
                            : 0;
    }
}

std::size_t EmissionSampler::pick(RandomStream& random) const {
    if (keep_.size() == 1) {
        return 0;
    }
    const auto index = static_cast<std::size_t>(random.uniform() * static_cast<double>(keep_.size()));
    return random.uniform() < keep_[index] ? index : alias_[index];
}

bool EmissionSampler::covered(std::size_t shape, Vec3 p) const {
    return coverable_[shape] != 0 &&
           std::any_of(phantom_.shapes.begin() + static_cast<std::ptrdiff_t>(shape) + 1,
                       phantom_.shapes.end(), [p](const PhantomShape& later) { return later.contains(p); });
}

Vec3 EmissionSampler::sampleShape(RandomStream& random) const {
    while (true) {
        const std::size_t index = pick(random);
        const PhantomShape& shape = phantom_.shapes[index];
        if (shape.kind == Kind::Point) {
            return shape.centre;
        }
        const Vec3 p = inside(shape, random);
        if (!covered(index, p)) {
            return p;
        }
    }
}

Vec3 EmissionSampler::sampleVoxel(RandomStream& random) const {
    const Lattice& lattice = phantom_.emission->lattice;
    const std::size_t index = pick(random);
    const auto nx = static_cast<std::size_t>(lattice.size[0]);
    const auto ny = static_cast<std::size_t>(lattice.size[1]);
    const double x = static_cast<double>(index % nx) + random.uniform() - 0.5;
    const double y = static_cast<double>(index / nx % ny) + random.uniform() - 0.5;
    const double z = static_cast<double>(index / (nx * ny)) + random.uniform() - 0.5;
    return lattice.centre(x, y, z);
}

Vec3 EmissionSampler::sample(RandomStream& random) const {
    return phantom_.emission.has_value() ? sampleVoxel(random) : sampleShape(random);
}

}  // namespace tof
