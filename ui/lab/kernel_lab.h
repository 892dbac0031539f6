// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>
#include <memory>
#include <vector>

#include "ui/kit/coalescer.h"
#include "ui/kit/edit.h"
#include "ui/kit/worker.h"
#include "ui/lab/lab_job.h"
#include "ui/lab/width_line.h"

namespace tof::ui {

/// The kernel lab without its widgets: a kernel, a view, point sources, two ways of projecting them.
///
/// Everything is computed away from the window, the newest state next, and nothing waits in a queue. One
/// thread makes the kernel and, of point sources, a preview of the projections; a second one projects by the
/// engines, while a drag is going on only once the mouse rests, and gives up at its next step when something
/// changes. An image has no preview: there, a job that is out of date may end within 200 ms (longer where
/// jobs never end in that time). What is shown at rest was always made by the engines.
class KernelLab : public QObject {
    Q_OBJECT

  public:
    /// `engines` outlives the lab.
    KernelLab(const EngineRegistry& engines, Threading threading, QObject* parent = nullptr);
    ~KernelLab() override;

    /// Nothing is computed while nobody looks.
    void setActive(bool active);
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
    [[nodiscard]] const KernelLibrary& library() const { return library_; }
    /// The lab's kernel was kept under this name: it is where it comes from now.
    void setOrigin(const QString& preset);
    /// Starts anew from a kernel of that name: nothing to undo. Throws BadInput.
    void startFrom(KernelSpec kernel, const QString& name);
    /// Name of the preset (preset:NAME for the user's own) or file that the kernel came from, the same as a
    /// person reads it, and whether it was changed since.
    [[nodiscard]] QString origin() const { return origin_; }
    [[nodiscard]] QString originName() const;
    [[nodiscard]] bool changedSinceOrigin() const;
    enum class Spread { Invariant, Variant, Measured };
    [[nodiscard]] Spread spread() const;
    /// Keeps what it leaves, so that going back brings it back. Measured needs a loaded kernel (WrongUse).
    void setSpread(Spread spread);
    [[nodiscard]] bool hasMeasured() const { return !measured_.empty(); }
    void setAsymmetric(bool on);

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
    void setNumber(const std::string& key, double value, Edit edit = Edit::Whole);
    [[nodiscard]] double number(const std::string& key) const;

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
    [[nodiscard]] View view() const;
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
    [[nodiscard]] double radiusOf(Vec3 point) const;

    // What is compared.
    [[nodiscard]] const LabOperand& operand(int side) const { return operands_[side]; }
    void setOperand(int side, const LabOperand& operand);
    /// Projects an image in place of the points; null: the points. It must be on the lab's lattice.
    void setImage(std::shared_ptr<const Volume> image);
    [[nodiscard]] bool projectsImage() const { return input_.image != nullptr; }
    /// Times every strategy and tests adjointness, once.
    void measure();
    [[nodiscard]] bool measuring() const { return measureWanted_; }

    // Undo: kernel, view and points.
    [[nodiscard]] QUndoStack& undoStack() { return undo_; }
    /// Ends a drag: the next one is a step of its own.
    void endEdit();

    /// One of the lab's settings by name, as `tofscope --lab KEY=VALUE` sets it. Throws WrongUse or BadInput.
    void set(const QString& key, const QString& value);
    [[nodiscard]] static QStringList keys();

    /// Everything that is set, for sessions; results are computed again.
    [[nodiscard]] QJsonObject toJson() const;
    /// Missing or unusable fields keep their values; there is nothing to undo afterwards.
    void fromJson(const QJsonObject& saved);

    // Results; null until computed for the first time.
    [[nodiscard]] const std::shared_ptr<const LabKernel>& shownKernel() const { return kernelShown_; }
    [[nodiscard]] const std::shared_ptr<const LabPictures>& pictures() const { return picturesShown_; }
    [[nodiscard]] const std::shared_ptr<const LabTimings>& timings() const { return timings_; }
    /// Why the kernel has no tables; empty when it has.
    [[nodiscard]] QString fault() const { return fault_; }
    /// True while what is shown is not what is set.
    [[nodiscard]] bool busy() const;
    /// From a change to its kernel, to the first picture of its projections and to the exact one, ms, of the
    /// last change shown; the last is 0 while a preview is shown.
    [[nodiscard]] double kernelLatency_ms() const { return kernelLatency_; }
    [[nodiscard]] double picturesLatency_ms() const { return picturesLatency_; }
    [[nodiscard]] double exactLatency_ms() const { return exactLatency_; }
    /// Jobs begun and given up since the start; for tests.
    [[nodiscard]] int jobsStarted() const { return jobsStarted_; }
    [[nodiscard]] int jobsAbandoned() const { return jobsAbandoned_; }

  Q_SIGNALS:
    /// Something that is set has changed.
    void edited();
    /// New results are there, or a fault.
    void computed();

  private:
    class Step;
    void touch();
    /// To be called before a change: makes it a step of its own, or part of the drag it belongs to.
    void remember(Edit edit);
    void swapState(LabState& other);
    void pump();
    void startQuick();
    void quickDone(const std::shared_ptr<LabJob>& job, const std::exception_ptr& fault);
    void continueExact();
    [[nodiscard]] int restMs() const;
    void startPictures();
    void picturesDone(const std::shared_ptr<LabJob>& job, const std::exception_ptr& fault);
    void startMeasuring();
    void giveUpWhenOld();

    const EngineRegistry& engines_;
    std::shared_ptr<ViewProjections> projections_;
    LabState state_;
    ProjectionInput input_;
    LabOperand operands_[2];
    KernelLibrary library_{std::string()};
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

    bool active_ = false;
    int revision_ = 1;        ///< of what is set
    int kernelRevision_ = 0;  ///< of what was computed
    int picturesRevision_ = 0;
    bool measureWanted_ = false;
    bool measuringNow_ = false;
    std::shared_ptr<LabJob> job_;                    ///< of the newest kernel
    std::shared_ptr<LabJob> exactJob_;               ///< of the engines
    std::shared_ptr<const LabPictures> exactShown_;  ///< the last that engines made, and of what
    LabOperand exactOperands_[2];
    int shownRevision_ = 0;  ///< of the pictures that are shown
    QTimer rest_;
    QTimer patience_;
    qint64 patience_ms_ = 200;
    QElapsedTimer clock_;
    qint64 changedAt_ = 0;  ///< of the oldest change not yet taken up
    qint64 touchedAt_ = 0;  ///< of the newest change
    bool changePending_ = false;
    double kernelLatency_ = 0;
    double picturesLatency_ = 0;
    double exactLatency_ = 0;
    int jobsStarted_ = 0;
    int jobsAbandoned_ = 0;
    std::shared_ptr<const LabKernel> kernelShown_;
    std::shared_ptr<const LabPictures> picturesShown_;
    std::shared_ptr<const LabTimings> timings_;
    QString fault_;
    Coalescer* coalescer_;
    Worker quick_;  ///< last: their destructors wait for the jobs
    Worker worker_;
};

}  // namespace tof::ui
