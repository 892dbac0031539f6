// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>

#include "ui/kit/coalescer.h"
#include "ui/kit/worker.h"
#include "ui/lab/lab_job.h"

namespace tof::ui {

/// Computes what the kernel lab's state gives, away from the window: the newest state next, nothing waits in
/// a queue.
///
/// One thread makes the kernel and, of point sources, a preview of the projections; a second one projects by
/// the engines, while a drag is going on only once the mouse rests, and gives up at its next step when
/// something changes. An image has no preview: there, a job that is out of date may end within 200 ms (longer
/// where jobs never end in that time). What is shown at rest was always made by the engines.
class LabRunner : public QObject {
    Q_OBJECT

  public:
    /// The state to compute.
    struct Source {
        std::function<void(LabJob&)> describe;  ///< writes state, input, operands, library and radius
        std::function<bool()> dragging;         ///< more changes are to come
    };
    /// `engines` outlives this.
    LabRunner(const EngineRegistry& engines, Threading threading, Source source, QObject* parent = nullptr);
    ~LabRunner() override;

    /// Nothing is computed while nobody looks.
    void setActive(bool active);
    /// The state has changed.
    void touch();
    /// A drag has ended: the engines need not wait for the mouse to rest.
    void settle() {
        if (busy()) {
            coalescer_->touch();
        }
    }
    /// Times every strategy and tests adjointness, once.
    void measure() {
        measureWanted_ = true;
        coalescer_->touch();
    }
    [[nodiscard]] bool measuring() const { return measureWanted_; }

    // Results; null until computed for the first time.
    [[nodiscard]] const std::shared_ptr<const LabKernel>& shownKernel() const { return kernelShown_; }
    [[nodiscard]] const std::shared_ptr<const LabPictures>& pictures() const { return picturesShown_; }
    [[nodiscard]] const std::shared_ptr<const LabTimings>& timings() const { return timings_; }
    /// Why the kernel has no tables; empty when it has.
    [[nodiscard]] QString fault() const { return fault_; }
    /// True while what is shown is not what is set.
    [[nodiscard]] bool busy() const { return active_ && (picturesRevision_ != revision_ || measureWanted_); }
    /// From a change to the first picture of its projections and to the exact one, ms, of the last change
    /// shown; the latter is 0 while a preview is shown.
    [[nodiscard]] double picturesLatency_ms() const { return picturesLatency_; }
    [[nodiscard]] double exactLatency_ms() const { return exactLatency_; }
    /// Since the start; for tests.
    [[nodiscard]] int jobsStarted() const { return jobsStarted_; }

  Q_SIGNALS:
    /// New results are there, or a fault.
    void computed();

  private:
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
    Source source_;
    std::shared_ptr<ViewProjections> projections_;
    bool active_ = false;
    int revision_ = 1;        ///< revision of what is set
    int kernelRevision_ = 0;  ///< revision of what was computed
    int picturesRevision_ = 0;
    bool measureWanted_ = false;
    bool measuringNow_ = false;
    std::shared_ptr<LabJob> job_;                    ///< the job of the newest kernel
    std::shared_ptr<LabJob> exactJob_;               ///< the job of the engines
    std::shared_ptr<const LabPictures> exactShown_;  ///< the last that engines made, and of what
    LabOperand exactOperands_[2];
    int shownRevision_ = 0;  ///< revision of the pictures that are shown
    QTimer rest_;
    QTimer patience_;
    qint64 patience_ms_ = 200;
    QElapsedTimer clock_;
    qint64 changedAt_ = 0;  ///< when the oldest change came that is not yet taken up
    qint64 touchedAt_ = 0;  ///< when the newest change came
    bool changePending_ = false;
    bool waitedFor_ = false;  ///< the change was made on the open page
    double picturesLatency_ = 0;
    double exactLatency_ = 0;
    int jobsStarted_ = 0;
    std::shared_ptr<const LabKernel> kernelShown_;
    std::shared_ptr<const LabPictures> picturesShown_;
    std::shared_ptr<const LabTimings> timings_;
    QString fault_;
    Coalescer* coalescer_;
    Worker quick_;  ///< last: their destructors wait for the jobs
    Worker worker_;
};

}  // namespace tof::ui
