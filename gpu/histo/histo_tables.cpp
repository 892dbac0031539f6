// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/histo_tables.h"

#include <algorithm>
#include <array>
#include <map>

#include "gpu/histo/packed_value.h"
#include "gpu/space/cuda_check.h"
#include "recon/base/error.h"
#include "recon/kernel/kernel_tables.h"

namespace tof {

namespace {

device::ViewTable tableOf(const KernelFrame& frame) {
    device::ViewTable table;
    table.u = frame.axes.u;
    table.r = frame.axes.r;
    table.a = frame.axes.a;
    table.radialIds = frame.radialIds;
    table.rows = frame.rows;
    table.taps = static_cast<int>(frame.taps.size());
    return table;
}

}  // namespace

std::vector<KernelFrame> kernelFrames(const DirectModel& model, const CudaSpace& space) {
    // Views of different tilt share their ids.
    std::vector<std::size_t> firsts;
    std::vector<std::size_t> firstOf(model.views.size());
    std::map<std::array<double, 3>, std::size_t> known;
    for (std::size_t v = 0; v < model.views.size(); ++v) {
        const Vec3 r = model.views[v].axes().r;
        const auto [at, isNew] = known.try_emplace({r.x, r.y, r.z}, v);
        firstOf[v] = at->second;
        if (isNew) {
            firsts.push_back(v);
        }
    }
    std::vector<KernelFrame> frames(model.views.size());
    space.pool().forRange(firsts.size(), 1, [&](std::size_t i, std::size_t) {
        const std::size_t v = firsts[i];
        frames[v] = makeKernelFrame(model.kernel, model.lattice, model.views[v]);
    });
    space.pool().forRange(frames.size(), 1, [&](std::size_t v, std::size_t) {
        if (firstOf[v] != v) {
            frames[v] =
                makeKernelFrameBeside(model.kernel, model.lattice, model.views[v], frames[firstOf[v]]);
        }
    });
    return frames;
}

std::vector<KernelFrame> kernelFramesWithin(const DirectModel& model,
                                            const std::vector<SupportAxes>& supports,
                                            const CudaSpace& space) {
    std::vector<KernelFrame> frames(model.views.size());
    space.pool().forRange(frames.size(), 1, [&](std::size_t v, std::size_t) {
        frames[v] = makeKernelFrameWithin(model.kernel, model.lattice, model.views[v], supports[v]);
    });
    return frames;
}

HistoTables::HistoTables(const DirectModel& model, const std::vector<KernelFrame>& frames, CudaSpace& space)
    : space_(space) {
    for (const KernelFrame& frame : frames) {
        views_.push_back(tableOf(frame));
        input_.maxRows = std::max(input_.maxRows, frame.rows);
    }
    if (model.kernel.sampling == KernelSampling::Voxel) {
        averaged_ = model;
    }
    input_.spacing = {model.lattice.spacing_mm[0], model.lattice.spacing_mm[1], model.lattice.spacing_mm[2]};
    placeKernel(model.kernel);
    viewBuffer_ = space.buffer<device::ViewTable>(views_.size(), "the list of views");
    placeTaps(frames);
    placeIds(model.lattice, frames);
}

void HistoTables::setKernel(const KernelSpec& kernel, const std::vector<SupportAxes>& supports) {
    placeKernel(kernel);
    for (std::size_t v = 0; v < views_.size(); ++v) {
        views_[v].clipped = !supports.empty();
        views_[v].support = supports.empty() ? SupportAxes{} : supports[v];
    }
}

void HistoTables::placeKernel(const KernelSpec& spec) {
    kernelName_ = spec.name;
    input_.sigmaTof = spec.sigmaTof_mm();
    input_.sigmaAxial = spec.sigmaAxial_mm();
    int radialIds = 0;
    for (const device::ViewTable& view : views_) {
        radialIds = std::max(radialIds, view.radialIds);
    }
    placeProfile(spec, radialIds);
}

void HistoTables::placeProfile(const KernelSpec& spec, int radialIds) {
    const RadialArrays arrays(spec, radialIds);
    std::vector<double> packed(arrays.sigma);
    packed.insert(packed.end(), arrays.s.begin(), arrays.s.end());
    packed.insert(packed.end(), arrays.q.begin(), arrays.q.end());
    packed.insert(packed.end(), arrays.w.begin(), arrays.w.end());
    radialBuffer_ = space_.uploaded(packed, "the radial profile");
    radialFirst_ = space_.uploaded(arrays.first, "the radial profile");
    std::size_t begin = 0;
    const auto next = [&](const std::vector<double>& array) {
        const DeviceSpan<const double> part = radialBuffer_.span().part(begin, array.size());
        begin += array.size();
        return part;
    };
    input_.radial.shape = arrays.model();
    input_.radial.sigma = next(arrays.sigma);
    input_.radial.s = next(arrays.s);
    input_.radial.q = next(arrays.q);
    input_.radial.w = next(arrays.w);
    input_.radial.first = radialFirst_.span();
}

void HistoTables::placeTaps(const std::vector<KernelFrame>& frames) {
    std::vector<device::Tap> taps;
    for (std::size_t v = 0; v < frames.size(); ++v) {
        views_[v].tapBegin = taps.size();
        for (const KernelTap& tap : frames[v].taps) {
            taps.push_back({tap.x, tap.y, tap.z, 0});
        }
    }
    taps_ = space_.uploaded(taps, "the offsets of the kernels");
    input_.taps = taps_.span();
}

void HistoTables::placeIds(const Lattice& lattice, const std::vector<KernelFrame>& frames) {
    constexpr int kPitch = 32;
    constexpr std::size_t kTextureAlignment = 128;  // elements: maps of views start where a texture may
    const auto nx = static_cast<std::size_t>(lattice.size[0]);
    const auto ny = static_cast<std::size_t>(lattice.size[1]);
    idPitch_ = (lattice.size[0] + kPitch - 1) / kPitch * kPitch;
    const auto pitch = static_cast<std::size_t>(idPitch_);
    idPlane_ = (pitch * ny + kTextureAlignment - 1) / kTextureAlignment * kTextureAlignment;
    // Ids are distances from the axis along r, which views of different tilt share.
    std::map<std::array<double, 3>, std::size_t> known;
    std::vector<const KernelFrame*> distinct;
    for (const KernelFrame& frame : frames) {
        const Vec3 r = frame.axes.r;
        const auto [at, isNew] = known.try_emplace({r.x, r.y, r.z}, distinct.size());
        if (isNew) {
            distinct.push_back(&frame);
        }
        mapOfView_.push_back(at->second);
    }
    std::vector<std::int32_t> maps(distinct.size() * idPlane_, 0);
    for (std::size_t m = 0; m < distinct.size(); ++m) {
        for (std::size_t y = 0; y < ny; ++y) {
            std::copy_n(distinct[m]->ids.data() + y * nx, nx, maps.data() + m * idPlane_ + y * pitch);
        }
    }
    ids_ = space_.uploaded(maps, "the maps of kernel ids");
}

DeviceSpan<const std::int32_t> HistoTables::ids(std::size_t view) const {
    return ids_.span().part(mapOfView_[view] * idPlane_, idPlane_);
}

DeviceSpan<const device::Tap> HistoTables::taps(std::size_t view) const {
    return taps_.span().part(tapBegin(view), static_cast<std::size_t>(tapCount(view)));
}

/// Averages over voxels are sums of several products (recon/kernel/voxel_average.h), which the host has code
/// for; the tables are as large as those that the device computes, so that sending them costs no more memory.
template <typename Value>
void HistoTables::sendFromHost(const Layout& layout, DeviceSpan<Value> values) {
    std::vector<std::int32_t> order(layout.order.size());
    const cudaStream_t stream = space_.stream();
    if (!order.empty()) {
        check(cudaMemcpyAsync(order.data(), layout.order.get(), order.size() * sizeof(std::int32_t),
                              cudaMemcpyDeviceToHost, stream),
              "fetch the order of the taps", {order.size()});
        space_.finish();
    }
    // As many views at a time as there are threads: all together are gigabytes.
    const std::size_t atOnce = std::max<std::size_t>(1, static_cast<std::size_t>(space_.pool().threads()));
    for (std::size_t first = 0; first < views_.size(); first += atOnce) {
        const std::size_t count = std::min(atOnce, views_.size() - first);
        std::vector<std::vector<Value>> tables(count);
        space_.pool().forRange(count, 1, [&](std::size_t i, std::size_t) {
            const std::size_t v = first + i;
            const std::int32_t* const places = order.empty() ? nullptr : order.data() + views_[v].tapBegin;
            tables[i] = arranged<Value>(
                buildKernelTables(averaged_->kernel, averaged_->lattice, averaged_->views[v]), places,
                static_cast<std::size_t>(layout.rowStride[v]), static_cast<std::size_t>(layout.tapStride[v]));
        });
        for (std::size_t i = 0; i < count; ++i) {
            check(cudaMemcpyAsync(values.get() + layout.begin[first + i], tables[i].data(),
                                  tables[i].size() * sizeof(Value), cudaMemcpyHostToDevice, stream),
                  "send the kernel values", {tables[i].size()});
        }
        space_.finish();
    }
}

template <typename Value>
void HistoTables::compute(const Layout& layout, DeviceSpan<Value> values) {
    if (averaged_) {
        sendFromHost(layout, values);
        return;
    }
    for (std::size_t v = 0; v < views_.size(); ++v) {
        views_[v].valueBegin = layout.begin[v];
        views_[v].rowStride = layout.rowStride[v];
        views_[v].tapStride = layout.tapStride[v];
    }
    const cudaStream_t stream = space_.stream();
    viewBuffer_.uploadFrom(views_, stream);
    input_.views = viewBuffer_.span();
    input_.order = layout.order;
    const auto empty = space_.buffer<int>(1, "a flag");
    check(cudaMemsetAsync(empty.get(), 0, sizeof(int), stream), "clear a flag");
    device::computeValues(stream, input_, values, empty.span());
    int emptyView = 0;
    check(cudaMemcpyAsync(&emptyView, empty.get(), sizeof(int), cudaMemcpyDeviceToHost, stream),
          "copy a flag");
    space_.finish();
    if (emptyView != 0) {
        throw BadInput("kernel '{}' is zero at every voxel for some |s|; widen it", kernelName_);
    }
}

void HistoTables::computeValues(const Layout& layout, DeviceSpan<float> values) {
    compute(layout, values);
}

void HistoTables::computeValues(const Layout& layout, DeviceSpan<std::uint32_t> values) {
    compute(layout, values);
}

}  // namespace tof
