// SPDX-License-Identifier: Apache-2.0
#include "recon/joined/warp.h"

#include <algorithm>
#include <array>
#include <cstdint>
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
    : fromSize_(from.voxels()), toSize_(to.voxels()), field_(std::move(field)) {
    if (field_ != nullptr && field_->mm[0].size() != toSize_) {
        throw InternalError("a displacement field does not fit its lattice");
    }
    const Vec3 first = from.continuousIndex(to.centre(0, 0, 0) + shift_mm);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        map_.from[axis] = from.size[axis];
        map_.to[axis] = to.size[axis];
        map_.first[axis] = first[axis];
        map_.step[axis] = to.spacing_mm[axis] / from.spacing_mm[axis];
        map_.perMm[axis] = 1 / from.spacing_mm[axis];
    }
    map_.factor = factor;
}

std::size_t Warp::memoryBytes() const {
    return field_ == nullptr ? 0 : 3 * field_->mm[0].size() * sizeof(float);
}

template <typename Visit>
void Warp::forPlanes(std::size_t begin, std::size_t end, const Visit& visit) const {
    std::size_t voxel = begin * static_cast<std::size_t>(map_.to[0]) * static_cast<std::size_t>(map_.to[1]);
    std::array<double, 3> mm{};
    for (auto z = static_cast<std::int32_t>(begin); z < static_cast<std::int32_t>(end); ++z) {
        for (std::int32_t y = 0; y < map_.to[1]; ++y) {
            for (std::int32_t x = 0; x < map_.to[0]; ++x, ++voxel) {
                for (std::size_t axis = 0; axis < 3 && field_ != nullptr; ++axis) {
                    mm[axis] = static_cast<double>(field_->mm[axis][voxel]);
                }
                const std::array<std::int32_t, 3> at{x, y, z};
                forEachSource(map_, at.data(), mm.data(),
                              [&](std::size_t source, double weight) { visit(voxel, source, weight); });
            }
        }
    }
}

void Warp::apply(const float* x, float* y, const ThreadPool& pool) const {
    const std::size_t plane = toSize_ / static_cast<std::size_t>(map_.to[2]);
    pool.forRange(static_cast<std::size_t>(map_.to[2]), 1, [&](std::size_t begin, std::size_t end) {
        std::vector<double> sums((end - begin) * plane, 0.0);
        forPlanes(begin, end, [&](std::size_t voxel, std::size_t source, double weight) {
            sums[voxel - begin * plane] += weight * static_cast<double>(x[source]);
        });
        std::transform(sums.begin(), sums.end(), y + begin * plane,
                       [](double sum) { return static_cast<float>(sum); });
    });
}

void Warp::transpose(const float* y, float* x, Write write, const ThreadPool& pool,
                     std::vector<float>& room) const {
    const auto planes = static_cast<std::size_t>(map_.to[2]);
    const std::size_t voxels = fromSize_;
    room.resize(std::max(room.size(), kPieces * voxels));
    float* const pieces = room.data();
    pool.forRange(kPieces, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t piece = first; piece < last; ++piece) {
            float* const own = pieces + piece * voxels;
            std::fill_n(own, voxels, 0.0F);
            forPlanes(piece * planes / kPieces, (piece + 1) * planes / kPieces,
                      [&](std::size_t voxel, std::size_t source, double weight) {
                          own[source] += static_cast<float>(weight * static_cast<double>(y[voxel]));
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
