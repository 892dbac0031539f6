// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gpu/histo/column_kernels.h"
#include "gpu/histo/histo_tables.h"
#include "gpu/histo/plan_chooser.h"
#include "gpu/space/cuda_space.h"

namespace tof {

/// What a card allows the column kernel.
[[nodiscard]] PlanLimits planLimitsOf(const CudaSpace& space);

/// What the `column` strategy has on the device beside the values of a kernel: ids, taps, plans, and which
/// rows of the table of values every block needs. It serves every kernel whose taps are those of its plans,
/// and when the plans multiply all taps every one whose taps are some of them: so that a change of a width
/// needs new values alone. One kernel at a time; what views() tells is the same for all.
class ColumnTables {
  public:
    /// `frames` of all views of the model, whose taps may be more than the kernel's own when `plans` were
    /// made of PlanForms::AllTaps; `plans` are usable. Neither is needed when this returns.
    /// `histo`: of the frames.
    ColumnTables(const DirectModel& model, const std::vector<KernelFrame>& frames, const ModelPlans& plans,
                 std::unique_ptr<HistoTables> histo, CudaSpace& space);

    /// Whether another model has the same ids, so that supportsOf() its kernel may be asked for.
    [[nodiscard]] bool hasIdsOf(const DirectModel& model) const;
    /// The supports of a kernel, by view.
    [[nodiscard]] std::vector<SupportAxes> supportsOf(const KernelSpec& kernel) const;
    /// Whether the plans serve a kernel of these supports, and are not much wider than it.
    [[nodiscard]] bool serves(const std::vector<SupportAxes>& supports) const;
    /// Supports for plans that are to serve kernels of about these: wider along the axes in which they differ
    /// from what is here, as what changes once changes again.
    [[nodiscard]] std::vector<SupportAxes> widened(std::vector<SupportAxes> supports) const;

    /// From here on values are another kernel's, which serves() said yes to; or the first one's, when its
    /// supports are narrower than the taps.
    void setKernel(const KernelSpec& kernel, const std::vector<SupportAxes>& supports);
    /// Computes the values of the kernel; as many as valueCount(), where views() say. Waits.
    void computeValues(DeviceSpan<std::uint32_t> values);
    [[nodiscard]] std::size_t valueCount() const { return valueCount_; }

    /// What the kernel is given for every view, but for its values and its filter.
    [[nodiscard]] const std::vector<device::ColumnView>& views() const { return views_; }
    /// Where a view begins in the values of all views.
    [[nodiscard]] std::size_t valueBegin(std::size_t view) const { return layout_.begin[view] - kPlanZeros; }
    [[nodiscard]] HistoTables& histo() { return *histo_; }
    /// Planes that a window holds.
    [[nodiscard]] int planes() const { return planes_; }
    /// That a projection takes, roughly; the mean of all views.
    [[nodiscard]] double clocks() const { return clocks_; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct ViewLists;
    void sendPlans(const ModelPlans& plans, CudaSpace& space);
    void listRows(CudaSpace& space);
    void placeValues(const ModelPlans& plans, CudaSpace& space);
    [[nodiscard]] device::ColumnView viewOf(std::size_t v, const ViewPlan& chosen,
                                            const ViewLists& lists) const;

    DirectModel model_;  ///< that the tables were made for
    std::vector<SupportAxes> supports_;
    bool allTaps_ = true;  ///< no plan rests on what its taps are beside each other
    std::unique_ptr<HistoTables> histo_;
    int planes_;
    double clocks_ = 0;
    std::vector<device::ColumnView> views_;
    HistoTables::Layout layout_;
    std::size_t valueCount_ = 0;
    DeviceBuffer<std::int32_t> order_;
    DeviceBuffer<device::BlockPixel> pixels_;
    DeviceBuffer<std::uint16_t> shorts_;
    DeviceBuffer<std::uint16_t> weights_;
    DeviceBuffer<short2> origins_;
    DeviceBuffer<std::uint16_t> rowShorts_;
    DeviceBuffer<device::RowLookup> rowLookups_;
};

}  // namespace tof
