// SPDX-License-Identifier: Apache-2.0
#include "recon/joined/warp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "recon/base/error.h"

namespace tof {

namespace {

/// Pieces of a transpose that are added up in their order. Depends on nothing, so that results do not.
constexpr std::size_t kPieces = 8;
constexpr std::size_t kGrain = std::size_t{1} << 14U;

}  // namespace

Warp::Warp(const Lattice& from, const Lattice& to, Vec3 shift_mm,
           std::shared_ptr<const DisplacementField> field, double factor)
    : from_(from), to_(to), shift_mm_(shift_mm), field_(std::move(field)), factor_(factor) {
    if (field_ != nullptr && field_->mm[0].size() != to_.voxels()) {
        throw InternalError("a displacement field does not fit its lattice");
    }
}

std::size_t Warp::memoryBytes() const {
    return field_ == nullptr ? 0 : 3 * field_->mm[0].size() * sizeof(float);
}

template <typename Visit>
void Warp::forEachSource(std::size_t voxel, const VoxelIndex& at, const Visit& visit) const {
    Vec3 p = to_.centre(at) + shift_mm_;
    if (field_ != nullptr) {
        p = p + Vec3{static_cast<double>(field_->mm[0][voxel]), static_cast<double>(field_->mm[1][voxel]),
                     static_cast<double>(field_->mm[2][voxel])};
    }
    const Vec3 place = from_.continuousIndex(p);
    const std::array<double, 3> places{place.x, place.y, place.z};
    std::array<int, 3> low{};
    std::array<double, 3> up{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(places[axis] > -1 && places[axis] < static_cast<double>(from_.size[axis]))) {
            return;
        }
        const double below = std::floor(places[axis]);
        low[axis] = static_cast<int>(below);
        up[axis] = places[axis] - below;
    }
    const bool inside = from_.contains(low) && from_.contains({low[0] + 1, low[1] + 1, low[2] + 1});
    for (int row = 0; row < 4; ++row) {
        const int y = low[1] + (row & 1);
        const int z = low[2] + (row >> 1);
        const double weight = factor_ * ((row & 1) == 1 ? up[1] : 1 - up[1]) * (row >= 2 ? up[2] : 1 - up[2]);
        if (inside) {
            const std::size_t source = from_.index(low[0], y, z);
            visit(source, weight * (1 - up[0]));
            visit(source + 1, weight * up[0]);
            continue;
        }
        for (int x = low[0]; x <= low[0] + 1; ++x) {
            if (from_.contains(x, y, z)) {
                visit(from_.index(x, y, z), weight * (x == low[0] ? 1 - up[0] : up[0]));
            }
        }
    }
}

template <typename Visit>
void Warp::forEachVoxel(std::size_t begin, std::size_t end, const Visit& visit) const {
    std::size_t voxel = begin * static_cast<std::size_t>(to_.size[0]) * static_cast<std::size_t>(to_.size[1]);
    for (auto z = static_cast<int>(begin); z < static_cast<int>(end); ++z) {
        for (int y = 0; y < to_.size[1]; ++y) {
            for (int x = 0; x < to_.size[0]; ++x, ++voxel) {
                visit(voxel, VoxelIndex{x, y, z});
            }
        }
    }
}

void Warp::apply(const float* x, float* y, const ThreadPool& pool) const {
    pool.forRange(static_cast<std::size_t>(to_.size[2]), 1, [&](std::size_t begin, std::size_t end) {
        forEachVoxel(begin, end, [&](std::size_t voxel, const VoxelIndex& at) {
            double sum = 0;
            forEachSource(voxel, at, [&](std::size_t source, double weight) {
                sum += weight * static_cast<double>(x[source]);
            });
            y[voxel] = static_cast<float>(sum);
        });
    });
}

void Warp::transpose(const float* y, float* x, Write write, const ThreadPool& pool,
                     std::vector<float>& room) const {
    const auto planes = static_cast<std::size_t>(to_.size[2]);
    const std::size_t voxels = from_.voxels();
    room.resize(std::max(room.size(), kPieces * voxels));
    float* const pieces = room.data();
    pool.forRange(kPieces, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t piece = first; piece < last; ++piece) {
            float* const own = pieces + piece * voxels;
            std::fill_n(own, voxels, 0.0F);
            forEachVoxel(piece * planes / kPieces, (piece + 1) * planes / kPieces,
                         [&](std::size_t voxel, const VoxelIndex& at) {
                             forEachSource(voxel, at, [&](std::size_t source, double weight) {
                                 own[source] += static_cast<float>(weight * static_cast<double>(y[voxel]));
                             });
                         });
        }
    });
    pool.forRange(voxels, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            float sum = write == Write::Add ? x[i] : 0.0F;
            for (std::size_t piece = 0; piece < kPieces; ++piece) {
                sum += pieces[piece * voxels + i];
            }
            x[i] = sum;
        }
    });
}

}  // namespace tof
