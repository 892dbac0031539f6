// SPDX-License-Identifier: Apache-2.0
#include "recon/settings/image_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recon/base/error.h"
#include "recon/base/options.h"

namespace tof {

namespace {

constexpr int kMostVoxels = 4096;  ///< along one side
constexpr double kSmallest_mm = 0.01;
constexpr double kLargest_mm = 1000;

/// Numbers joined by 'x'; empty when a piece is no number within [low, high].
template <typename Number>
std::vector<Number> split(std::string_view text, Number low, Number high) {
    std::vector<Number> numbers;
    while (true) {
        const std::size_t cross = text.find('x');
        const std::optional<Number> number = numberFrom<Number>(text.substr(0, cross));
        if (!number || *number < low || *number > high) {
            return {};
        }
        numbers.push_back(*number);
        if (cross == std::string_view::npos) {
            return numbers;
        }
        text.remove_prefix(cross + 1);
    }
}

std::vector<int> sizesOf(const std::string& text) {
    std::vector<int> sizes = split(text, 1, kMostVoxels);
    if (sizes.size() != 3) {
        throw WrongUse(
            "setting 'grid' is '{}'; it must be three numbers of voxels (1 to {}) as in 128x128x63", text,
            kMostVoxels);
    }
    return sizes;
}

std::vector<double> edgesOf(const std::string& text) {
    std::vector<double> edges = split(text, kSmallest_mm, kLargest_mm);
    if (edges.size() == 1) {
        edges.resize(3, edges.front());
    }
    if (edges.size() != 3) {
        throw WrongUse(
            "setting 'voxel' is '{}'; it must be one edge in mm, as 4, or three, as 4x4x2 ({:g} to {:g})",
            text, kSmallest_mm, kLargest_mm);
    }
    return edges;
}

}  // namespace

Lattice imageLattice(const std::string& grid, const std::string& voxel, const Lattice& own) {
    if (grid.empty() && voxel.empty()) {
        return own;
    }
    std::array<int, 3> size = own.size;
    std::array<double, 3> edge = own.spacing_mm;
    if (!grid.empty()) {
        const std::vector<int> sizes = sizesOf(grid);
        std::copy_n(sizes.begin(), 3, size.begin());
    }
    if (!voxel.empty()) {
        const std::vector<double> edges = edgesOf(voxel);
        std::copy_n(edges.begin(), 3, edge.begin());
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double field = own.size[k] * own.spacing_mm[k];
        if (voxel.empty()) {
            edge[k] = field / size[k];
        } else if (grid.empty()) {
            constexpr double kRounding = 1e-9;
            size[k] =
                std::clamp(static_cast<int>(std::ceil(field / edge[k] * (1 - kRounding))), 1, kMostVoxels);
        }
    }
    Lattice lattice = Lattice::centred(size, edge);
    const Lattice centredOwn = Lattice::centred(own.size, own.spacing_mm);
    lattice.origin_mm = lattice.origin_mm + (own.origin_mm - centredOwn.origin_mm);
    return lattice;
}

}  // namespace tof
