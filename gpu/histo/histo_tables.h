// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gpu/histo/table_kernels.h"
#include "gpu/space/cuda_space.h"
#include "recon/seam/system_model.h"

namespace tof {

/// LORmap and mSR of every view on the device, and what is needed to compute mSRval in any layout.
class HistoTables {
  public:
    /// Builds ids and taps on the device. Throws BadInput for kernels that the host would refuse too.
    HistoTables(const DirectModel& model, CudaSpace& space);

    [[nodiscard]] int views() const { return static_cast<int>(frames_.size()); }
    [[nodiscard]] const device::ViewFrame& frame(std::size_t view) const { return frames_[view]; }
    [[nodiscard]] int idPitch() const { return input_.idPitch; }
    [[nodiscard]] int maxRows() const { return maxRows_; }
    [[nodiscard]] int maxTaps() const { return maxTaps_; }
    [[nodiscard]] std::size_t allTaps() const { return allTaps_; }

    /// Device memory: ids of a view, rows idPitch() apart.
    [[nodiscard]] const std::int32_t* ids(std::size_t view) const;
    /// Device memory: taps of a view in order of z, y, x.
    [[nodiscard]] const device::Tap* taps(std::size_t view) const {
        return taps_.get() + frames_[view].tapBegin;
    }
    /// All taps of all views on the host; a view's start at frame(view).tapBegin.
    [[nodiscard]] std::vector<device::Tap> downloadTaps() const;
    [[nodiscard]] std::vector<std::int32_t> downloadIds(std::size_t view) const;
    [[nodiscard]] std::size_t bytes() const { return ids_.bytes() + taps_.bytes(); }

    /// Where values go: element of view v, row i, tap t at begin[v] + i rowStride[v] + order(t) tapStride[v].
    struct Layout {
        std::vector<std::size_t> begin;
        std::vector<int> rowStride;
        std::vector<int> tapStride;
        const std::int32_t* order = nullptr;  ///< device memory, per tap of all views; null: the tap itself
    };
    /// Computes every view's values into device memory laid out as `layout` says. Waits. Throws BadInput when
    /// a row sums to nothing.
    void computeValues(const Layout& layout, device::ValueForm form, void* values);

  private:
    CudaSpace& space_;
    std::string kernelName_;
    std::vector<device::ViewFrame> frames_;
    device::TableInput input_;
    int maxRows_ = 0;
    int maxTaps_ = 0;
    std::size_t allTaps_ = 0;
    DeviceBuffer<device::ViewFrame> frameBuffer_;
    DeviceBuffer<double> radialBuffer_;
    DeviceBuffer<int> radialFirst_;
    DeviceBuffer<std::int32_t> ids_;
    DeviceBuffer<device::Tap> taps_;
};

}  // namespace tof
