// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set (TOF_ISA, TOF_VECTOR_BYTES). Everything without external linkage except
// the five functions: an inline function shared with other files (any of the standard library's) could be
// linked in this file's version and fault on processors without these instructions.
#include "recon/systems/histo/simd/column_kernels.h"

#if !defined(TOF_ISA)  // checked by itself, outside the build
#define TOF_ISA baseline
#define TOF_VECTOR_BYTES 16
#endif

namespace tof::TOF_ISA {

const int kLanes = TOF_VECTOR_BYTES / 4;
// Sums and sources must fit the registers: 8 x 3 of 32 with AVX-512, 4 x 3 or 4 x 2 of 16 otherwise.
const int kGroup = TOF_VECTOR_BYTES == 64 ? 8 : 4;

namespace {

constexpr int kWidth = TOF_VECTOR_BYTES / 4;
constexpr int P = TOF_VECTOR_BYTES == 64 ? 8 : 4;
constexpr int kLineBytes = 64;
constexpr int kMaxDepth = TOF_VECTOR_BYTES >= 32 ? 3 : 2;

using Vector = float __attribute__((vector_size(TOF_VECTOR_BYTES)));
using Loose = float __attribute__((vector_size(TOF_VECTOR_BYTES), aligned(4), may_alias));
using Aligned = float __attribute__((vector_size(TOF_VECTOR_BYTES), may_alias));

#define TOF_INLINE inline __attribute__((always_inline))
/// The compiler takes a pointer as it is: it would add its parts anew for every weight.
#define TOF_KEEP(pointer) __asm__("" : "+r"(pointer))

TOF_INLINE Vector load(const float* p) {
    return *reinterpret_cast<const Loose*>(p);
}
TOF_INLINE void storeAligned(float* p, Vector v) {
    *reinterpret_cast<Aligned*>(p) = v;
}

/// Whether sources that are zero throughout are left out.
enum class Empty { Read, Skipped };

/// Whether weights that are looked up are kept for vectors of the same group that follow: these find them one
/// after the other and load once for each instead of twice.
enum class Looked { Up, UpAndKept };

/// What the entries of one group need: where it lies and the rows of its outputs.
struct Group {
    const float* source;
    const std::uint8_t* filled;     // at the group's first column
    const std::int32_t* rowStarts;  // at the group's first column
    const float* rows[P];
    const float* fixed;
    float* kept;
};

template <int Depth>
struct Sums {
    Vector v[P][Depth];
};

/// Entries [begin, end) onto outputs [First, Last).
template <Weights Kind, Looked How, Empty Zeros, int First, int Last, int Depth>
TOF_INLINE void accumulate(const ColumnJob& job, const Group& group, int begin, int end, std::int64_t& stream,
                           Sums<Depth>& sums) {
    constexpr int kOutputs = Last - First;
    const ColumnEntry* const entries = job.entries;
    const float* const fixed = group.fixed;
    const std::int32_t* const positions = job.positions;
    const float* const values = job.values;
    std::int64_t at = stream;
    for (int e = begin; e < end; ++e, at += kOutputs) {
        if constexpr (Zeros == Empty::Skipped) {
            if (group.filled[entries[e].column] == 0) {
                continue;
            }
        }
        const float* const source = group.source + entries[e].offset;
        Vector in[Depth];
#pragma GCC unroll 3
        for (int d = 0; d < Depth; ++d) {
            in[d] = load(source + d * kWidth);
        }
        const float* row = nullptr;
        if constexpr (Kind == Weights::OfSource) {
            row = values + group.rowStarts[entries[e].column];
            TOF_KEEP(row);
        }
#pragma GCC unroll 8
        for (int p = First; p < Last; ++p) {
            float weight = 0;
            if constexpr (Kind == Weights::Fixed) {
                weight = fixed[at + p - First];
            } else if constexpr (Kind == Weights::OfSource) {
                weight = row[positions[at + p - First]];
            } else {
                weight = group.rows[p][positions[at + p - First]];
            }
            if constexpr (How == Looked::UpAndKept) {
                group.kept[at + p - First] = weight;
            }
#pragma GCC unroll 3
            for (int d = 0; d < Depth; ++d) {
                sums.v[p][d] += weight * in[d];
            }
        }
    }
    stream = at;
}

/// Runs [0, P-1) .. [0, 1), numbered from 1.
template <Weights Kind, Looked How, Empty Zeros, int Depth, int Last>
TOF_INLINE void accumulateHeads(const ColumnJob& job, const Group& group, std::int64_t& stream,
                                Sums<Depth>& sums) {
    if constexpr (Last > 0) {
        constexpr int kRun = P - Last;
        accumulate<Kind, How, Zeros, 0, Last, Depth>(job, group, job.runEnds[kRun - 1], job.runEnds[kRun],
                                                     stream, sums);
        accumulateHeads<Kind, How, Zeros, Depth, Last - 1>(job, group, stream, sums);
    }
}

/// Runs [1, P) .. [P-1, P).
template <Weights Kind, Looked How, Empty Zeros, int Depth, int First>
TOF_INLINE void accumulateTails(const ColumnJob& job, const Group& group, std::int64_t& stream,
                                Sums<Depth>& sums) {
    if constexpr (First < P) {
        constexpr int kRun = P - 1 + First;
        accumulate<Kind, How, Zeros, First, P, Depth>(job, group, job.runEnds[kRun - 1], job.runEnds[kRun],
                                                      stream, sums);
        accumulateTails<Kind, How, Zeros, Depth, First + 1>(job, group, stream, sums);
    }
}

template <Weights Kind, Looked How, Empty Zeros, int Depth>
TOF_INLINE void projectDepth(const ColumnJob& job, const Group& group, float* target) {
    Sums<Depth> sums = {};
    std::int64_t stream = 0;
    accumulate<Kind, How, Zeros, 0, P, Depth>(job, group, 0, job.runEnds[0], stream, sums);
    accumulateHeads<Kind, How, Zeros, Depth, P - 1>(job, group, stream, sums);
    accumulateTails<Kind, How, Zeros, Depth, 1>(job, group, stream, sums);
#pragma GCC unroll 8
    for (int p = 0; p < P; ++p) {
#pragma GCC unroll 3
        for (int d = 0; d < Depth; ++d) {
            storeAligned(target + job.groupColumns[p] * job.columnStride + d * kWidth, sums.v[p][d]);
        }
    }
}

/// Asks for what the next group along the line reads first: it lies where no prefetcher of a processor looks,
/// and comes from memory or a cache that other cores use.
TOF_INLINE void fetchAhead(const ColumnJob& job, const float* source) {
    const int bytes = job.vectors * TOF_VECTOR_BYTES;
    for (int plane = 0; plane < job.planes; ++plane) {
        for (int p = 0; p < P; ++p) {
            const auto* const from = reinterpret_cast<const char*>(
                source + job.aheadColumns[p] * job.columnStride + plane * job.planeFloats);
            for (int at = 0; at < bytes; at += kLineBytes) {
                __builtin_prefetch(from + at);
            }
        }
    }
}

template <Weights Kind, Empty Zeros>
TOF_INLINE Group groupAt(const ColumnJob& job, std::int64_t column) {
    Group group{};
    group.source = job.source + column * job.columnStride;
    group.fixed = job.fixed;
    if constexpr (Zeros == Empty::Skipped) {
        group.filled = job.filled + column;
    }
    if constexpr (Kind != Weights::Fixed) {
        group.rowStarts = job.rowStarts + column;
        for (int p = 0; p < P; ++p) {
            group.rows[p] = job.values + group.rowStarts[job.groupColumns[p]];
        }
    }
    return group;
}

/// The vectors of a group from `source` and `target` on, `left` of them.
template <Weights Kind, Empty Zeros>
TOF_INLINE void projectLeft(const ColumnJob& job, Group& group, float* target, int left) {
    for (; left >= kMaxDepth; left -= kMaxDepth) {
        projectDepth<Kind, Looked::Up, Zeros, kMaxDepth>(job, group, target);
        group.source += kMaxDepth * kWidth;
        target += kMaxDepth * kWidth;
    }
    if (kMaxDepth > 2 && left == 2) {
        projectDepth<Kind, Looked::Up, Zeros, 2>(job, group, target);
    } else if (left == 1) {
        projectDepth<Kind, Looked::Up, Zeros, 1>(job, group, target);
    }
}

/// `vectors` of every group, from vector `from` on.
template <Weights Kind, Empty Zeros>
TOF_INLINE void projectPass(const ColumnJob& job, const GroupRange& range, int from, int vectors) {
    for (std::int64_t g = 0; g < range.count; ++g) {
        const std::int64_t column = range.first + g * range.step;
        Group group = groupAt<Kind, Zeros>(job, column);
        if (from == 0) {
            fetchAhead(job, group.source);
        }
        group.source += from * kWidth;
        projectLeft<Kind, Zeros>(job, group, job.target + column * job.columnStride + from * kWidth, vectors);
    }
}

/// All vectors of one group after the other, with the weights that the first of them look up.
template <Weights Kind, Empty Zeros>
TOF_INLINE void projectKeeping(const ColumnJob& job, const GroupRange& range) {
    for (std::int64_t g = 0; g < range.count; ++g) {
        const std::int64_t column = range.first + g * range.step;
        Group group = groupAt<Kind, Zeros>(job, column);
        float* const target = job.target + column * job.columnStride;
        fetchAhead(job, group.source);
        group.kept = range.kept;
        projectDepth<Kind, Looked::UpAndKept, Zeros, kMaxDepth>(job, group, target);
        group.fixed = range.kept;
        group.source += kMaxDepth * kWidth;
        projectLeft<Weights::Fixed, Zeros>(job, group, target + kMaxDepth * kWidth, job.vectors - kMaxDepth);
    }
}

/// The sources of neighbouring groups are nearly the same. Half of them stays in the first level cache from
/// one group to the next, so columns of two passes are gone through in two; of tall ones, whose sources fill
/// the second level cache, one group is finished before the next.
template <Weights Kind, Empty Zeros>
void projectEach(const ColumnJob& job, const GroupRange& range) {
    const bool tall = job.vectors > 2 * kMaxDepth;
    if constexpr (Kind != Weights::Fixed) {
        if (tall) {
            projectKeeping<Kind, Zeros>(job, range);
            return;
        }
    }
    const int first = tall || job.vectors < kMaxDepth ? job.vectors : kMaxDepth;
    projectPass<Kind, Zeros>(job, range, 0, first);
    if (job.vectors > first) {
        projectPass<Kind, Zeros>(job, range, first, job.vectors - first);
    }
}

template <Weights Kind>
void project(const ColumnJob& job, const GroupRange& range) {
    if (job.filled != nullptr) {
        projectEach<Kind, Empty::Skipped>(job, range);
    } else {
        projectEach<Kind, Empty::Read>(job, range);
    }
}

using Four = float __attribute__((vector_size(16)));
using LooseFour = float __attribute__((vector_size(16), aligned(4), may_alias));

TOF_INLINE Four loadFour(const float* p) {
    return *reinterpret_cast<const LooseFour*>(p);
}
TOF_INLINE void storeFour(float* p, Four v) {
    *reinterpret_cast<LooseFour*>(p) = v;
}

/// Rows to columns of a 4 x 4 tile.
TOF_INLINE void transposeFour(Four* r) {
    const Four a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
    const Four b = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
    const Four c = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    const Four d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/// Calls tile(x, z) for whole 4 x 4 tiles and single(x, z) for what is left. A line of 16 x of every z is
/// used up before the next, while it is in the cache.
/// Rows of x lie a plane apart, where no prefetcher looks: those of a later z are asked for.
template <typename Tile, typename Single>
TOF_INLINE void forTiles(const RowCopy& shape, const float* volume, const Tile& tile, const Single& single) {
    constexpr int kAhead = 40;  // a multiple of a tile
    const int wholeX = shape.nx / 4 * 4;
    const int wholeZ = shape.nz / 4 * 4;
    for (int line = 0; line < wholeX; line += 16) {
        const int end = line + 16 < wholeX ? line + 16 : wholeX;
        for (int z = 0; z < wholeZ; z += 4) {
            const int later = (z + kAhead) % wholeZ;
            const float* const rows = volume + later * shape.planeStride + (later > z ? line : end);
            for (int k = 0; k < 4; ++k) {
                __builtin_prefetch(rows + k * shape.planeStride);
            }
            for (int x = line; x < end; x += 4) {
                tile(x, z);
            }
        }
    }
    for (int z = 0; z < shape.nz; ++z) {
        for (int x = z < wholeZ ? wholeX : 0; x < shape.nx; ++x) {
            single(x, z);
        }
    }
}

template <bool Adding, bool Weighted>
TOF_INLINE void scatter(const RowCopy& shape, const float* columns, const float* factors, float* volume) {
    forTiles(
        shape, volume,
        [&](int x, int z) {
            Four r[4];
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) {
                r[k] = loadFour(columns + (x + k) * shape.columnStride + z);
            }
            transposeFour(r);
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) {
                const std::int64_t at = (z + k) * shape.planeStride + x;
                const Four value = Weighted ? loadFour(factors + at) * r[k] : r[k];
                storeFour(volume + at, Adding ? loadFour(volume + at) + value : value);
            }
        },
        [&](int x, int z) {
            const std::int64_t at = z * shape.planeStride + x;
            const float value = (Weighted ? factors[at] : 1.0F) * columns[x * shape.columnStride + z];
            volume[at] = (Adding ? volume[at] : 0.0F) + value;
        });
}

}  // namespace

void projectGroups(const ColumnJob& job, const GroupRange& range) {
    if (job.weights == Weights::Fixed) {
        project<Weights::Fixed>(job, range);
    } else if (job.weights == Weights::OfTarget) {
        project<Weights::OfTarget>(job, range);
    } else {
        project<Weights::OfSource>(job, range);
    }
}

int markFilled(const RowCopy& shape, const float* columns, std::uint8_t* filled) {
    int count = 0;
    for (int x = 0; x < shape.nx; ++x) {
        const float* const column = columns + x * shape.columnStride;
        int any = 0;
        for (int z = 0; z < shape.nz; ++z) {
            any |= static_cast<int>(column[z] != 0.0F);
        }
        filled[x] = static_cast<std::uint8_t>(any);
        count += any;
    }
    return count;
}

void gatherRow(const RowCopy& shape, const float* volume, float* columns) {
    forTiles(
        shape, volume,
        [&](int x, int z) {
            Four r[4];
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) {
                r[k] = loadFour(volume + (z + k) * shape.planeStride + x);
            }
            transposeFour(r);
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) {
                storeFour(columns + (x + k) * shape.columnStride + z, r[k]);
            }
        },
        [&](int x, int z) { columns[x * shape.columnStride + z] = volume[z * shape.planeStride + x]; });
}

void filterRow(const RowCopy& shape, const RowFilter& filter, float* columns) {
    for (int x = 0; x < shape.nx; ++x) {
        float* const column = columns + x * shape.columnStride;
        for (int h = 1; h < filter.planes; ++h) {
            const float* const below = column + (h - 1) * filter.planeFloats;
            float* const out = column + h * filter.planeFloats;
            const float gain = filter.gains[h];
            for (int v = 0; v < filter.vectors; ++v) {
                const int z = v * kWidth;
                storeAligned(out + z, load(below + z) + gain * (load(column + z - h) + load(column + z + h)));
            }
        }
    }
}

void scatterRow(const RowCopy& shape, const float* columns, const float* factors, float* volume) {
    if (factors != nullptr) {
        scatter<false, true>(shape, columns, factors, volume);
    } else {
        scatter<false, false>(shape, columns, factors, volume);
    }
}

void scatterRowAdding(const RowCopy& shape, const float* columns, const float* factors, float* volume) {
    if (factors != nullptr) {
        scatter<true, true>(shape, columns, factors, volume);
    } else {
        scatter<true, false>(shape, columns, factors, volume);
    }
}

}  // namespace tof::TOF_ISA
