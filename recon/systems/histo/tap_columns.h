// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "recon/kernel/kernel_tables.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/histo/simd/column_kernels.h"

namespace tof {

/// How volumes are laid out as columns; the same for every view of a projector, so that the empty columns
/// round the lattice stay empty. Counts of floats unless said otherwise.
struct ColumnLayout {
    std::array<int, 3> size{};    ///< size of the lattice, voxels
    std::array<int, 2> margin{};  ///< empty columns before and after the lattice along x and y
    int vectors = 0;              ///< vectors per column
    std::int64_t columnStride = 0;
    std::int64_t rowStride = 0;  ///< columns from y to y + 1
    std::int64_t columns = 0;    ///< columns of the padded grid
    std::int64_t planeFloats =
        0;           ///< the size of one plane set: columns * columnStride and slack for reading past the end
    int planes = 1;  ///< z-filtered copies V_0 .. V_(planes-1) that untilted views read

    /// Column of a voxel; x and y may lie in the margin.
    [[nodiscard]] std::int64_t column(int x, int y) const {
        return (y + margin[1]) * rowStride + x + margin[0];
    }
};

/// What a view needs of the layout, gathered over all views before the layout is made.
struct ColumnReach {
    std::array<int, 3> offset{};  ///< largest |tap| along x, y, z that can connect two voxels of the lattice
    int planes = 1;
};

/// Makes the layout that serves `reach` with groups of `group` columns and vectors of `lanes` floats.
[[nodiscard]] ColumnLayout makeLayout(const std::array<int, 3>& size, const ColumnReach& reach, int group,
                                      int lanes);

/// A tap in the form that columns use. Untilted views factorise exactly: the support is cut at a height h
/// that depends on (x, y) alone and the axial Gaussian does not depend on (x, y), so a tap stands for the
/// whole run -h .. h, read from the z-filtered plane h. Tilted views use plane 0 and one tap per z.
struct ColumnTap {
    int x = 0;
    int y = 0;
    int z = 0;
    int plane = 0;
    std::int32_t slot = 0;  ///< position in a table row
};

/// Taps of one view in that form, and what its value rows are made of.
struct ColumnTable {
    std::vector<ColumnTap> taps;
    int rowLength = 0;  ///< taps + 1; the last position of every row holds zero
    int rows = 0;       ///< one only for an invariant kernel
    std::vector<std::int32_t> ids;
    ColumnReach reach;
    std::shared_ptr<const KernelOutline> outline;
    std::vector<std::size_t> kept;  ///< by tap its number in the outline

    [[nodiscard]] std::size_t values() const {
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(rowLength);
    }
    /// Writes rows [begin, end), begin first. Throws BadInput for a row that is zero at every tap.
    void fillRows(int begin, int end, float* out) const;
};

/// Finds a view's taps; those that cannot connect two voxels of the lattice are left out. Throws BadInput for
/// an invalid kernel, and where its rows would hold more than 2^28 values.
[[nodiscard]] ColumnTable makeColumnTable(const DirectModel& model, const View& view);

/// Entries and weights of one direction of one view.
struct ColumnStream {
    std::vector<ColumnEntry> entries;
    std::vector<std::int32_t> positions;  ///< empty when fixed
    std::vector<float> fixed;             ///< empty when variant
    std::array<std::int32_t, kMaxRuns> runEnds{};
    int farthest = 0;  ///< its farthest source from the group's first output along the line, in outputs
    [[nodiscard]] std::size_t weights() const { return positions.size() + fixed.size(); }
};

/// The shape of a view's groups: P output columns along the digital line nearest to the TOF axis.
struct GroupShape {
    bool alongX = true;                 ///< P steps in x, else in y
    std::array<int, kMaxGroup> side{};  ///< shift of each output along the other axis
    int group = 0;                      ///< P
    double slope = 0;                   ///< slope of the line

    [[nodiscard]] std::array<int, 2> offset(int p) const {
        const int s = side[static_cast<std::size_t>(p)];
        return alongX ? std::array<int, 2>{p, s} : std::array<int, 2>{s, p};
    }
    /// Where the line is further on.
    [[nodiscard]] std::array<int, 2> offsetAhead(int steps) const {
        const auto s = static_cast<int>(std::lround(slope * steps));
        return alongX ? std::array<int, 2>{steps, s} : std::array<int, 2>{s, steps};
    }
};
[[nodiscard]] GroupShape makeGroupShape(const View& view, int group);

enum class Direction { Forward, Back };
enum class StreamWeights {
    Fixed,    ///< one row of values holds for every source
    OfSource  ///< each source looks up its own
};

/// The stream of one direction: back gathers taps +m, forward gathers -m. Fixed weights are the values of
/// the first row.
[[nodiscard]] ColumnStream makeStream(const ColumnTable& table, const ColumnLayout& layout,
                                      const GroupShape& shape, Direction direction, StreamWeights weights);

}  // namespace tof
