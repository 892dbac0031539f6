// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPainterPath>

#include "recon/metrics/roi.h"
#include "viz/slice_view.h"

namespace tof::ui {

/// An oblique slice: the point of its local coordinates (0, 0), mm, and the unit vectors across and down.
struct CutPlane {
    Vec3 origin;
    Vec3 across;
    Vec3 down;
};

/// What an oblique slice cuts of a region, as closed curves in local coordinates, mm: the points of a grid as
/// fine as its voxels that lie in it.
[[nodiscard]] QPainterPath obliqueRegion(const Roi& roi, const CutPlane& plane);

/// What it cuts of an ROI that is neither region nor sphere: the part of its body there. `figure` is its
/// outline in its own plane with the axes `own`. A flat ROI is as thick as the slice of the lattice that it
/// fills, so that a thin strip shows where the slices meet.
[[nodiscard]] QPainterPath obliqueSection(const Roi& roi, const QPainterPath& figure,
                                          const viz::PlaneAxes& own, const CutPlane& plane,
                                          const Lattice& lattice);

/// Outline of the cells of a grid for which set(column, row) is true, edges in one line joined;
/// corner(column, row) is the upper left one of a cell.
template <typename Set, typename Corner>
[[nodiscard]] QPainterPath cellOutline(int columns, int rows, const Set& isSet, const Corner& corner) {
    QPainterPath path;
    const auto set = [&](int u, int v) { return u >= 0 && v >= 0 && u < columns && v < rows && isSet(u, v); };
    // `differ`: whether there is an edge at a place of a line, which begins at `from`.
    const auto addLines = [&](int lines, int places, const auto& differ, const auto& from) {
        for (int line = 0; line <= lines; ++line) {
            for (int place = 0; place < places; ++place) {
                if (!differ(line, place)) {
                    continue;
                }
                path.moveTo(from(line, place));
                while (place + 1 < places && differ(line, place + 1)) {
                    ++place;
                }
                path.lineTo(from(line, place + 1));
            }
        }
    };
    addLines(
        rows, columns, [&](int v, int u) { return set(u, v) != set(u, v - 1); },
        [&](int v, int u) { return corner(u, v); });
    addLines(
        columns, rows, [&](int u, int v) { return set(u, v) != set(u - 1, v); }, corner);
    return path;
}

}  // namespace tof::ui
