// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "recon/kernel/kernel_edit.h"
#include "ui/kit/controls.h"
#include "ui/lab/lab_runner.h"

namespace tof::ui {

/// |s| and FWHM of the points of a line of width against radius, mm, |s| ascending from 0.
using WidthLine = std::vector<std::pair<double, double>>;

/// A preset as a person reads it: the user's own without what marks it in files and settings.
[[nodiscard]] inline QString presetName(const QString& preset) {
    return preset.startsWith(kPresetPrefix) ? preset.section(':', 1) : preset;
}

/// The kernel lab without its widgets: a kernel, a view, point sources, two ways of projecting them.
/// What it gives is computed by a LabRunner.
class KernelLab : public QObject {
    Q_OBJECT

  public:
    /// `engines` outlives the lab.
    KernelLab(const EngineRegistry& engines, Threading threading, QObject* parent = nullptr);
    ~KernelLab() override;

    /// Nothing is computed while nobody looks.
    void setActive(bool active) { runner_.setActive(active); }
    /// The lattice that points and projections live on; points are kept where they fit.
    void setLattice(const Lattice& lattice);
    [[nodiscard]] const Lattice& lattice() const { return input_.lattice; }
    [[nodiscard]] const EngineRegistry& engines() const { return engines_; }

    // The kernel.
    [[nodiscard]] const KernelSpec& kernel() const { return state_.kernel; }
    /// Throws BadInput naming the field; then nothing has changed. What is dragged is one step of undo until
    /// endEdit().
    void setKernel(KernelSpec kernel, Edit edit = Edit::Whole);
    /// A preset, preset:NAME of the user's own, or a JSON file. Throws WrongUse or BadInput.
    void usePreset(const std::string& nameOrFile);
    /// Where kernels are found by name.
    void setLibrary(const KernelLibrary& library);
    /// Every preset by the name that usePreset() takes, the user's own last.
    [[nodiscard]] const std::vector<std::string>& presets() const { return presets_; }
    /// They are read again: a command may have kept one meanwhile.
    const std::vector<std::string>& readPresets();
    /// The lab's kernel was kept under this name: it is where it comes from now.
    void setOrigin(const QString& preset) {
        origin_ = preset;
        originKernel_ = state_.kernel;
        Q_EMIT edited();
    }
    /// Starts anew from a kernel of that name: nothing to undo. Throws BadInput.
    void startFrom(KernelSpec kernel, const QString& name);
    /// Name of the preset (preset:NAME for the user's own) or file that the kernel came from, the same as a
    /// person reads it, and whether it was changed since.
    [[nodiscard]] QString origin() const { return origin_; }
    [[nodiscard]] QString originName() const { return presetName(origin_); }
    [[nodiscard]] bool changedSinceOrigin() const { return originKernel_ != state_.kernel; }
    enum class Spread { Invariant, Variant, Measured };
    [[nodiscard]] Spread spread() const {
        return !state_.kernel.measured.empty()    ? Spread::Measured
               : state_.kernel.radial.invariant() ? Spread::Invariant
                                                  : Spread::Variant;
    }
    /// Keeps what it leaves, so that going back brings it back. Measured needs a loaded kernel (WrongUse).
    void setSpread(Spread spread);
    [[nodiscard]] bool hasMeasured() const { return !measured_.empty(); }
    void setAsymmetric(bool on) {
        KernelSpec kernel = state_.kernel;
        setKernelSymmetry(kernel, on ? "asymmetric" : "symmetric");
        setKernel(kernel);
    }
    /// Averages the kernel over voxels, or takes its values at their centres.
    void setAveraged(bool on) {
        KernelSpec kernel = state_.kernel;
        setKernelSampling(kernel, on ? "voxel" : "centre");
        setKernel(kernel);
    }

    // Its widths.
    /// The points of the width-against-radius line: the kernel's own, or points that stand for a formula.
    [[nodiscard]] WidthLine knots() const;
    /// Moves a point; neighbours and the first one's |s| = 0 are respected. Invariant kernels move as a
    /// whole.
    void moveKnot(int index, double s_mm, double fwhm_mm, Edit edit = Edit::Whole);
    /// Adds a point and selects it; -1 when one is there already.
    int addKnot(double s_mm, double fwhm_mm);
    void removeKnot(int index, Edit edit = Edit::Whole);
    void selectKnot(int index);
    [[nodiscard]] int selectedKnot() const { return selectedKnot_; }
    /// |s| of the farthest voxel, mm.
    [[nodiscard]] double largestRadius() const;
    /// A number of the kernel by its key: tof, axial, cutoff, step, ratio, shift, weight. Throws WrongUse or
    /// BadInput.
    void setNumber(const std::string& key, double value, Edit edit = Edit::Whole) {
        KernelSpec kernel = state_.kernel;
        setKernelNumber(kernel, key, value);
        setKernel(kernel, edit);
    }
    [[nodiscard]] double number(const std::string& key) const { return kernelNumber(state_.kernel, key); }

    /// Level of the kernel's surface, per cent of its largest value; clamped to 1 to 99.
    [[nodiscard]] double surfacePercent() const { return surfacePercent_; }
    void setSurfacePercent(double percent);

    // The view and the point sources.
    [[nodiscard]] double azimuth_deg() const { return state_.azimuth_deg; }
    [[nodiscard]] double tilt_deg() const { return state_.tilt_deg; }
    /// Brought into [0, 180).
    void setAzimuth(double degrees, Edit edit = Edit::Whole);
    /// Clamped to +-60.
    void setTilt(double degrees, Edit edit = Edit::Whole);
    [[nodiscard]] View view() const { return state_.view(); }
    [[nodiscard]] const std::vector<Vec3>& points() const { return state_.points; }
    /// Adds a source in the voxel nearest to `at`, or selects the one that is there. Returns its index.
    int addPoint(Vec3 at);
    void movePoint(int index, Vec3 to, Edit edit = Edit::Whole);
    void removePoint(int index);
    void clearPoints();
    void selectPoint(int index);
    [[nodiscard]] int selectedPoint() const { return selectedPoint_; }
    /// Where slices are cut and new sources go; a selected source takes it along.
    [[nodiscard]] Vec3 cursor() const { return cursor_; }
    /// Onto the nearest voxel centre.
    void setCursor(Vec3 at);
    /// |s| of a point in this view, mm.
    [[nodiscard]] double radiusOf(Vec3 point) const {
        return std::abs(radialDistance(point, view().axes().r));
    }

    // What is compared.
    /// Tells of every engine with each of its strategies, and without one why it is not there.
    void forEachStrategy(const std::function<void(const std::string& engine, const std::string& strategy,
                                                  const std::string& whyNot)>& tell) const;
    [[nodiscard]] const LabOperand& operand(int side) const { return operands_[side]; }
    void setOperand(int side, const LabOperand& operand);
    /// Projects an image in place of the points; null: the points. It must be on the lab's lattice.
    void setImage(std::shared_ptr<const Volume> image);
    [[nodiscard]] bool projectsImage() const { return input_.image != nullptr; }
    /// Times every strategy and tests adjointness, once.
    void measure() {
        runner_.measure();
        Q_EMIT edited();
    }

    // Undo: kernel, view and points.
    [[nodiscard]] QUndoStack& undoStack() { return undo_; }
    /// Ends a drag: the next one is a step of its own.
    void endEdit() {
        dragging_ = false;
        runner_.settle();
    }

    /// One of the lab's settings by name, as `tofscope --lab KEY=VALUE` sets it. Throws WrongUse or BadInput.
    void set(const QString& key, const QString& value);

    /// Everything that is set, for sessions; results are computed again.
    [[nodiscard]] nlohmann::json toJson() const;
    /// Missing or unusable fields keep their values; there is nothing to undo afterwards.
    void fromJson(const nlohmann::json& saved);

    /// What is computed of all this.
    [[nodiscard]] const LabRunner& results() const { return runner_; }

  Q_SIGNALS:
    /// Something that is set has changed.
    void edited();
    /// New results are there, or a fault.
    void computed();

  private:
    class Step;
    void touch() {
        runner_.touch();
        Q_EMIT edited();
    }
    /// To be called before a change: makes it a step of its own, or part of the drag it belongs to.
    void remember(Edit edit);
    void change(double& setting, double value, Edit edit);
    void swapState(LabState& other);
    void describe(LabJob& job) const;

    const EngineRegistry& engines_;
    LabState state_;
    ProjectionInput input_;
    LabOperand operands_[2];
    KernelLibrary library_{std::string()};
    std::vector<std::string> presets_ = KernelSpec::presetNames();
    double surfacePercent_ = 50;
    QString origin_;
    KernelSpec originKernel_;
    std::vector<MeasuredProfile> measured_;  ///< the last that were loaded
    WidthLine variant_;                      ///< widths before Invariant was chosen
    int selectedKnot_ = 0;
    int selectedPoint_ = -1;
    Vec3 cursor_;
    QUndoStack undo_;
    bool dragging_ = false;
    LabRunner runner_;
};

}  // namespace tof::ui
