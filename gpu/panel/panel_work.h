// SPDX-License-Identifier: Apache-2.0
// What the kernels of the panel system are given, and their index arithmetic: host and device share it.
//
// The image is cut into phases: the voxels with the same y mod D and z mod D, D voxels per crystal, are a
// plane of one value per crystal each. In a phase a shift by a crystal is a shift by one, so that the lines
// of an orientation are a correlation with stride 1, and neighbouring lines read neighbouring values. Phases
// lie [x][phase z][phase y][block z][block y], block y fastest, rows kPanelPad blocks beyond both ends zero.
//
// The kernel of a class is a list of rows: kPanelTaps weights, neighbours along block z, at one place. A
// thread holds kPanelLines neighbouring lines (or voxels) along z, so that each value that it loads serves up
// to four of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "recon/base/hd.h"

namespace tof::device {

inline constexpr int kPanelTaps = 4;   ///< weights of a row
inline constexpr int kPanelLines = 8;  ///< neighbours along z that a thread works on
/// Values that a thread loads for a row.
inline constexpr int kPanelWindow = kPanelLines + kPanelTaps - 1;
/// Rows of blocks beyond both ends of a phase, and of the lines of an orientation, that are zero.
inline constexpr int kPanelPad = kPanelWindow + 1;

/// How an image lies cut into phases. `pitch`: floats from one row of blocks to the next.
struct PanelLayout {
    int planes = 0;  ///< of the image, along x
    int cut = 0;     ///< voxels per crystal, D
    int ny = 0;      ///< crystals along y and z
    int nz = 0;
    int pitch = 0;

    [[nodiscard]] TOF_HD int phases() const { return cut * cut; }
    [[nodiscard]] TOF_HD int rows() const { return nz + 2 * kPanelPad; }
    [[nodiscard]] TOF_HD int size() const { return planes * phases() * rows() * pitch; }
    [[nodiscard]] TOF_HD int index(int x, int phaseY, int phaseZ, int blockY, int blockZ) const {
        return ((x * phases() + phaseZ * cut + phaseY) * rows() + blockZ + kPanelPad) * pitch + blockY;
    }
    /// Index of a voxel in an image [z][y][x].
    [[nodiscard]] TOF_HD int voxel(int x, int y, int z) const { return (z * ny * cut + y) * planes + x; }
    [[nodiscard]] TOF_HD int voxels() const { return planes * ny * cut * nz * cut; }
};

/// One class with one combination of signs: lines that are shifts of each other.
struct PanelOrientation {
    std::int32_t dy = 0;
    std::int32_t dz = 0;
    std::int32_t shiftsY = 0;  ///< 0: there are no such lines
    std::int32_t shiftsZ = 0;
    std::int32_t negativeY = 0;
    std::int32_t negativeZ = 0;
    std::int32_t data = 0;    ///< of the part, where the lines begin: [shift z][shift y]
    std::int32_t padded = 0;  ///< where they begin among padded lines, their first zero row
    std::uint32_t firstRow = 0;
    std::uint32_t lastRow = 0;
    std::uint64_t firstEntry = 0;  ///< of the matrix as it is stored
    std::int32_t entries = 0;
    std::int32_t exchanged = 0;  ///< y and z of those entries are to be exchanged
};

/// Combinations of signs that have places in a list of orientations, there or not: negative y + 2 negative z.
inline constexpr int kPanelSigns = 4;

/// The place of a row: x, phase, and blocks from the shift. Blocks z of its weights: blockZ .. blockZ + 3.
struct PanelRow {
    int x = 0;
    int phaseY = 0;
    int phaseZ = 0;
    int blockY = 0;
    int blockZ = 0;

    static constexpr int kMostPlanes = 1024;
    static constexpr int kMostCut = 8;
    static constexpr int kMostBlocks = 256;

    [[nodiscard]] TOF_HD std::uint32_t packed() const {
        return static_cast<std::uint32_t>(x) << 22U | static_cast<std::uint32_t>(phaseZ) << 19U |
               static_cast<std::uint32_t>(phaseY) << 16U | static_cast<std::uint32_t>(blockY) << 8U |
               static_cast<std::uint32_t>(blockZ);
    }
    [[nodiscard]] static TOF_HD PanelRow of(std::uint32_t packed) {
        return {static_cast<int>(packed >> 22U), static_cast<int>(packed >> 16U & 7U),
                static_cast<int>(packed >> 19U & 7U), static_cast<int>(packed >> 8U & 255U),
                static_cast<int>(packed & 255U)};
    }
    /// Where the row lies for an orientation's signs; with a negative z its weights go the other way round.
    [[nodiscard]] TOF_HD PanelRow mirrored(int cut, const PanelOrientation& o) const {
        PanelRow row = *this;
        if (o.negativeY != 0) {
            row.phaseY = cut - 1 - phaseY;
            row.blockY = o.dy - blockY;
        }
        if (o.negativeZ != 0) {
            row.phaseZ = cut - 1 - phaseZ;
            row.blockZ = o.dz - blockZ - (kPanelTaps - 1);
        }
        return row;
    }
};

/// A row of the table that back projection reads, whose x and phase are those of its list.
struct PanelBackRow {
    int slot = 0;  ///< of the class in the part
    int blockY = 0;
    int blockZ = 0;

    [[nodiscard]] TOF_HD std::uint32_t packed() const {
        return static_cast<std::uint32_t>(slot) << 16U | static_cast<std::uint32_t>(blockY) << 8U |
               static_cast<std::uint32_t>(blockZ);
    }
    [[nodiscard]] static TOF_HD PanelBackRow of(std::uint32_t packed) {
        return {static_cast<int>(packed >> 16U), static_cast<int>(packed >> 8U & 255U),
                static_cast<int>(packed & 255U)};
    }
};

/// The lines of one thread of forward projection: shift y, and kPanelLines shifts along z from shiftZ.
struct PanelLines {
    int shiftY = 0;
    int shiftZ = 0;
};
[[nodiscard]] TOF_HD inline int panelGroups(int along) {
    return (along + kPanelLines - 1) / kPanelLines;
}
/// Thread `t` of those that cover `ny` x `nz` lines or blocks: ny * panelGroups(nz) of them.
[[nodiscard]] TOF_HD inline PanelLines panelLines(int t, int ny) {
    return {t % ny, t / ny * kPanelLines};
}

/// What a row asks of a thread of back projection whose voxels begin at block (y, z): the place, from the
/// orientation's line (0, 0), of the first of kPanelWindow lines along z, or that of zeros, and whether any
/// of them is a line. The line for voxel r and weight k is number r + kPanelTaps - 1 - k.
struct PanelReach {
    int offset = 0;
    bool any = false;
};
[[nodiscard]] TOF_HD inline PanelReach panelReach(int blockY, int blockZ, int rowY, int rowZ, int shiftsY,
                                                  int shiftsZ, int pitch) {
    const int y = blockY - rowY;
    const int z = blockZ - rowZ - (kPanelTaps - 1);
    const bool any = y >= 0 && y < shiftsY && z > -kPanelWindow && z < shiftsZ;
    return {any ? z * pitch + y : shiftsZ * pitch, any};
}
/// Floats that the padded lines of an orientation take.
[[nodiscard]] TOF_HD inline int panelPaddedSize(int shiftsZ, int pitch) {
    return (shiftsZ + 2 * kPanelPad) * pitch;
}

}  // namespace tof::device
