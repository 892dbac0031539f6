// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/line_walk.h"

#include "recon/base/target_clones.h"
#include "recon/systems/lines/joseph_steps.h"

namespace tof {

namespace {

// Joseph's planes meet voxels from one before the lattice to one behind it; rounding, one more.
constexpr int kBefore = 2;
constexpr int kBehind = 2;
constexpr int kPlanes = 16;  // planes at once

LineOperator paddedOperator(const LineModel& model, const RayTof& tof) {
    LineOperator op{rayGrid(model.lattice, model.fovRadius_mm), tof, model.method == RayMethod::Joseph};
    // An odd pitch spreads what lies above each other over the sets of a cache.
    op.grid.stride[1] = (op.grid.size[0] + kBefore + kBehind) | 1;
    op.grid.stride[2] = op.grid.stride[1] * (op.grid.size[1] + kBefore + kBehind);
    return op;
}

std::ptrdiff_t originOf(const RayGrid& grid) {
    return std::ptrdiff_t{kBefore} * (grid.stride[0] + grid.stride[1] + grid.stride[2]);
}

/// Some of Joseph's planes: the first of four voxels in each, and the weights of all four.
struct PlaneBlock {
    int voxel[kPlanes];
    float here[kPlanes];
    float nextC[kPlanes];
    float nextB[kPlanes];
    float nextBoth[kPlanes];
};

/// Steps of the linear index: to the next plane, and along the two axes in it.
struct PlaneStrides {
    PlaneStrides(const JosephSteps& way, const int stride[3])
        : step(way.step * stride[way.main]),
          b(stride[way.main == 2 ? 0 : way.main + 1]),
          c(stride[way.main == 0 ? 2 : way.main - 1]),
          begin(way.plane * stride[way.main] - kBefore * (b + c)) {}
    int step;
    int b;
    int c;
    int begin;
};

/// Planes from `first` on, whose shares lie between neighbouring `integrals`. A plane behind the last one,
/// whose share is zero, becomes the first one. What is by value is known not to be what is written.
inline void fillBlock(const JosephSteps way, const PlaneStrides strides, float first,
                      const float integrals[kPlanes + 1], PlaneBlock& block) {
    for (int k = 0; k < kPlanes; ++k) {
        const float plane = first + static_cast<float>(k);
        const float crossed = fmaf(plane - 1.0F, way.advance, way.edge) >= way.limit ? 0.0F : plane;
        const float share = greater(integrals[k + 1] - integrals[k], 0.0F);
        // Places are counted from the margin, where none is negative and conversion rounds down.
        const float pb = fmaf(crossed, way.slope[0], way.at[0]) + kBefore;
        const float pc = fmaf(crossed, way.slope[1], way.at[1]) + kBefore;
        const int ib = static_cast<int>(pb);
        const int ic = static_cast<int>(pc);
        const float farB = share * (pb - static_cast<float>(ib));
        const float nearB = share - farB;
        const float farC = pc - static_cast<float>(ic);
        const float nearC = 1.0F - farC;
        block.voxel[k] =
            strides.begin + static_cast<int>(crossed) * strides.step + ib * strides.b + ic * strides.c;
        block.here[k] = nearB * nearC;
        block.nextC[k] = nearB * farC;
        block.nextB[k] = farB * nearC;
        block.nextBoth[k] = farB * farC;
    }
}

/// Calls visit(block) for all planes, some at a time; integral() is that of the time bin over distances.
template <class Integral, class Visit>
inline void followPlanes(const JosephSteps& way, const PlaneStrides& strides, const Integral& integral,
                         const Visit& visit) {
    PlaneBlock block;
    float integrals[kPlanes + 1];
    integrals[kPlanes] = integral(way.begin);
    float last = 0;
    for (float first = 0; first == 0.0F || last < way.limit; first += kPlanes) {
        integrals[0] = integrals[kPlanes];
        for (int k = 0; k < kPlanes; ++k) {
            const float edge = fmaf(first + static_cast<float>(k), way.advance, way.edge);
            integrals[k + 1] = integral(lesser(edge, way.limit));
        }
        fillBlock(way, strides, first, integrals, block);
        visit(block);
        last = fmaf(first + (kPlanes - 1), way.advance, way.edge);
    }
}

/// Calls planes(block, strides) along a line by Joseph's method, voxel(index, coefficient) by Siddon's and
/// wherever time bins have no table.
template <class Planes, class Voxel>
inline void follow(const LineOperator& op, const TimeTable& times, const LineWalk::Line& line,
                   const Planes& planes, const Voxel& voxel) {
    const bool timed = op.tof.count > 0;
    if (timed && times.pieces.empty()) {
        followLine(op, line.one, line.two, line.timeBin, voxel);
        return;
    }
    const Ray ray = makeRay(op.grid, line.one, line.two);
    double begin = timed ? op.tof.from(line.timeBin) : -ray.half;
    double end = timed ? op.tof.to(line.timeBin) : ray.half;
    if (!clipRay(op.grid, ray, &begin, &end)) {
        return;
    }
    const double origin = timed ? 0.5 * (op.tof.edge(line.timeBin) + op.tof.edge(line.timeBin + 1)) : 0.0;
    const auto walk = [&](const auto& integral) {
        if (!op.joseph) {
            followSteps(eventSteps(startSiddon(op.grid, ray, begin), origin, begin, end), integral, voxel);
            return;
        }
        JosephSteps way;
        if (josephSteps(op.grid, ray, origin, begin, end, &way)) {
            const PlaneStrides strides(way, op.grid.stride);
            followPlanes(way, strides, integral, [&](const PlaneBlock& block) { planes(block, strides); });
        }
    };
    if (timed) {
        const TimePiece* const pieces = times.pieces.data() + timeKind(op.tof, line.timeBin) * times.count;
        walk([pieces, count = times.count, perMm = times.perMm](float distance) {
            return timeIntegral(pieces, count, perMm, distance);
        });
    } else {
        walk([](float distance) { return distance; });
    }
}

TOF_CLONES TOF_FLATTENED float projectLine(const LineOperator& op, const TimeTable& times,
                                           const LineWalk::Line& line, const float* image) {
    float sums[kPlanes] = {};
    const auto planes = [&](const PlaneBlock& block, const PlaneStrides& strides) {
        const float* const nextC = image + strides.c;
        const float* const nextB = image + strides.b;
        const float* const nextBoth = nextB + strides.c;
        for (int k = 0; k < kPlanes; ++k) {
            const int v = block.voxel[k];
            sums[k] += (block.here[k] * image[v] + block.nextC[k] * nextC[v]) +
                       (block.nextB[k] * nextB[v] + block.nextBoth[k] * nextBoth[v]);
        }
    };
    float sum = 0;
    follow(op, times, line, planes, [&](int voxel, float length) { sum += length * image[voxel]; });
    for (const float some : sums) {
        sum += some;
    }
    return sum;
}

TOF_CLONES TOF_FLATTENED void spreadLine(const LineOperator& op, const TimeTable& times,
                                         const LineWalk::Line& line, float value, float* image) {
    const auto planes = [&](const PlaneBlock& block, const PlaneStrides& strides) {
        float* const nextC = image + strides.c;
        float* const nextB = image + strides.b;
        float* const nextBoth = nextB + strides.c;
        for (int k = 0; k < kPlanes; ++k) {
            const int v = block.voxel[k];
            image[v] += value * block.here[k];
            nextC[v] += value * block.nextC[k];
            nextB[v] += value * block.nextB[k];
            nextBoth[v] += value * block.nextBoth[k];
        }
    };
    follow(op, times, line, planes, [&](int voxel, float length) { image[voxel] += length * value; });
}

}  // namespace

LineWalk::LineWalk(const LineModel& model, const RayTof& tof)
    : op_(paddedOperator(model, tof)), times_(TimeTable::of(tof)) {}

std::size_t LineWalk::paddedSize() const {
    return static_cast<std::size_t>(op_.grid.stride[2]) *
           static_cast<std::size_t>(op_.grid.size[2] + kBefore + kBehind);
}

std::size_t LineWalk::rows() const {
    return static_cast<std::size_t>(op_.grid.size[1]) * static_cast<std::size_t>(op_.grid.size[2]);
}

std::size_t LineWalk::rowStart(std::size_t row) const {
    const auto height = static_cast<std::size_t>(op_.grid.size[1]);
    return static_cast<std::size_t>(originOf(op_.grid)) +
           row % height * static_cast<std::size_t>(op_.grid.stride[1]) +
           row / height * static_cast<std::size_t>(op_.grid.stride[2]);
}

float LineWalk::project(const Line& line, const float* padded) const {
    return projectLine(op_, times_, line, padded + originOf(op_.grid));
}

void LineWalk::spread(const Line& line, float value, float* padded) const {
    spreadLine(op_, times_, line, value, padded + originOf(op_.grid));
}

}  // namespace tof
