// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/histo_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/space/cuda_check.h"
#include "recon/base/error.h"
#include "recon/kernel/kernel_tables.h"

namespace tof {

namespace {

constexpr std::size_t kMaxTaps = 4'000'000;  // as on the host
constexpr double kMaxBox = 2e9;
constexpr double kMaxOffset = std::numeric_limits<std::int16_t>::max();
constexpr double kMaxIds = 1e6;

/// Largest radial id of a view. s is linear in x and y and its rounding monotonic, so a corner has it.
int radialIdsOf(const DirectModel& model, const ViewAxes& axes) {
    double farthest = 0;
    for (const int x : {0, model.lattice.size[0] - 1}) {
        for (const int y : {0, model.lattice.size[1] - 1}) {
            farthest = std::max(farthest, std::abs(radialDistance(model.lattice.centre(x, y, 0), axes.r)));
        }
    }
    if (!(farthest / model.kernel.id_step_mm < kMaxIds)) {
        throw BadInput(fmt::format("kernel '{}': field 'id_step_mm' is {:g}, too small for this lattice",
                                   model.kernel.name, model.kernel.id_step_mm));
    }
    return radialId(farthest, model.kernel.id_step_mm) + 1;
}

device::ViewFrame frameOf(const DirectModel& model, const View& view) {
    const ViewAxes axes = view.axes();
    device::ViewFrame frame;
    frame.u = axes.u;
    frame.r = axes.r;
    frame.a = axes.a;
    frame.radialIds = radialIdsOf(model, axes);
    frame.rows = model.kernel.sided() ? 2 * frame.radialIds + 1 : frame.radialIds;
    frame.support = supportAxes(model.kernel, frame.radialIds);
    const std::array<Vec3, 3> unit{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    double box = 1;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 reach{frame.support.tof * dot(unit[k], axes.u),
                         frame.support.radial * dot(unit[k], axes.r),
                         frame.support.axial * dot(unit[k], axes.a)};
        const double half = std::floor(norm(reach) * (1 + 1e-9) / model.lattice.spacing_mm[k]) + 1;
        box *= 2 * half + 1;
        if (!(half < kMaxOffset) || !(box < kMaxBox)) {
            throw BadInput(
                fmt::format("kernel '{}' is too large for this lattice; reduce its widths or its "
                            "cutoff, or take larger voxels",
                            model.kernel.name));
        }
        frame.half[k] = static_cast<int>(half);
    }
    return frame;
}

}  // namespace

HistoTables::HistoTables(const DirectModel& model, CudaSpace& space)
    : space_(space), kernelName_(model.kernel.name) {
    model.kernel.validate();
    int radialIds = 0;
    for (const View& view : model.views) {
        frames_.push_back(frameOf(model, view));
        radialIds = std::max(radialIds, frames_.back().radialIds);
        maxRows_ = std::max(maxRows_, frames_.back().rows);
    }
    const cudaStream_t stream = space.stream();
    const RadialArrays arrays(model.kernel, radialIds);
    std::vector<double> packed(arrays.sigma);
    packed.insert(packed.end(), arrays.s.begin(), arrays.s.end());
    packed.insert(packed.end(), arrays.q.begin(), arrays.q.end());
    packed.insert(packed.end(), arrays.w.begin(), arrays.w.end());
    radialBuffer_ = space.buffer<double>(packed.size(), "the radial profile");
    radialBuffer_.uploadFrom(packed, stream);
    radialFirst_ = space.buffer<int>(arrays.first.size(), "the radial profile");
    radialFirst_.uploadFrom(arrays.first, stream);

    for (std::size_t k = 0; k < 3; ++k) {
        input_.size[k] = model.lattice.size[k];
    }
    input_.spacing = {model.lattice.spacing_mm[0], model.lattice.spacing_mm[1], model.lattice.spacing_mm[2]};
    input_.origin = model.lattice.origin_mm;
    input_.idStep_mm = model.kernel.id_step_mm;
    input_.sigmaTof = model.kernel.sigmaTof_mm();
    input_.sigmaAxial = model.kernel.sigmaAxial_mm();
    input_.radial = arrays.model();
    input_.radial.sigma = radialBuffer_.get();
    input_.radial.s = input_.radial.sigma + arrays.sigma.size();
    input_.radial.q = input_.radial.s + arrays.s.size();
    input_.radial.w = input_.radial.q + arrays.q.size();
    input_.radial.first = radialFirst_.get();
    constexpr int kPitch = 32;
    input_.idPitch = (model.lattice.size[0] + kPitch - 1) / kPitch * kPitch;
    constexpr int kTextureAlignment = 128;  // elements: maps of views start where a texture may
    input_.idPlane =
        (input_.idPitch * input_.size[1] + kTextureAlignment - 1) / kTextureAlignment * kTextureAlignment;
    frameBuffer_ = space.buffer<device::ViewFrame>(frames_.size(), "the list of views");
    frameBuffer_.uploadFrom(frames_, stream);
    input_.views = frameBuffer_.get();

    const int views = static_cast<int>(frames_.size());
    auto countBuffer = space.buffer<int>(frames_.size(), "the numbers of taps");
    device::countTaps(stream, input_, views, countBuffer.get());
    std::vector<int> counts(frames_.size());
    check(cudaMemcpyAsync(counts.data(), countBuffer.get(), countBuffer.bytes(), cudaMemcpyDeviceToHost,
                          stream),
          "copy the numbers of taps");
    space.finish();
    for (std::size_t v = 0; v < frames_.size(); ++v) {
        if (static_cast<std::size_t>(counts[v]) > kMaxTaps) {
            throw BadInput(
                fmt::format("kernel '{}' has more than {} taps on this lattice; reduce its widths or "
                            "its cutoff, or take larger voxels",
                            kernelName_, kMaxTaps));
        }
        frames_[v].taps = counts[v];
        frames_[v].tapBegin = allTaps_;
        allTaps_ += static_cast<std::size_t>(counts[v]);
        maxTaps_ = std::max(maxTaps_, counts[v]);
    }
    frameBuffer_.uploadFrom(frames_, stream);
    taps_ = space.buffer<device::Tap>(allTaps_, "the offsets of the kernels");
    device::listTaps(stream, input_, views, taps_.get());
    ids_ = space.buffer<std::int32_t>(frames_.size() * static_cast<std::size_t>(input_.idPlane),
                                      "the maps of kernel ids");
    device::mapIds(stream, input_, views, ids_.get());
}

const std::int32_t* HistoTables::ids(std::size_t view) const {
    return ids_.get() + view * static_cast<std::size_t>(input_.idPlane);
}

std::vector<device::Tap> HistoTables::downloadTaps() const {
    std::vector<device::Tap> taps(allTaps_);
    check(cudaMemcpyAsync(taps.data(), taps_.get(), taps_.bytes(), cudaMemcpyDeviceToHost, space_.stream()),
          "copy the offsets of the kernels", {allTaps_});
    space_.finish();
    return taps;
}

std::vector<std::int32_t> HistoTables::downloadIds(std::size_t view) const {
    const auto nx = static_cast<std::size_t>(input_.size[0]);
    const auto ny = static_cast<std::size_t>(input_.size[1]);
    std::vector<std::int32_t> result(nx * ny);
    check(cudaMemcpy2DAsync(result.data(), nx * sizeof(std::int32_t), ids(view),
                            static_cast<std::size_t>(input_.idPitch) * sizeof(std::int32_t),
                            nx * sizeof(std::int32_t), ny, cudaMemcpyDeviceToHost, space_.stream()),
          "copy a map of kernel ids", {nx, ny});
    space_.finish();
    return result;
}

void HistoTables::computeValues(const Layout& layout, device::ValueForm form, void* values) {
    for (std::size_t v = 0; v < frames_.size(); ++v) {
        frames_[v].valueBegin = layout.begin[v];
        frames_[v].rowStride = layout.rowStride[v];
        frames_[v].tapStride = layout.tapStride[v];
    }
    const cudaStream_t stream = space_.stream();
    frameBuffer_.uploadFrom(frames_, stream);
    auto empty = space_.buffer<int>(1, "a flag");
    check(cudaMemsetAsync(empty.get(), 0, sizeof(int), stream), "clear a flag");
    device::computeValues(stream, input_, views(), maxRows_, taps_.get(), layout.order, form, values,
                          empty.get());
    int emptyView = 0;
    check(cudaMemcpyAsync(&emptyView, empty.get(), sizeof(int), cudaMemcpyDeviceToHost, stream),
          "copy a flag");
    space_.finish();
    if (emptyView != 0) {
        throw BadInput(fmt::format("kernel '{}' is zero at every voxel for some |s|; widen it", kernelName_));
    }
}

}  // namespace tof
