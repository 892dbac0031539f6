// SPDX-License-Identifier: Apache-2.0
// `siddon` for michelograms whose planes share their transverse paths: a path is followed once for all.
#include <array>
#include <optional>
#include <vector>

#include "gpu/lines/line_kernels.h"
#include "gpu/lines/line_strategies.h"
#include "gpu/lines/stack_kernels.h"
#include "recon/systems/lines/plane_stack.h"
#include "recon/systems/lines/plane_sweep.h"

namespace tof {

namespace {

/// All transverse paths of a model, on the host.
struct HostPaths {
    std::vector<SweepStep> steps;
    std::vector<std::uint32_t> begins;
    std::vector<float> transverse_mm;
};

std::optional<HostPaths> followAll(const PlaneStack& stack, const PlaneSweep& sweep, const LineTable& lines,
                                   const ThreadPool& pool) {
    const std::vector<TransverseLine>& all = lines.transverse();
    constexpr std::size_t kGrain = 1024;
    std::vector<std::vector<SweepStep>> pieces((all.size() + kGrain - 1) / kGrain);
    std::vector<std::uint32_t> counts(all.size());
    HostPaths paths;
    paths.transverse_mm.resize(all.size());
    pool.forRange(all.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        std::vector<SweepStep>& piece = pieces[begin / kGrain];
        std::vector<PathStep> path;
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t before = piece.size();
            path.clear();
            stack.appendPath(all[i], path);
            sweep.append(path, all[i], piece);
            counts[i] = static_cast<std::uint32_t>(piece.size() - before);
            paths.transverse_mm[i] = PlaneStack::transverseLength(all[i]);
        }
    });
    std::size_t total = 0;
    for (const std::vector<SweepStep>& piece : pieces) {
        total += piece.size();
    }
    if (total >= UINT32_MAX) {
        return std::nullopt;
    }
    paths.steps.reserve(total);
    for (std::vector<SweepStep>& piece : pieces) {
        paths.steps.insert(paths.steps.end(), piece.begin(), piece.end());
        std::vector<SweepStep>().swap(piece);
    }
    paths.begins.push_back(0);
    for (const std::uint32_t count : counts) {
        paths.begins.push_back(paths.begins.back() + count);
    }
    return paths;
}

/// Shapes of blocks, the fastest first; the last ones need little shared memory.
constexpr std::array<device::StackShape, 4> kForwardShapes{{{2, 3}, {1, 3}, {1, 2}, {1, 1}}};
constexpr std::array<device::StackShape, 2> kBackShapes{{{2, 3}, {1, 3}}};

struct Shapes {
    device::StackShape forward;
    device::StackShape back;
};

/// The first ones that the device takes.
std::optional<Shapes> shapesFor(const device::StackPart& part) {
    for (const device::StackShape& forward : kForwardShapes) {
        for (const device::StackShape& back : kBackShapes) {
            if (device::allowStack(part, forward, back)) {
                return Shapes{forward, back};
            }
        }
    }
    return std::nullopt;
}

constexpr const char* kPaths = "shared paths";
constexpr int kLanes = 32;

/// A bit for each lane of a turn whose pair is one of `count` from `first` on.
std::uint32_t lanesOf(int turn, int first, int count) {
    std::uint32_t lanes = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        const int pair = turn * device::kTurnPairs - 1 + lane;
        lanes |= pair >= first && pair < first + count ? 1U << static_cast<unsigned>(lane) : 0U;
    }
    return lanes;
}

std::vector<device::LaneCrossing> laneCrossings(const std::vector<FaceCrossing>& crossings, int height) {
    std::vector<device::LaneCrossing> out;
    for (int turn = 0; turn < device::turnsOf(height); ++turn) {
        for (const FaceCrossing& c : crossings) {
            out.push_back(
                {c.at, c.firstRow + turn * device::kTurnPairs - 1, lanesOf(turn, c.pair, c.planes)});
        }
        out.push_back({});  // kernels read one ahead
    }
    return out;
}

std::vector<device::LaneFamily> laneFamilies(const PlaneSweep& sweep, int height) {
    const std::size_t count = sweep.families().size();
    std::vector<device::LaneFamily> out;
    for (int turn = 0; turn < device::turnsOf(height); ++turn) {
        for (std::size_t i = 0; i < sweep.voxels().size(); ++i) {
            const SweepFamily& family = sweep.families()[i % count];
            const int voxel = sweep.voxels()[i];
            const int pair = voxel >> 1;
            const int row = family.row - pair + turn * device::kTurnPairs - 1;
            out.push_back(
                {4 * row + (voxel & 1) + (family.direction < 0 ? 2 : 0), lanesOf(turn, pair, family.planes)});
        }
    }
    return out;
}

class StackLines : public LineStrategy {
  public:
    /// `part`: all but its tables; for the first part.
    StackLines(const LineWork& work, const PlaneStack& stack, const PlaneSweep& sweep, const HostPaths& paths,
               const device::StackPart& part, const Shapes& shapes)
        : space_(work.space),
          part_(part),
          shapes_(shapes),
          columnCount_(static_cast<std::size_t>(work.model.lattice.size[0]) *
                       static_cast<std::size_t>(work.model.lattice.size[1])),
          dataPerPart_(work.lines.michelogram()->partSize()),
          steps_(space_.uploaded(paths.steps, kPaths)),
          begins_(space_.uploaded(paths.begins, kPaths)),
          transverse_(space_.uploaded(paths.transverse_mm, kPaths)),
          within_(space_.uploaded(laneCrossings(sweep.within(), part.height), kPaths)),
          between_(space_.uploaded(laneCrossings(sweep.between(), part.height), kPaths)),
          families_(space_.uploaded(laneFamilies(sweep, part.height), kPaths)),
          rows_(space_.uploaded(sweep.rows(), kPaths)),
          rises_(space_.uploaded(stack.rises(), kPaths)),
          columns_(space_.buffer<float>(columnCount_ * device::columnPitch(part.height), "columns")),
          sums_(space_.buffer<device::FixedSum>(2 * columnCount_ * device::halfPitch(part.height),
                                                "fixed-point sums")),
          largest_(space_.buffer<unsigned>(1, "largest datum")) {
        check(cudaMemsetAsync(sums_.get(), 0, sums_.bytes(), space_.stream()), "clear sums");
        check(cudaMemsetAsync(columns_.get(), 0, columns_.bytes(), space_.stream()), "clear columns");
        part_.steps = steps_.span();
        part_.within = within_.span();
        part_.between = between_.span();
        part_.families = families_.span();
        part_.rows = rows_.span();
        part_.rises = rises_.span();
    }

    void forward(std::size_t index, DeviceSpan<const float> image, DeviceSpan<float> p) override {
        device::stackColumns(space_.stream(), image, columnCount_, part_.height, columns_.span());
        device::stackForward(space_.stream(), partOf(index), shapes_.forward, columns_.span(), p);
    }

    void back(std::size_t index, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        const device::StackSums sums{sums_.span(), largest_.span(), columnCount_};
        device::largestDatum(space_.stream(), p.part(0, dataPerPart_), largest_.span());
        device::stackBack(space_.stream(), partOf(index), shapes_.back, p, sums);
        device::stackFinish(space_.stream(), part_, sums, write, image);
    }

    [[nodiscard]] std::size_t bytes() const override {
        return steps_.bytes() + begins_.bytes() + transverse_.bytes() + within_.bytes() + between_.bytes() +
               families_.bytes() + rows_.bytes() + rises_.bytes() + columns_.bytes() + sums_.bytes();
    }

  private:
    [[nodiscard]] device::StackPart partOf(std::size_t index) const {
        device::StackPart part = part_;
        const std::size_t first = index * part.lines * static_cast<std::size_t>(part.rays);
        part.begins = begins_.span().from(first);
        part.transverse_mm = transverse_.span().from(first);
        return part;
    }

    CudaSpace& space_;
    device::StackPart part_;
    Shapes shapes_;
    std::size_t columnCount_;
    std::size_t dataPerPart_;
    DeviceBuffer<SweepStep> steps_;
    DeviceBuffer<std::uint32_t> begins_;
    DeviceBuffer<float> transverse_;
    DeviceBuffer<device::LaneCrossing> within_;
    DeviceBuffer<device::LaneCrossing> between_;
    DeviceBuffer<device::LaneFamily> families_;
    DeviceBuffer<std::int32_t> rows_;
    DeviceBuffer<float> rises_;
    DeviceBuffer<float> columns_;  ///< the image, z fastest
    DeviceBuffer<device::FixedSum> sums_;
    DeviceBuffer<unsigned> largest_;
};

/// The numbers of a part, without its tables.
device::StackPart partShape(const LineWork& work, const PlaneSweep& sweep) {
    const Michelogram& m = *work.lines.michelogram();
    device::StackPart part;
    part.sinograms = static_cast<int>(m.sinograms().size());
    part.radialBins = m.radialBins();
    part.rays = work.lines.radialRays();
    part.share = 1.0 / part.rays;
    part.familyCount = static_cast<int>(sweep.families().size());
    part.withinCount = static_cast<int>(sweep.within().size());
    part.betweenCount = static_cast<int>(sweep.between().size());
    part.rowCount = static_cast<int>(sweep.rowCount());
    part.height = work.model.lattice.size[2];
    part.lines = static_cast<std::size_t>(m.spec().anglesPerPart) * static_cast<std::size_t>(m.radialBins());
    for (const double spacing : work.model.lattice.spacing_mm) {  // no way through a voxel is longer
        part.bound_mm += spacing * static_cast<double>(m.partSize()) * part.rays;
    }
    return part;
}

}  // namespace

std::unique_ptr<LineStrategy> makeStackLines(const LineWork& work) {
    const std::optional<PlaneStack> stack = PlaneStack::of(work.model, work.lines);
    if (!stack) {
        return nullptr;
    }
    const std::optional<PlaneSweep> sweep = PlaneSweep::of(*stack);
    if (!sweep) {
        return nullptr;
    }
    const device::StackPart part = partShape(work, *sweep);
    const std::optional<Shapes> shapes = shapesFor(part);
    if (!shapes) {
        return nullptr;
    }
    const std::optional<HostPaths> paths = followAll(*stack, *sweep, work.lines, work.space.pool());
    if (!paths || paths->steps.size() * sizeof(SweepStep) > work.space.bytesFree() / 4) {
        return nullptr;
    }
    return std::make_unique<StackLines>(work, *stack, *sweep, *paths, part, *shapes);
}

}  // namespace tof
