// SPDX-License-Identifier: Apache-2.0
// One computation of the kernel lab, away from the window: what it is made from, and what it gives.
#pragma once

#include <QString>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "recon/base/constants.h"
#include "recon/kernel/point_response.h"
#include "recon/lab/projection_comparison.h"
#include "recon/settings/kernel_library.h"

namespace tof::ui {

/// One of the two sides that the lab compares.
struct LabOperand {
    ProjectionKind kind = ProjectionKind::Forward;
    std::string engine = "auto";
    std::string strategy;  ///< empty: the engine's default
    std::string preset;    ///< a kernel to be compared with; empty: the lab's own

    [[nodiscard]] bool operator==(const LabOperand&) const = default;
    /// "forward:cpu:column:variant1"; trailing empty parts are left out.
    [[nodiscard]] QString text() const;
    /// Throws WrongUse for text that is not of that form. The kernel is the rest after the third colon:
    /// preset:NAME has one of its own.
    [[nodiscard]] static LabOperand fromText(const QString& text);
};

/// What the user edits in the lab.
struct LabState {
    KernelSpec kernel;
    double azimuth_deg = 30;
    double tilt_deg = 0;
    std::vector<Vec3> points;  ///< centres of voxels, mm

    [[nodiscard]] View view() const { return {azimuth_deg * kRadPerDeg, tilt_deg * kRadPerDeg}; }
};

/// What the kernel is in the lab's view.
struct LabKernel {
    std::shared_ptr<const KernelOutline> outline;
    std::shared_ptr<const Volume> values;  ///< one row of the tables, offset 0 at the origin
    std::shared_ptr<const Volume> ids;     ///< kernel id of every column, one layer
    KernelMoments moments;                 ///< moments of that row
    int row = 0;
    double s_mm = 0;  ///< |s| that `row` serves: the middle of its bin
    View view;
};

/// The projections on screen: A and B, and their difference.
struct LabPictures : ProjectionComparison {
    /// Maximum intensity projections of A, B and the difference (largest magnitude), by Plane.
    std::shared_ptr<const Volume> mip[3][3];
    /// Points through the definition, to rounding, until the engines have projected them; times and whyNot
    /// are those of the projections before.
    bool preview = false;
};

/// Times of every strategy, and the adjoint test of A's engine.
struct LabTimings {
    std::vector<StrategyTiming> rows;
    std::optional<double> adjointError;
    QString device;
};

/// A state of the lab being computed, in steps that each can be given up: the kernel, a preview of the
/// pictures where there can be one, the pictures, the times.
struct LabJob {
    int revision = 0;
    qint64 changedAt = 0;    ///< ns on the lab's clock
    bool waitedFor = false;  ///< somebody has changed something on the page, which was open
    qint64 startedAt = 0;
    LabState state;
    ProjectionInput input;
    LabOperand operands[2];
    KernelLibrary library{std::string()};       ///< where the operands' kernels are found
    double radius_mm = 0;                       ///< radius of the kernel that is shown
    std::shared_ptr<const LabPictures> before;  ///< the last that engines made for these operands, or null
    std::atomic<bool> abandoned{false};
    bool previewed = false;

    LabKernel kernel;
    LabPictures pictures;
    LabTimings timings;

    /// Throws Cancelled once the job is abandoned.
    void checkpoint() const;
    /// Throws BadInput for a kernel that has no tables.
    void computeKernel();
    /// True when `pictures` hold a preview now.
    [[nodiscard]] bool computePreview();
    void computePictures(ViewProjections& projections);
    void computeTimings(ViewProjections& projections, const EngineRegistry& engines);

  private:
    void show(ProjectionComparison made);
};

}  // namespace tof::ui
