// SPDX-License-Identifier: Apache-2.0
// `siddon` for michelograms whose planes share their transverse paths: a path is followed once for all.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gpu/lines/line_kernels.h"
#include "gpu/lines/line_strategies.h"
#include "gpu/lines/stack_kernels.h"
#include "recon/systems/lines/plane_stack.h"

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

constexpr const char* kPaths = "shared paths";

class StackLines : public LineStrategy {
  public:
    /// `part`: all but its tables; for the first part.
    StackLines(const LineWork& work, const PlaneStack& stack, const HostPaths& paths,
               const device::StackPart& part)
        : space_(work.space),
          part_(part),
          columnCount_(static_cast<std::size_t>(work.model.lattice.size[0]) *
                       static_cast<std::size_t>(work.model.lattice.size[1])),
          dataPerPart_(work.lines.michelogram()->partSize()),
          steps_(space_.uploaded(paths.steps, kPaths)),
          begins_(space_.uploaded(paths.begins, kPaths)),
          transverse_(space_.uploaded(paths.transverse_mm, kPaths)),
          planes_(space_.uploaded(stack.planes(), kPaths)),
          rises_(space_.uploaded(stack.rises(), kPaths)),
          places_(space_.uploaded(stack.places(), kPaths)),
          families_(space_.uploaded(stack.families(), kPaths)),
          columns_(space_.buffer<float>(columnCount_ * device::columnPitch(part.height), "columns")),
          sums_(space_.buffer<device::FixedSum>(2 * columnCount_ * device::halfPitch(part.height),
                                                "fixed-point sums")),
          largest_(space_.buffer<unsigned>(1, "largest datum")) {
        check(cudaMemsetAsync(sums_.get(), 0, sums_.bytes(), space_.stream()), "clear sums");
        check(cudaMemsetAsync(columns_.get(), 0, columns_.bytes(), space_.stream()), "clear columns");
        part_.steps = steps_.span();
        part_.planes = planes_.span();
        part_.rises = rises_.span();
        part_.places = places_.span();
        part_.families = families_.span();
    }

    void forward(std::size_t index, DeviceSpan<const float> image, DeviceSpan<float> p) override {
        device::stackColumns(space_.stream(), image, columnCount_, part_.height, columns_.span());
        device::stackForward(space_.stream(), partOf(index), columns_.span(), p);
    }

    void back(std::size_t index, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        const device::StackSums sums{sums_.span(), largest_.span(), columnCount_};
        device::largestDatum(space_.stream(), p.part(0, dataPerPart_), largest_.span());
        device::stackBack(space_.stream(), partOf(index), p, sums);
        device::stackFinish(space_.stream(), part_, sums, write, image);
    }

    [[nodiscard]] std::size_t bytes() const override {
        return steps_.bytes() + begins_.bytes() + transverse_.bytes() + planes_.bytes() + rises_.bytes() +
               places_.bytes() + families_.bytes() + columns_.bytes() + sums_.bytes();
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
    std::size_t columnCount_;
    std::size_t dataPerPart_;
    DeviceBuffer<PathStep> steps_;
    DeviceBuffer<std::uint32_t> begins_;
    DeviceBuffer<float> transverse_;
    DeviceBuffer<PlaneLine> planes_;
    DeviceBuffer<float> rises_;
    DeviceBuffer<std::int32_t> places_;
    DeviceBuffer<PlaneFamily> families_;
    DeviceBuffer<float> columns_;  ///< the image, z fastest
    DeviceBuffer<device::FixedSum> sums_;
    DeviceBuffer<unsigned> largest_;
};

/// The numbers of a part, without its tables.
device::StackPart partShape(const LineWork& work, const PlaneStack& stack, const HostPaths& paths) {
    const Michelogram& m = *work.lines.michelogram();
    device::StackPart part;
    part.sinograms = static_cast<int>(m.sinograms().size());
    part.radialBins = m.radialBins();
    part.rays = work.lines.radialRays();
    part.familyCount = static_cast<int>(stack.families().size());
    part.paddedSize = static_cast<int>(stack.paddedSize());
    part.height = work.model.lattice.size[2];
    part.mostVoxels = 2 + static_cast<int>(std::floor(stack.steepest() * paths.widest));
    part.inside = stack.inside();
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
    const std::optional<HostPaths> paths = followAll(*stack, work.lines, work.space.pool());
    if (!paths || paths->steps.size() * sizeof(PathStep) > work.space.bytesFree() / 4) {
        return nullptr;
    }
    const device::StackPart part = partShape(work, *stack, *paths);
    if (!device::allowStackBack(part)) {
        return nullptr;
    }
    return std::make_unique<StackLines>(work, *stack, *paths, part);
}

}  // namespace tof
