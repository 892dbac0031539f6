// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "recon/base/vec3.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Finds crystals by places. Immutable, so any number of threads may ask.
class CrystalFinder {
  public:
    /// How far from a crystal a place may lie.
    static constexpr double kReach_mm = 20;

    struct Found {
        std::uint32_t crystal = 0;
        double outside_mm = std::numeric_limits<double>::infinity();  ///< 0: inside of it
    };

    /// Crystals are boxes of `scanner.crystalSize_mm`; lines along their depth where nobody knows their
    /// faces.
    explicit CrystalFinder(const Scanner& scanner);

    /// The crystal that holds `point` (mm), else the nearest one. Infinitely far where none lies within
    /// kReach_mm.
    [[nodiscard]] Found find(Vec3 point) const;

  private:
    struct Box {
        std::array<Vec3, 3> axes;  ///< transaxial, axial, depth
        Vec3 centre;
    };
    /// Cells with the numbers of the boxes that come within `reach` of them.
    struct Grid {
        double reach = 0;
        double perCell = 1;  ///< cells in a mm
        Vec3 low;
        std::array<std::ptrdiff_t, 3> size{};
        struct Cell {
            std::uint32_t first = 0;    ///< where its boxes begin in `boxes`
            std::uint32_t nearest = 0;  ///< the box that mostly is the answer
        };
        std::vector<Cell> cells;  ///< and one behind the last
        std::vector<std::uint32_t> boxes;
    };
    struct Bounds {
        Vec3 low;
        Vec3 high;
    };
    [[nodiscard]] Bounds boundsOf(const Box& box, double reach) const;
    template <typename Visit>
    void forCells(const Grid& grid, const Visit& visit) const;
    [[nodiscard]] Grid makeGrid(double reach, double cell) const;
    [[nodiscard]] Found nearest(const Grid& grid, Vec3 point) const;
    [[nodiscard]] double outside(const Box& box, Vec3 point) const;

    std::array<double, 3> half_{};
    std::vector<Box> boxes_;
    Grid near_;
    Grid far_;
};

}  // namespace tof
