// SPDX-License-Identifier: Apache-2.0
#include "gpu/lines/stack_tables.h"

#include <algorithm>
#include <cmath>

#include "gpu/lines/line_kernels.h"

namespace tof {

namespace {

/// All transverse paths of a model, on the host.
struct HostPaths {
    std::vector<PathStep> steps;
    std::vector<std::uint32_t> begins;
    std::vector<float> transverse_mm;
    float widest = 0;  ///< step of the path parameter
};

std::optional<HostPaths> followAll(const PlaneStack& stack, const LineTable& lines, const ThreadPool& pool) {
    const std::vector<TransverseLine>& all = lines.transverse();
    constexpr std::size_t kGrain = 1024;
    std::vector<std::vector<PathStep>> pieces((all.size() + kGrain - 1) / kGrain);
    std::vector<std::uint32_t> counts(all.size());
    HostPaths paths;
    paths.transverse_mm.resize(all.size());
    pool.forRange(all.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        std::vector<PathStep>& piece = pieces[begin / kGrain];
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t before = piece.size();
            stack.appendPath(all[i], piece);
            counts[i] = static_cast<std::uint32_t>(piece.size() - before);
            paths.transverse_mm[i] = PlaneStack::transverseLength(all[i]);
        }
    });
    std::size_t total = 0;
    for (const std::vector<PathStep>& piece : pieces) {
        total += piece.size();
    }
    if (total >= UINT32_MAX) {
        return std::nullopt;
    }
    paths.steps.reserve(total + 1);
    for (std::vector<PathStep>& piece : pieces) {
        paths.steps.insert(paths.steps.end(), piece.begin(), piece.end());
        std::vector<PathStep>().swap(piece);
    }
    paths.steps.push_back({});  // kernels read one step ahead
    paths.begins.push_back(0);
    for (const std::uint32_t count : counts) {
        paths.begins.push_back(paths.begins.back() + count);
    }
    for (const PathStep& step : paths.steps) {
        paths.widest = std::max(paths.widest, step.to - step.from);
    }
    return paths;
}

template <typename T>
DeviceBuffer<T> placed(CudaSpace& space, const std::vector<T>& values) {
    DeviceBuffer<T> buffer = space.buffer<T>(values.size(), "shared paths");
    buffer.uploadFrom(values, space.stream());
    space.finish();
    return buffer;
}

}  // namespace

std::optional<StackTables> StackTables::of(const LineModel& model, const LineTable& lines, CudaSpace& space) {
    const std::optional<PlaneStack> stack = PlaneStack::of(model, lines);
    if (!stack) {
        return std::nullopt;
    }
    const std::optional<HostPaths> paths = followAll(*stack, lines, space.pool());
    if (!paths || paths->steps.size() * sizeof(PathStep) > space.bytesFree() / 4) {
        return std::nullopt;
    }
    StackTables tables;
    const Michelogram& m = *lines.michelogram();
    device::StackPart& part = tables.part_;
    part.sinograms = static_cast<int>(m.sinograms().size());
    part.radialBins = m.radialBins();
    part.rays = lines.radialRays();
    part.familyCount = static_cast<int>(stack->families().size());
    part.paddedSize = static_cast<int>(stack->paddedSize());
    part.height = model.lattice.size[2];
    part.mostVoxels = 2 + static_cast<int>(std::floor(stack->steepest() * paths->widest));
    part.inside = stack->inside();
    part.lines = static_cast<std::size_t>(m.spec().anglesPerPart) * static_cast<std::size_t>(m.radialBins());
    if (!device::allowStackBack(part)) {
        return std::nullopt;
    }
    tables.linesPerPart_ = part.lines;
    tables.dataPerPart_ = m.partSize();
    tables.columnCount_ =
        static_cast<std::size_t>(model.lattice.size[0]) * static_cast<std::size_t>(model.lattice.size[1]);
    for (const double spacing : model.lattice.spacing_mm) {  // no way through a voxel is longer than its sum
        part.bound_mm += spacing * static_cast<double>(m.partSize()) * part.rays;
    }
    tables.steps_ = placed(space, paths->steps);
    tables.begins_ = placed(space, paths->begins);
    tables.transverse_ = placed(space, paths->transverse_mm);
    tables.planes_ = placed(space, stack->planes());
    tables.rises_ = placed(space, stack->rises());
    tables.places_ = placed(space, stack->places());
    tables.families_ = placed(space, stack->families());
    tables.columns_ = space.buffer<float>(tables.columnCount_ * device::columnPitch(part.height), "columns");
    tables.sums_ = space.buffer<unsigned long long>(2 * tables.columnCount_ * device::halfPitch(part.height),
                                                    "fixed-point sums");
    tables.largest_ = space.buffer<unsigned>(1, "largest datum");
    check(cudaMemsetAsync(tables.sums_.get(), 0, tables.sums_.bytes(), space.stream()), "clear sums");
    check(cudaMemsetAsync(tables.columns_.get(), 0, tables.columns_.bytes(), space.stream()),
          "clear columns");
    part.steps = tables.steps_.get();
    part.planes = tables.planes_.get();
    part.rises = tables.rises_.get();
    part.places = tables.places_.get();
    part.families = tables.families_.get();
    return tables;
}

device::StackPart StackTables::part(std::size_t index) const {
    device::StackPart part = part_;
    const std::size_t first = index * linesPerPart_ * static_cast<std::size_t>(part.rays);
    part.begins = begins_.get() + first;
    part.transverse_mm = transverse_.get() + first;
    return part;
}

std::size_t StackTables::bytes() const {
    return steps_.bytes() + begins_.bytes() + transverse_.bytes() + planes_.bytes() + rises_.bytes() +
           places_.bytes() + families_.bytes() + columns_.bytes() + sums_.bytes();
}

void StackTables::forward(cudaStream_t stream, std::size_t index, const float* image, float* p) {
    device::stackColumns(stream, image, columnCount_, part_.height, columns_.get());
    device::stackForward(stream, part(index), columns_.get(), p);
}

void StackTables::back(cudaStream_t stream, std::size_t index, const float* p, bool add, float* image) {
    device::ringLargest(stream, p, dataPerPart_, largest_.get());
    device::stackBack(stream, part(index), p, largest_.get(), sums_.get());
    device::stackFinish(stream, part_, columnCount_, largest_.get(), sums_.get(), add, image);
}

}  // namespace tof
