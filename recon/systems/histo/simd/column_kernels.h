// SPDX-License-Identifier: Apache-2.0
// The inner loops of the cpu projector, compiled once per instruction set. Plain structs and pointers only:
// see column_kernels.cpp for why.
//
// Volumes are stored as columns: z is contiguous, padded to whole vectors and followed by zeros, and columns
// lie in rows of x with empty columns all round, so that nothing has to be clipped. A *group* is a few output
// columns along a digital line close to the TOF axis; all groups of a view have the same shape, and the
// columns they gather from are one list of *entries* relative to the group. A source column is loaded once
// for all outputs of the group that use it, and the sums stay in registers.
#pragma once

#include <cstdint>

namespace tof {

/// Largest number of output columns of a group.
inline constexpr int kMaxGroup = 8;
/// Ranges of outputs that an entry can feed: all; the first n; the last n.
inline constexpr int kMaxRuns = 2 * kMaxGroup - 1;

/// One source of a group.
struct ColumnEntry {
    std::int32_t
        offset;  ///< floats from the group's first column to the first float read (z shift, plane included)
    std::int32_t column;  ///< columns from the group's first column
};

/// Where the weights of an entry come from.
enum class Weights {
    Fixed,     ///< from the stream itself: one kernel for every column
    OfTarget,  ///< from the table row of each output column (back projection)
    OfSource   ///< from the table row of the source column (forward projection)
};

/// Entries in the order of runs: all outputs [0, P), then [0, P-1) .. [0, 1), then [1, P) .. [P-1, P).
struct ColumnJob {
    const float* source;
    float* target;
    std::int64_t columnStride;  ///< floats from one column to the next
    int vectors;                ///< vectors per column
    Weights weights;
    const ColumnEntry* entries;
    const float* fixed;                    ///< weights, as many per entry as its run has outputs
    const std::int32_t* positions;         ///< or positions in a table row, likewise
    const float* values;                   ///< table rows
    const std::int32_t* rowStarts;         ///< position of the row of each column of the padded grid
    const std::uint8_t* filled;            ///< by column: 0 where all of it is zero; null: all are read
    std::int64_t groupColumns[kMaxGroup];  ///< columns from the group's first output to each output
    std::int64_t aheadColumns[kMaxGroup];  ///< and to sources that the next group along the line reads first
    int planes;                            ///< planes of sources
    std::int64_t planeFloats;              ///< floats from one plane to the next
    std::int32_t runEnds[kMaxRuns];        ///< entries before the end of each run
};

/// A stretch of groups: first outputs at columns first, first + step, ...
struct GroupRange {
    std::int64_t first;
    std::int64_t step;
    std::int64_t count;
    float* kept;  ///< room for as many weights as a group has positions; its own
};

/// A row of columns against nz rows of x.
struct RowCopy {
    int nx;
    int nz;
    std::int64_t planeStride;   ///< floats from z to z + 1 in the volume
    std::int64_t columnStride;  ///< floats from one column to the next
};

/// Column z-filters V_h[z] = sum over |d| <= h of gains[d] V_0[z + d]; plane h lies h planeFloats after plane
/// 0.
struct RowFilter {
    int planes;          ///< 1 + largest h
    const float* gains;  ///< planes of them, gains[0] = 1
    std::int64_t planeFloats;
    int vectors;  ///< per column
};

/// markFilled writes 1 for each column of a row that holds a value other than 0 (one that is not a number,
/// too) and 0 for the others, and counts the former. The scatterRows multiply by `factors`, a row of the
/// volume's shape, unless that is null.
#define TOF_DECLARE_COLUMN_KERNELS(isa)                                                                     \
    namespace isa {                                                                                         \
    extern const int kLanes;                                                                                \
    extern const int kGroup;                                                                                \
    void projectGroups(const ColumnJob& job, const GroupRange& range);                                      \
    void gatherRow(const RowCopy& shape, const float* volume, float* columns);                              \
    void filterRow(const RowCopy& shape, const RowFilter& filter, float* columns);                          \
    int markFilled(const RowCopy& shape, const float* columns, std::uint8_t* filled);                       \
    void scatterRow(const RowCopy& shape, const float* columns, const float* factors, float* volume);       \
    void scatterRowAdding(const RowCopy& shape, const float* columns, const float* factors, float* volume); \
    }
TOF_DECLARE_COLUMN_KERNELS(baseline)
TOF_DECLARE_COLUMN_KERNELS(avx2)
TOF_DECLARE_COLUMN_KERNELS(avx512)
#undef TOF_DECLARE_COLUMN_KERNELS

}  // namespace tof
