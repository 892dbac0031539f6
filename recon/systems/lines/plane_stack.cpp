// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/plane_stack.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace tof {

namespace {

constexpr double kSameCells = 1e-5;  // heights this near, in voxels, are alike
constexpr double kOutside = -4.5;    // height of a flat line that misses the lattice

/// PlaneLine in double.
struct Height {
    double at;
    double slope;
};

long long rounded(double value) {
    return std::llround(value / kSameCells);
}

/// What planes of one family have in common: slope, and height modulo two voxels; the flattest first.
std::tuple<long long, long long, long long> kindOf(const Height& height) {
    const double at = height.at - 2 * std::floor(height.at / 2 + kSameCells);
    return {rounded(std::abs(height.slope)), rounded(height.slope), rounded(at)};
}

/// The line of a sinogram, with ties settled.
Height heightOf(const Sinogram& sinogram, const RayGrid& grid) {
    const double rise = (sinogram.z2_mm - sinogram.z1_mm) / grid.spacing[2];
    const double at = (0.5 * (sinogram.z1_mm + sinogram.z2_mm) - grid.lower[2]) / grid.spacing[2];
    if (std::abs(rise) >= kTieCells) {
        return {at, rise};
    }
    const double cells = settledCells(at);
    const bool hit = cells >= 0 && cells <= grid.size[2];
    return {hit ? firstVoxel(cells, 0.0, grid.size[2]) + 0.5 : kOutside, 0.0};
}

}  // namespace

std::optional<PlaneStack> PlaneStack::of(const LineModel& model, const LineTable& lines) {
    const Michelogram* const m = lines.michelogram();
    if (m == nullptr || lines.tof().count > 0 || lines.rays() > lines.radialRays() ||
        model.method != RayMethod::Siddon) {
        return std::nullopt;
    }
    PlaneStack stack(rayGrid(model.lattice, model.fovRadius_mm), m->sinograms());
    if (stack.planes_.size() < 2 * stack.families_.size()) {
        return std::nullopt;
    }
    return stack;
}

PlaneStack::PlaneStack(const RayGrid& grid, const std::vector<Sinogram>& sinograms)
    : grid_(grid), planes_(sinograms.size()), places_(sinograms.size()) {
    std::vector<Height> heights;
    for (const Sinogram& sinogram : sinograms) {
        heights.push_back(heightOf(sinogram, grid));
        const Height& height = heights.back();
        rises_.push_back(static_cast<float>(height.slope * grid.spacing[2]));
    }
    std::vector<std::size_t> order(heights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(kindOf(heights[a]), heights[a].at) < std::tuple(kindOf(heights[b]), heights[b].at);
    });
    std::vector<std::vector<std::size_t>> members;  // members of each family
    std::vector<Height> firsts;
    for (const std::size_t s : order) {
        const auto placeIn = [&](std::size_t f) {
            return static_cast<int>(std::lround((heights[s].at - firsts[f].at) / 2));
        };
        // The newest family of this kind with room; planes may coincide, and then they need two.
        std::size_t f = families_.size();
        while (f > 0 && kindOf(firsts[f - 1]) == kindOf(heights[s]) &&
               placeIn(f - 1) < families_[f - 1].places) {
            --f;
        }
        if (f == 0 || kindOf(firsts[f - 1]) != kindOf(heights[s])) {
            f = families_.size() + 1;
            firsts.push_back(heights[s]);
            members.emplace_back();
            families_.push_back(
                {{static_cast<float>(heights[s].at), static_cast<float>(heights[s].slope)}, 0, 0});
        }
        places_[s] = placeIn(f - 1);
        families_[f - 1].places = places_[s] + 1;
        members[f - 1].push_back(s);
    }
    const int padding = std::max(half(), kPadding);
    int next = padding;
    for (std::size_t f = 0; f < families_.size(); ++f) {
        PlaneFamily& family = families_[f];
        family.base = next;
        next += family.places + padding;
        for (const std::size_t s : members[f]) {
            planes_[s] = {family.line.at + static_cast<float>(2 * places_[s]), family.line.slope};
            places_[s] += family.base;
        }
    }
    paddedSize_ = static_cast<std::size_t>(next);
}

void PlaneStack::appendPath(const TransverseLine& line, std::vector<PathStep>& path) const {
    RayGrid flat = grid_;
    flat.size[2] = 1;
    flat.lower[2] = -0.5 * flat.spacing[2];
    flat.stride[2] = 0;
    const Ray ray = makeRay(flat, Vec3{line.x1, line.y1, 0}, Vec3{line.x2, line.y2, 0});
    const double perLength = 0.5 / ray.half;
    followSiddon(flat, ray, -ray.half, ray.half, [&](int column, double a0, double a1) {
        path.push_back({column, static_cast<float>(a0 * perLength), static_cast<float>(a1 * perLength),
                        static_cast<float>(a1 - a0)});
    });
}

float PlaneStack::transverseLength(const TransverseLine& line) {
    return static_cast<float>(std::hypot(line.x2 - line.x1, line.y2 - line.y1));
}

}  // namespace tof
