// SPDX-License-Identifier: Apache-2.0
// Who: a block of two warps per group of 32 pixels and up to 48 planes. The block's source columns lie in
// shared memory as two bf16 each (value and remainder), the rows of the value table that it needs beside
// them. A warp multiplies 48 x 16 values by 16 x 8 weights for every strip of 8 pixels that needs the chunk:
// three products of the parts in single precision, 48 accumulators per lane. Code is made for every set of
// strips, which does all that there is to do for a chunk in one piece. The halves of a group are added up in
// a fixed order through shared memory. Needs compute capability 8.0 (bf16 matrix instructions).
//
// Planes are spread over the rows of the matrices so that a lane holds neighbouring ones: with U places of 16
// bytes per column, element e of place u is plane U e + u. Moving accumulators along z is then a matter of
// registers, but for one of U.
#include "gpu/histo/column_kernels.h"

#include "gpu/histo/column_accumulate.cuh"
#include "gpu/histo/column_floor.cuh"
#include "gpu/histo/column_load.cuh"
#include "gpu/histo/column_store.cuh"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_column_kernels {

constexpr int kMaxThreads = 32 * kColumnWarps;  // 168 registers each

template <int Tiles, Gather gather, ColumnOutput output>
__global__ void __launch_bounds__(kMaxThreads, 1) columnKernel(const __grid_constant__ ColumnWork w) {
    extern __shared__ __align__(128) unsigned char shared[];
    constexpr int kPlanes = 16 * Tiles;
    constexpr bool bySource = gather == Gather::BySource;
    const SharedLayout s = sharedLayout(w.view, kPlanes, bySource);
    const WorkPlace at(w, kPlanes);

    // Load. Nothing up to waitForEarlierWork depends on earlier work of the stream. What is needed later is
    // asked for here, so that its latency passes beside the filling of the tile.
    auto* const slotRows = reinterpret_cast<std::uint16_t*>(shared + s.slotRows);
    const int ownTarget = w.view.targetOf[at.group * kPlanGroup + at.lane];     // a pixel of its own group
    const BlockPixel target = w.view.targets[at.group * kPlanGroup + at.lane];  // whose result it writes
    ChunkStream<Tiles, gather> stream(w, at, w.view.runs[at.half][0].next());
    BlockPixel pixels[kFillAtOnce];
    askForPixels<Tiles>(w, static_cast<int>(threadIdx.x), pixels);
    startTable(w, w.view.blockRows[bySource ? 1 : 0], reinterpret_cast<std::uint32_t*>(shared + s.table));
    // What follows rests on what came so far.
    const BlockPixel own = w.view.targets[ownTarget];
    stream.startRows(w, slotRows);
    waitForEarlierWork();
    [[maybe_unused]] FloorCheck floor(w.floor.parts);
    fillTile<Tiles>(w, at, pixels, shared);
    waitForCopies();
    if constexpr (!bySource) {
        floor.join(w.floor.parts);
    }
    __syncthreads();
    letLaterWorkPrepare();
    if constexpr (!bySource) {
        if (w.floor.parts.count != 0) {
            floor.finish(w);
            if (floor.isPassed()) {
                repairTile<Tiles>(w, at, floor.floor(), shared);
                __syncthreads();
            }
        }
    }

    // Accumulate. A group outside the lattice has nothing to do.
    Accumulators<Tiles> sums;
    if (__any_sync(kAllLanes, static_cast<int>(at.isInside(w, own))) != 0) {
        const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
        stream.start(w, base, base + static_cast<std::uint32_t>(s.table), slotRows);
        for (int i = 1; i <= w.view.runCount[at.half]; ++i) {
            const ChunkRun run = w.view.runs[at.half][i];
            multiplyRun(stream, run, sums);
            sums.step(run.step(), w.view.filter, at.lane);
        }
    }

    // Store, by way of shared memory; the tile is not needed any more. A warp writes 32 pixels, neighbours in
    // x, of every second plane.
    const bool inside = at.isInside(w, target);
    const OutputColumn<output> column(w, at, target, kPlanes);
    OutputTerms<kPlanes, output> terms;
    if (inside) {
        terms.ask(column);
    }
    __syncthreads();
    const int pitch = resultPitch(w.view.groups);
    auto* const results = reinterpret_cast<float*>(shared);
    sums.layOut(at, pitch, results);
    __syncthreads();
    if (inside) {
        terms.write(column, results + at.half * pitch + target.slot, pitch);
    }
}

/// Numbers the marks of `map` in order and lists the rows that are marked. One warp.
__device__ void rankRows(std::uint32_t* map, int rows, std::uint16_t* needed, unsigned most) {
    const unsigned lane = threadIdx.x;
    unsigned all = 0;
    for (int begin = 0; begin < rows; begin += 32) {
        const int r = begin + static_cast<int>(lane);
        const bool used = r < rows && map[r] != 0;
        const unsigned ballot = __ballot_sync(kAllLanes, used);
        if (used) {
            const unsigned rank = all + static_cast<unsigned>(__popc(ballot & ((1U << lane) - 1U)));
            map[r] = rank;
            if (rank < most) {
                needed[rank] = static_cast<std::uint16_t>(r);
            }
        }
        all += static_cast<unsigned>(__popc(ballot));
    }
    for (unsigned rank = all + lane; rank < most; rank += 32) {
        needed[rank] = kNoRow;
    }
}

/// blockIdx.y: which lookup; a block per block of its projection: which rows of the table its pixels need, in
/// order.
__global__ void rowsKernel(DeviceSpan<const RowLookup> lookups, int2 size) {
    extern __shared__ std::uint32_t map[];  // by row: needed, then its rank
    const RowLookup look = lookups[blockIdx.y];
    if (static_cast<int>(blockIdx.x) >= look.blocks) {
        return;
    }
    const int tid = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const short2 origin = look.origins[blockIdx.x];
    const auto idOf = [&](const BlockPixel& p) {
        const int x = origin.x + p.x;
        const int y = origin.y + p.y;
        return x >= 0 && y >= 0 && x < size.x && y < size.y ? look.ids[y * look.idPitch + x] : -1;
    };
    for (int r = tid; r < look.rows; r += threads) {
        map[r] = 0;
    }
    __syncthreads();
    for (int p = tid; p < look.to.pixels; p += threads) {
        const int id = idOf(look.pixels[p]);
        if (id >= 0) {
            map[id] = 1;
        }
    }
    __syncthreads();
    if (tid < 32) {
        rankRows(map, look.rows, look.to.needed.get() + blockIdx.x * static_cast<unsigned>(look.to.mostRows),
                 static_cast<unsigned>(look.to.mostRows));
    }
    __syncthreads();
    for (int p = tid; p < look.to.pixels; p += threads) {
        const int id = idOf(look.pixels[p]);
        look.to.rowOfPixel[blockIdx.x * static_cast<unsigned>(look.to.pixels) + look.pixels[p].slot] =
            static_cast<std::uint16_t>(id >= 0 ? map[id] : 0);
    }
}

using Kernel = void (*)(ColumnWork);

template <int Tiles>
Kernel kernelFor(Gather gather, ColumnOutput output) {
    if (gather == Gather::ByTarget) {
        return output == ColumnOutput::Add ? columnKernel<Tiles, Gather::ByTarget, ColumnOutput::Add>
                                           : columnKernel<Tiles, Gather::ByTarget, ColumnOutput::Overwrite>;
    }
    return output == ColumnOutput::Add ? columnKernel<Tiles, Gather::BySource, ColumnOutput::Add>
                                       : columnKernel<Tiles, Gather::BySource, ColumnOutput::Overwrite>;
}

Kernel kernelFor(int planes, Gather gather, ColumnOutput output) {
    return planes == 16 ? kernelFor<1>(gather, output) : kernelFor<3>(gather, output);
}

}  // namespace in_column_kernels
using namespace in_column_kernels;

RowLookup rowLookup(const ColumnView& view, Gather gather) {
    const bool bySource = gather == Gather::BySource;
    return {view.ids,
            view.idPitch,
            view.rows,
            bySource ? view.tile : view.targets,
            view.origins,
            view.blocks,
            view.blockRows[bySource ? 1 : 0]};
}

void listBlockRows(cudaStream_t stream, std::span<const RowLookup> lookups,
                   DeviceSpan<const RowLookup> onDevice, std::array<int, 2> size) {
    int blocks = 0;
    int rows = 0;
    for (const RowLookup& look : lookups) {
        blocks = look.blocks > blocks ? look.blocks : blocks;
        rows = look.rows > rows ? look.rows : rows;
    }
    constexpr std::size_t kMost = 65535;  // the most blocks of a grid along y
    for (std::size_t begin = 0; begin < lookups.size(); begin += kMost) {
        const std::size_t count = lookups.size() - begin < kMost ? lookups.size() - begin : kMost;
        const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(count));
        rowsKernel<<<grid, 256, static_cast<std::size_t>(rows) * sizeof(std::uint32_t), stream>>>(
            onDevice.part(begin, count), int2{size[0], size[1]});
        checkLaunch("list the rows of blocks", {grid.x, grid.y});
    }
}

int columnWindows(int planes, int reach, int nz) {
    const int step = planes - 2 * reach;
    return nz <= planes ? 1 : 1 + (nz - planes + step - 1) / step;
}

std::size_t columnSharedBytes(const ColumnView& view, int planes, Gather gather) {
    return sharedLayout(view, planes, gather == Gather::BySource).total;
}

std::size_t columnSharedLimit(const cudaDeviceProp& card) {
    constexpr std::size_t kStaticBytes = 1024;  // more than the kernels declare themselves
    return card.sharedMemPerBlockOptin - kStaticBytes;
}

void prepareColumn(std::size_t sharedBytes) {
    for (const int planes : {16, 48}) {
        for (const Gather gather : {Gather::ByTarget, Gather::BySource}) {
            for (const ColumnOutput output : {ColumnOutput::Overwrite, ColumnOutput::Add}) {
                check(cudaFuncSetAttribute(kernelFor(planes, gather, output),
                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(sharedBytes)),
                      "reserve shared memory", {sharedBytes});
            }
        }
    }
}

void projectColumn(Launch l, const ColumnWork& w, int planes, Gather gather, ColumnOutput output) {
    const dim3 grid(static_cast<unsigned>(w.view.blocks), static_cast<unsigned>(w.windows));
    const dim3 block(static_cast<unsigned>(64 * w.view.groups));
    check(launchDependent(l.overlap, kernelFor(planes, gather, output), grid, block,
                          columnSharedBytes(w.view, planes, gather), l.stream, w),
          "project with the column kernel", {grid.x, grid.y, block.x});
}

const void* columnFunction(Gather gather) {
    return gather == Gather::ByTarget
               ? reinterpret_cast<const void*>(&columnKernel<3, Gather::ByTarget, ColumnOutput::Overwrite>)
               : reinterpret_cast<const void*>(&columnKernel<3, Gather::BySource, ColumnOutput::Overwrite>);
}

}  // namespace tof::device
