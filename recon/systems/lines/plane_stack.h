// SPDX-License-Identifier: Apache-2.0
// What the planes of a michelogram share: all sinograms have the same transverse lines, so the path of one
// angle and radial bin through the columns of the lattice is followed once and every plane only has to say
// which voxels of a column it crosses. Shared by host and device.
#pragma once

#include <math.h>  // NOLINT: device code needs the global names

#include <cstdint>
#include <optional>
#include <vector>

#include "recon/base/hd.h"
#include "recon/base/lesser.h"
#include "recon/systems/lines/line_operator.h"
#include "recon/systems/lines/line_table.h"

namespace tof {

/// One column on a transverse path. The path parameter is -1/2 at the line's first end and 1/2 at its second.
struct PathStep {
    std::int32_t column;  ///< y * size x + x
    float from;           ///< path parameter where the line enters
    float to;             ///< and where it leaves
    float length;         ///< mm in the transverse plane
};

/// Where a plane's line is along z, in voxels above the lattice's lowest face: at + slope * path parameter.
struct PlaneLine {
    float at;
    float slope;
};

/// Voxel along z that holds a height in voxels.
[[nodiscard]] TOF_HD inline int voxelAt(float height) {
#if defined(__CUDA_ARCH__)
    return __float2int_rd(height);
#else
    return static_cast<int>(floorf(height));
#endif
}

[[nodiscard]] TOF_HD inline int voxelAt(PlaneLine line, float parameter) {
    return voxelAt(fmaf(line.slope, parameter, line.at));
}

/// Transverse length per voxel of height of a line whose ends are `transverse_mm` apart; 0 for a flat line.
[[nodiscard]] TOF_HD inline float lengthPerHeight(PlaneLine line, float transverse_mm) {
    return line.slope == 0.0F ? 0.0F : transverse_mm / line.slope;
}

/// Transverse length from `height` to the face between two neighbouring voxels, at most `left`.
[[nodiscard]] TOF_HD inline float lengthToFace(float height, int voxel, int other, float perHeight,
                                               float left) {
    const float face = static_cast<float>(voxel > other ? voxel : other);
    return lesser(greater((face - height) * perHeight, 0.0F), left);
}

/// The voxels of one column that one plane's line crosses, in order; the lengths sum to the step's.
class ColumnCrossing {
  public:
    /// `perHeight` is lengthPerHeight() of the line.
    TOF_HD ColumnCrossing(PlaneLine line, const PathStep& step, float perHeight)
        : height_(fmaf(line.slope, step.from, line.at)),
          perHeight_(perHeight),
          left_(step.length),
          voxel_(voxelAt(height_)),
          last_(voxelAt(line, step.to)) {}

    [[nodiscard]] TOF_HD int voxel() const { return voxel_; }
    /// Transverse length in voxel().
    [[nodiscard]] TOF_HD float length() const {
        return voxel_ == last_ ? left_ : lengthToFace(height_, voxel_, after(), perHeight_, left_);
    }
    /// Moves to the next voxel; false when there is none.
    TOF_HD bool next() {
        if (voxel_ == last_) {
            return false;
        }
        const int to = after();
        left_ -= length();
        height_ = static_cast<float>(to > voxel_ ? to : voxel_);
        voxel_ = to;
        return true;
    }

  private:
    [[nodiscard]] TOF_HD int after() const { return last_ > voxel_ ? voxel_ + 1 : voxel_ - 1; }

    float height_;
    float perHeight_;
    float left_;
    int voxel_;
    int last_;
};

/// Planes of one slope whose heights differ by even numbers of voxels: on one column they meet voxels of the
/// same parity with the same lengths. Plane i crosses voxel v of its line + 2 i.
struct PlaneFamily {
    PlaneLine line;     ///< line of place 0
    std::int32_t base;  ///< base of place 0 in a padded list of data
    std::int32_t places;
};

/// The planes of a michelogram on a lattice.
class PlaneStack {
  public:
    /// It is nothing when planes cannot share paths (lists, time of flight, several axial rays, Joseph) or it
    /// would not pay: the lattice's planes do not fit the rings, so that hardly two sinograms are alike.
    [[nodiscard]] static std::optional<PlaneStack> of(const LineModel& model, const LineTable& lines);

    /// By sinogram.
    [[nodiscard]] const std::vector<PlaneLine>& planes() const { return planes_; }
    /// z of the second end less that of the first, mm, by sinogram.
    [[nodiscard]] const std::vector<float>& rises() const { return rises_; }
    /// The flattest first.
    [[nodiscard]] const std::vector<PlaneFamily>& families() const { return families_; }
    /// Zeros before, between and after the families of a padded list, at least; and at least half().
    static constexpr int kPadding = 8;
    /// Index of each sinogram in a padded list.
    [[nodiscard]] const std::vector<std::int32_t>& places() const { return places_; }
    [[nodiscard]] std::size_t paddedSize() const { return paddedSize_; }
    /// Voxels of one parity in a column.
    [[nodiscard]] int half() const { return (grid_.size[2] + 1) / 2; }

    /// Appends the columns that a transverse line meets, in order.
    void appendPath(const TransverseLine& line, std::vector<PathStep>& path) const;
    /// Distance of the ends in the transverse plane, mm.
    [[nodiscard]] static float transverseLength(const TransverseLine& line);

  private:
    PlaneStack(const RayGrid& grid, const std::vector<Sinogram>& sinograms);

    RayGrid grid_;
    std::vector<PlaneLine> planes_;
    std::vector<float> rises_;
    std::vector<PlaneFamily> families_;
    std::vector<std::int32_t> places_;
    std::size_t paddedSize_ = 0;
};

/// Length in space per length in the transverse plane of a line that rises by `rise`, both in mm.
[[nodiscard]] TOF_HD inline float relativeLength(float rise, float transverse_mm) {
    const float tangent = rise / transverse_mm;
    return sqrtf(1.0F + tangent * tangent);
}

}  // namespace tof
