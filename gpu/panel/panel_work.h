// SPDX-License-Identifier: Apache-2.0
// What the kernels of the panel system are given, and their index arithmetic: host and device share it.
//
// The image is cut into phases: the voxels with the same y mod D and z mod D, D voxels per crystal, are a
// plane of one value per crystal each. In a phase a shift by a crystal is a shift by one, so that the lines
// of an orientation are a correlation with stride 1, and neighbouring lines read neighbouring values.
//
// The kernel of a class is a list of rows: kPanelTaps weights, neighbours along one axis, v, at one place. A
// thread holds kPanelLines neighbouring lines (or voxels) along v, so that each value that it loads serves up
// to kPanelTaps of them; the lanes of a warp lie along the other axis, u. Kernels are long along the greater
// of dy and dz: that axis is their v. So there are two sides: v is z for the classes of side 0, and y for
// those of side 1, each with its own phases of the image, [x][phase v][phase u][block v][block u], block u
// fastest, rows kPanelPad blocks beyond both ends zero.
#pragma once

#include <cstdint>

#include "recon/base/hd.h"

namespace tof::device {

inline constexpr int kPanelTaps = 3;   ///< weights of a row
inline constexpr int kPanelLines = 8;  ///< neighbours along z that a thread works on
/// Values that a thread loads for a row.
inline constexpr int kPanelWindow = kPanelLines + kPanelTaps - 1;
/// Rows of blocks beyond both ends of a phase, and of the lines of an orientation, that are zero.
inline constexpr int kPanelPad = kPanelWindow + 1;

inline constexpr int kPanelSides = 2;
/// Shares of a part that are added up in images of their own: kPanelShares of the model.
inline constexpr int kPanelMostShares = 2;

/// How an image lies cut into the phases of a side. `pitch`: floats from one row of blocks to the next.
struct PanelLayout {
    int planes = 0;  ///< planes of the image, along x
    int cut = 0;     ///< voxels per crystal, D
    int nu = 0;      ///< crystals along u and v
    int nv = 0;
    int pitch = 0;
    int swapped = 0;  ///< the side: u is z and v is y

    /// The layout of side `side`, from that of side 0.
    [[nodiscard]] TOF_HD PanelLayout of(int side) const {
        return {planes, cut, side != 0 ? nv : nu, side != 0 ? nu : nv, pitch, side};
    }
    [[nodiscard]] TOF_HD int phases() const { return cut * cut; }
    [[nodiscard]] TOF_HD int lists() const { return planes * phases(); }
    [[nodiscard]] TOF_HD int rows() const { return nv + 2 * kPanelPad; }
    [[nodiscard]] TOF_HD int size() const { return lists() * rows() * pitch; }
    /// Number of a phase in a plane.
    [[nodiscard]] TOF_HD int list(int x, int phaseU, int phaseV) const {
        return (x * cut + phaseV) * cut + phaseU;
    }
    [[nodiscard]] TOF_HD int index(int x, int phaseU, int phaseV, int blockU, int blockV) const {
        return (list(x, phaseU, phaseV) * rows() + blockV + kPanelPad) * pitch + blockU;
    }
    /// Index of a voxel in an image [z][y][x].
    [[nodiscard]] TOF_HD int voxel(int x, int u, int v) const {
        return (swapped != 0 ? u * nv * cut + v : v * nu * cut + u) * planes + x;
    }
    [[nodiscard]] TOF_HD int voxels() const { return planes * nu * cut * nv * cut; }
};

/// One class with one combination of signs: lines that are shifts of each other.
struct PanelOrientation {
    std::int32_t du = 0;
    std::int32_t dv = 0;
    std::int32_t shiftsU = 0;  ///< 0: there are no such lines
    std::int32_t shiftsV = 0;
    std::int32_t negativeU = 0;
    std::int32_t negativeV = 0;
    std::int32_t swapped = 0;  ///< the side
    std::int32_t data = 0;     ///< where the lines of the part begin: [shift z][shift y]
    std::int32_t padded = 0;   ///< where they begin among padded lines, their first zero row
    std::uint32_t firstRow = 0;
    std::uint32_t lastRow = 0;
    std::int32_t entries = 0;
    std::uint64_t firstEntry = 0;  ///< where it begins in the matrix as it is stored
    std::int32_t exchanged = 0;    ///< y and z of those entries are to be exchanged

    [[nodiscard]] TOF_HD int datum(int shiftU, int shiftV) const {
        return data + (swapped != 0 ? shiftU * shiftsV + shiftV : shiftV * shiftsU + shiftU);
    }
};

/// Combinations of signs that have places in a list of orientations, there or not: negative u + 2 negative v.
inline constexpr int kPanelSigns = 4;

/// The place of a row: x, phase, and blocks from the shift. Blocks v of its weights: blockV and on.
struct PanelRow {
    int x = 0;
    int phaseU = 0;
    int phaseV = 0;
    int blockU = 0;
    int blockV = 0;

    static constexpr int kMostPlanes = 1024;
    static constexpr int kMostCut = 8;
    static constexpr int kMostBlocks = 256;

    [[nodiscard]] TOF_HD std::uint32_t packed() const {
        return static_cast<std::uint32_t>(x) << 22U | static_cast<std::uint32_t>(phaseV) << 19U |
               static_cast<std::uint32_t>(phaseU) << 16U | static_cast<std::uint32_t>(blockU) << 8U |
               static_cast<std::uint32_t>(blockV);
    }
    [[nodiscard]] static TOF_HD PanelRow of(std::uint32_t packed) {
        return {static_cast<int>(packed >> 22U), static_cast<int>(packed >> 16U & 7U),
                static_cast<int>(packed >> 19U & 7U), static_cast<int>(packed >> 8U & 255U),
                static_cast<int>(packed & 255U)};
    }
    /// Where the row lies for an orientation's signs; with a negative v its weights go the other way round.
    [[nodiscard]] TOF_HD PanelRow mirrored(int cut, const PanelOrientation& o) const {
        PanelRow row = *this;
        if (o.negativeU != 0) {
            row.phaseU = cut - 1 - phaseU;
            row.blockU = o.du - blockU;
        }
        if (o.negativeV != 0) {
            row.phaseV = cut - 1 - phaseV;
            row.blockV = o.dv - blockV - (kPanelTaps - 1);
        }
        return row;
    }
};

/// A row of the table that back projection reads, whose x and phase are those of its list.
struct PanelBackRow {
    int slot = 0;  ///< place of the class in the part
    int blockU = 0;
    int blockV = 0;

    [[nodiscard]] TOF_HD std::uint32_t packed() const {
        return static_cast<std::uint32_t>(slot) << 16U | static_cast<std::uint32_t>(blockU) << 8U |
               static_cast<std::uint32_t>(blockV);
    }
    [[nodiscard]] static TOF_HD PanelBackRow of(std::uint32_t packed) {
        return {static_cast<int>(packed >> 16U), static_cast<int>(packed >> 8U & 255U),
                static_cast<int>(packed & 255U)};
    }
};

/// The lines of one thread of forward projection: shift u, and kPanelLines shifts along v from shiftV.
struct PanelLines {
    int shiftU = 0;
    int shiftV = 0;
};
[[nodiscard]] TOF_HD inline int panelGroups(int along) {
    return (along + kPanelLines - 1) / kPanelLines;
}
/// Thread `t` of those that cover `nu` x `nv` lines or blocks: nu * panelGroups(nv) of them.
[[nodiscard]] TOF_HD inline PanelLines panelLines(int t, int nu) {
    return {t % nu, t / nu * kPanelLines};
}

/// What a row asks of a thread of back projection whose voxels begin at block (u, v): the place, from the
/// orientation's line (0, 0), of the first of kPanelWindow lines along v, or that of zeros, and whether any
/// of them is a line. The line for voxel r and weight k is number r + kPanelTaps - 1 - k.
struct PanelReach {
    int offset = 0;
    bool any = false;
};
[[nodiscard]] TOF_HD inline PanelReach panelReach(int blockU, int blockV, int rowU, int rowV, int shiftsU,
                                                  int shiftsV, int pitch) {
    const int u = blockU - rowU;
    const int v = blockV - rowV - (kPanelTaps - 1);
    const bool any = u >= 0 && u < shiftsU && v > -kPanelWindow && v < shiftsV;
    return {any ? v * pitch + u : shiftsV * pitch, any};
}
/// Floats that the padded lines of an orientation take.
[[nodiscard]] TOF_HD inline int panelPaddedSize(int shiftsV, int pitch) {
    return (shiftsV + 2 * kPanelPad) * pitch;
}

}  // namespace tof::device
