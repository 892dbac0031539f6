// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/emission.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "recon/base/error.h"
#include "recon/base/sum.h"

namespace tof {

namespace {

using Kind = PhantomShape::Kind;

constexpr std::size_t kVoxelsPerTurn = std::size_t{1} << 20U;  ///< between two questions whether to go on

std::vector<double> weightsOf(const Phantom& phantom, const ThreadPool& pool) {
    std::vector<double> weights;
    if (phantom.emission.has_value()) {
        const auto& data = phantom.emission->data;
        weights.resize(data.size());
        // A reconstruction used as a phantom may hold small negative values: nothing is emitted there.
        pool.forRange(data.size(), kVoxelsPerTurn, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                weights[i] = std::isfinite(data[i]) ? std::max(0.0, static_cast<double>(data[i])) : 0.0;
            }
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

EmissionSampler::EmissionSampler(const Phantom& phantom, const ThreadPool& pool) : phantom_(phantom) {
    const std::vector<double> weights = weightsOf(phantom, pool);
    const double total = sumOf(weights);
    if (!(total > 0)) {
        throw WrongUse("phantom '{}' emits nothing; give it a positive activity", phantom.name);
    }
    if (phantom.emission.has_value()) {
        buildAlias(weights, total, pool);
        const Lattice& lattice = phantom.emission->lattice;
        view_.keep = keep_.data();
        view_.alias = alias_.data();
        view_.voxelCount = keep_.size();
        view_.origin = lattice.origin_mm;
        view_.spacing = {lattice.spacing_mm[0], lattice.spacing_mm[1], lattice.spacing_mm[2]};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            view_.size[axis] = lattice.size[axis];
        }
    } else {
        rankShapes(weights, total);
        describeShapes();
        view_.shapes = shapes_.data();
        view_.shapeCount = static_cast<std::int32_t>(shapes_.size());
        view_.ranked = ranked_.data();
        view_.upTo = upTo_.data();
        view_.rankedCount = static_cast<std::int32_t>(ranked_.size());
    }
}

void EmissionSampler::rankShapes(const std::vector<double>& weights, double total) {
    const auto weight = [&](std::int32_t i) { return weights[static_cast<std::size_t>(i)]; };
    ranked_.resize(weights.size());
    std::iota(ranked_.begin(), ranked_.end(), 0);
    std::stable_sort(ranked_.begin(), ranked_.end(),
                     [&](std::int32_t a, std::int32_t b) { return weight(a) > weight(b); });
    ranked_.erase(
        std::find_if(ranked_.begin(), ranked_.end(), [&](std::int32_t i) { return !(weight(i) > 0); }),
        ranked_.end());
    double sum = 0;
    for (const std::int32_t shape : ranked_) {
        sum += weight(shape);
        upTo_.push_back(sum / total);
    }
    upTo_.back() = 1;
}

void EmissionSampler::buildAlias(const std::vector<double>& weights, double total, const ThreadPool& pool) {
    const std::size_t n = weights.size();
    keep_.resize(n);
    alias_.resize(n);
    // Two stacks in one array: entries that take from others from its front, those that give from its back.
    std::vector<std::uint32_t> stacks(n);
    std::size_t takers = 0;
    std::size_t givers = n;
    for (std::size_t i = 0; i < n; ++i) {
        if (i % kVoxelsPerTurn == 0) {
            pool.heed();
        }
        keep_[i] = weights[i] / total * static_cast<double>(n);
        alias_[i] = static_cast<std::uint32_t>(i);
        stacks[keep_[i] < 1 ? takers++ : --givers] = static_cast<std::uint32_t>(i);
    }
    for (std::size_t step = 0; takers > 0 && givers < n; ++step) {
        if (step % kVoxelsPerTurn == 0) {
            pool.heed();
        }
        const std::uint32_t giver = stacks[givers];
        const std::uint32_t taker = stacks[--takers];
        alias_[taker] = giver;
        keep_[giver] -= 1 - keep_[taker];
        if (keep_[giver] < 1) {
            ++givers;
            stacks[takers++] = giver;
        }
    }
    // What is left is 1 up to rounding, except where rounding stranded an entry without weight.
    const auto finish = [&](std::uint32_t i) { keep_[i] = weights[i] > 0 ? 1 : keep_[i]; };
    std::for_each(stacks.begin(), stacks.begin() + static_cast<std::ptrdiff_t>(takers), finish);
    std::for_each(stacks.begin() + static_cast<std::ptrdiff_t>(givers), stacks.end(), finish);
}

void EmissionSampler::describeShapes() {
    const auto& shapes = phantom_.shapes;
    const double infinity = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        EmissionShape& shape = shapes_.emplace_back();
        shape.kind = shapes[i].kind;
        shape.centre = shapes[i].centre;
        shape.half = shapes[i].halfExtent();
        shape.radius2 = shapes[i].radius_mm * shapes[i].radius_mm;
        shape.coverLow = infinity;
        shape.coverHigh = -infinity;
        for (std::size_t later = i + 1; later < shapes.size(); ++later) {
            if (shapes[later].kind != Kind::Point) {
                const double half = shapes[later].halfExtent().z;
                shape.coverLow = std::min(shape.coverLow, shapes[later].centre.z - half);
                shape.coverHigh = std::max(shape.coverHigh, shapes[later].centre.z + half);
            }
        }
    }
}

std::optional<EmissionSampler::Bulk> EmissionSampler::bulkCylinder() const {
    if (ranked_.empty() || shapes_[static_cast<std::size_t>(ranked_.front())].kind != Kind::Cylinder) {
        return std::nullopt;
    }
    // Words below this are certain to stay below upTo_ once turned into numbers.
    const auto limit = static_cast<std::uint32_t>(std::max(0.0, upTo_.front() * 0x1p32 - 2));
    const auto shape = static_cast<std::size_t>(ranked_.front());
    Bulk bulk{shape,
              upTo_.front(),
              limit,
              shapes_[shape].coverLow,
              shapes_[shape].coverHigh,
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

std::optional<Vec3> EmissionSampler::sample(RandomStream& random) const {
    Vec3 place;
    return drawEmission(view_, random, place) ? std::optional(place) : std::nullopt;
}

}  // namespace tof
