// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/emission.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "recon/base/error.h"

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
        // Places are drawn in the bounding box and kept when inside the shape, so a shape's chance to be
        // drawn is its box's: weighted by its own volume, spheres would emit 2/3 of their share beside a
        // cylinder.
        const Vec3 half = shape.halfExtent();
        weights.push_back(shape.activity * (shape.kind == Kind::Point ? 1.0 : 8 * half.x * half.y * half.z));
    }
    return weights;
}

}  // namespace

EmissionSampler::EmissionSampler(const Phantom& phantom) : phantom_(phantom) {
    const std::vector<double> weights = weightsOf(phantom);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (!(total > 0)) {
        throw WrongUse("phantom '{}' emits nothing; give it a positive activity", phantom.name);
    }
    if (phantom.emission.has_value()) {
        buildAlias(weights, total);
    } else {
        rankShapes(weights, total);
        findCovers();
    }
}

void EmissionSampler::rankShapes(const std::vector<double>& weights, double total) {
    ranked_.resize(weights.size());
    std::iota(ranked_.begin(), ranked_.end(), std::size_t{0});
    std::stable_sort(ranked_.begin(), ranked_.end(),
                     [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
    ranked_.erase(
        std::find_if(ranked_.begin(), ranked_.end(), [&](std::size_t i) { return !(weights[i] > 0); }),
        ranked_.end());
    double sum = 0;
    for (const std::size_t shape : ranked_) {
        sum += weights[shape];
        upTo_.push_back(sum / total);
    }
    upTo_.back() = 1;
}

void EmissionSampler::buildAlias(const std::vector<double>& weights, double total) {
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
}

void EmissionSampler::findCovers() {
    const auto& shapes = phantom_.shapes;
    const double infinity = std::numeric_limits<double>::infinity();
    coverLow_.assign(shapes.size(), infinity);
    coverHigh_.assign(shapes.size(), -infinity);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        for (std::size_t later = i + 1; later < shapes.size(); ++later) {
            if (shapes[later].kind != Kind::Point) {
                const double half = shapes[later].halfExtent().z;
                coverLow_[i] = std::min(coverLow_[i], shapes[later].centre.z - half);
                coverHigh_[i] = std::max(coverHigh_[i], shapes[later].centre.z + half);
            }
        }
    }
}

std::optional<EmissionSampler::Bulk> EmissionSampler::bulkCylinder() const {
    if (ranked_.empty() || phantom_.shapes[ranked_.front()].kind != Kind::Cylinder) {
        return std::nullopt;
    }
    // Words below this are certain to stay below upTo_ once turned into numbers.
    const auto limit = static_cast<std::uint32_t>(std::max(0.0, upTo_.front() * 0x1p32 - 2));
    const std::size_t shape = ranked_.front();
    Bulk bulk{shape,
              upTo_.front(),
              limit,
              coverLow_[shape],
              coverHigh_[shape],
              std::numeric_limits<double>::infinity(),
              0};
    for (std::size_t later = shape + 1; later < phantom_.shapes.size(); ++later) {
        const Vec3 away = phantom_.shapes[later].centre - phantom_.shapes[shape].centre;
        const Vec3 half = phantom_.shapes[later].halfExtent();
        const double reach = std::hypot(half.x, half.y);
        bulk.coverInner = std::min(bulk.coverInner, std::max(0.0, std::hypot(away.x, away.y) - reach));
        bulk.coverOuter = std::max(bulk.coverOuter, std::hypot(away.x, away.y) + reach);
    }
    return bulk;
}

std::size_t EmissionSampler::pickRank(double uniform) const {
    std::size_t rank = 0;
    while (uniform >= upTo_[rank] && rank + 1 < ranked_.size()) {
        ++rank;
    }
    return rank;
}

bool EmissionSampler::covered(std::size_t shape, Vec3 p) const {
    return p.z >= coverLow_[shape] && p.z <= coverHigh_[shape] &&
           std::any_of(phantom_.shapes.begin() + static_cast<std::ptrdiff_t>(shape) + 1,
                       phantom_.shapes.end(), [p](const PhantomShape& later) { return later.contains(p); });
}

std::optional<Vec3> EmissionSampler::sampleShape(RandomStream& random) const {
    const double chosen = random.uniform();
    const std::size_t rank = pickRank(chosen);
    const std::size_t index = ranked_[rank];
    const PhantomShape& shape = phantom_.shapes[index];
    const double x = random.uniform();
    const double y = random.uniform();
    // Where within the shape's share the first number fell is a number in (0, 1) again.
    const double below = rank > 0 ? upTo_[rank - 1] : 0;
    const double z = (chosen - below) / (upTo_[rank] - below);
    const Vec3 half = shape.halfExtent();
    const Vec3 p = shape.centre + Vec3{(2 * x - 1) * half.x, (2 * y - 1) * half.y, (2 * z - 1) * half.z};
    const bool point = shape.kind == Kind::Point;
    return point || (shape.contains(p) && !covered(index, p)) ? std::optional(p) : std::nullopt;
}

Vec3 EmissionSampler::sampleVoxel(RandomStream& random) const {
    // One word would leave too few bits to choose among millions of voxels and then toss the coin.
    const auto slot = static_cast<std::size_t>(random.uniform() * static_cast<double>(keep_.size()));
    const std::size_t index = random.uniform() < keep_[slot] ? slot : alias_[slot];
    const Lattice& lattice = phantom_.emission->lattice;
    const VoxelIndex voxel = lattice.voxel(index);
    const double x = voxel[0] + random.uniform() - 0.5;
    const double y = voxel[1] + random.uniform() - 0.5;
    const double z = voxel[2] + random.uniform() - 0.5;
    return lattice.centre(x, y, z);
}

std::optional<Vec3> EmissionSampler::sample(RandomStream& random) const {
    return phantom_.emission.has_value() ? sampleVoxel(random) : sampleShape(random);
}

}  // namespace tof
