// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/histo/table_kernels.h"
#include "gpu/space/cuda_space.h"
#include "recon/kernel/frame.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

/// The frames of all views of a model, made by the host threads of `space`. Throws as makeKernelFrame() does.
[[nodiscard]] std::vector<KernelFrame> kernelFrames(const DirectModel& model, const CudaSpace& space);
/// The frames with the taps of each view inside `supports` instead of the kernel's own.
[[nodiscard]] std::vector<KernelFrame> kernelFramesWithin(const DirectModel& model,
                                                          const std::vector<SupportAxes>& supports,
                                                          const CudaSpace& space);

/// LORmap and mSR of every view on the device, and what is needed to compute mSRval in any layout.
class HistoTables {
  public:
    /// `frames`: kernelFrames() of the model; not needed any more when this returns.
    HistoTables(const DirectModel& model, const std::vector<KernelFrame>& frames, CudaSpace& space);
    /// From here on values are those of another kernel of the same ids: zero for taps outside its own
    /// supports, by view, which must hold no others than there are; no supports: the taps are its own. Not
    /// for KernelSampling::Voxel.
    void setKernel(const KernelSpec& kernel, const std::vector<SupportAxes>& supports);

    [[nodiscard]] int rows(std::size_t view) const { return views_[view].rows; }
    [[nodiscard]] int radialIds(std::size_t view) const { return views_[view].radialIds; }
    [[nodiscard]] int tapCount(std::size_t view) const { return views_[view].taps; }
    /// Where a view begins in the list of all taps.
    [[nodiscard]] std::size_t tapBegin(std::size_t view) const { return views_[view].tapBegin; }
    [[nodiscard]] std::size_t allTaps() const { return taps_.size(); }
    [[nodiscard]] int idPitch() const { return idPitch_; }

    /// Ids of a view, rows idPitch() apart; elements beyond the lattice are 0.
    [[nodiscard]] DeviceSpan<const std::int32_t> ids(std::size_t view) const;
    /// Taps of a view in order of z, y, x.
    [[nodiscard]] DeviceSpan<const device::Tap> taps(std::size_t view) const;
    [[nodiscard]] std::size_t bytes() const { return ids_.bytes() + taps_.bytes(); }

    /// Where values go: element of view v, row i, tap t at begin[v] + i rowStride[v] + order(t) tapStride[v].
    struct Layout {
        std::vector<std::size_t> begin;
        std::vector<int> rowStride;
        std::vector<int> tapStride;
        DeviceSpan<const std::int32_t> order;  ///< per tap of all views; empty: the tap itself
    };
    /// Computes every view's values (device::computeValues; those of KernelSampling::Voxel on the host) laid
    /// out as `layout` says. Elements between a view's first and last value that no value goes to may become
    /// 0. Waits. Throws BadInput when a row sums to nothing.
    void computeValues(const Layout& layout, DeviceSpan<float> values);
    void computeValues(const Layout& layout, DeviceSpan<std::uint32_t> values);

  private:
    void placeKernel(const KernelSpec& spec);
    void placeProfile(const KernelSpec& spec, int radialIds);
    void placeIds(const Lattice& lattice, const std::vector<KernelFrame>& frames);
    void placeTaps(const std::vector<KernelFrame>& frames);
    template <typename Value>
    void compute(const Layout& layout, DeviceSpan<Value> values);
    template <typename Value>
    void sendFromHost(const Layout& layout, DeviceSpan<Value> values);

    CudaSpace& space_;
    std::optional<DirectModel> averaged_;  ///< a kernel that holds the voxel: the host computes its values
    std::string kernelName_;
    std::vector<device::ViewTable> views_;
    device::TableInput input_;
    int idPitch_ = 0;          ///< elements between rows of an id map
    std::size_t idPlane_ = 0;  ///< elements between two maps
    std::vector<std::size_t> mapOfView_;
    DeviceBuffer<device::ViewTable> viewBuffer_;
    DeviceBuffer<double> radialBuffer_;
    DeviceBuffer<int> radialFirst_;
    DeviceBuffer<std::int32_t> ids_;
    DeviceBuffer<device::Tap> taps_;
};

}  // namespace tof
