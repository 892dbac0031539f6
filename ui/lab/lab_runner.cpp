// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/lab_runner.h"

#include <algorithm>

namespace tof::ui {

namespace {

// Without a preview: a job that is out of date may still finish within this time. Where that is never enough,
// with kernels of tens of thousands of taps, it grows: a long drag shows fewer pictures then, but not none.
constexpr qint64 kPatience_ms = 200;
constexpr qint64 kMostPatience_ms = 1600;
constexpr qint64 kRest_ms = 80;  ///< that the mouse stands still before the engines project, during a drag

qint64 toMs(qint64 nanoseconds) {
    return nanoseconds / 1000000;
}

}  // namespace

LabRunner::LabRunner(const EngineRegistry& engines, Threading threading, Source source, QObject* parent)
    : QObject(parent),
      engines_(engines),
      source_(std::move(source)),
      coalescer_(new Coalescer([this] { pump(); }, this)),
      quick_(threading),
      worker_(threading) {
    EngineOptions options;
    options.priority = Priority::Background;
    options.measurePlans = false;  // a plan serves one kernel's padding; searching takes longer than it saves
    projections_ = std::make_shared<ViewProjections>(engines_, options);
    clock_.start();
    patience_.setSingleShot(true);
    connect(&patience_, &QTimer::timeout, this, &LabRunner::giveUpWhenOld);
    rest_.setSingleShot(true);
    connect(&rest_, &QTimer::timeout, this, &LabRunner::pump);
}

LabRunner::~LabRunner() {
    for (const auto& job : {job_, exactJob_}) {
        if (job != nullptr) {
            job->abandoned = true;
        }
    }
}

void LabRunner::setActive(bool active) {
    active_ = active;
    if (active) {
        waitedFor_ = false;  // what came before was no change of this page
        coalescer_->touch();
    }
}

void LabRunner::touch() {
    ++revision_;
    if (!changePending_ || !active_) {
        changePending_ = true;
        changedAt_ = clock_.nsecsElapsed();
        waitedFor_ = active_;
    }
    touchedAt_ = clock_.nsecsElapsed();
    if (measuringNow_) {
        exactJob_->abandoned = true;  // times of another state are of no use
    }
    measureWanted_ = false;
    timings_.reset();
    coalescer_->touch();
}

void LabRunner::giveUpWhenOld() {
    if (exactJob_ != nullptr && worker_.busy() && exactJob_->revision != revision_) {
        exactJob_->abandoned = true;
    }
}

void LabRunner::pump() {
    if (!active_) {
        return;
    }
    if (!quick_.busy() && kernelRevision_ != revision_) {
        startQuick();
    }
    continueExact();
}

/// ms that the mouse has still to rest.
int LabRunner::restMs() const {
    return source_.dragging()
               ? static_cast<int>(std::max<qint64>(0, kRest_ms - toMs(clock_.nsecsElapsed() - touchedAt_)))
               : 0;
}

void LabRunner::continueExact() {
    if (worker_.busy()) {
        if (exactJob_->revision != revision_ && !exactJob_->abandoned) {
            // Previews go on, so nothing is lost; without them a long drag would show nothing.
            const qint64 age = toMs(clock_.nsecsElapsed() - exactJob_->startedAt);
            patience_.start(exactJob_->previewed ? 0
                                                 : static_cast<int>(std::max<qint64>(0, patience_ms_ - age)));
        }
        return;
    }
    if (job_ == nullptr || quick_.busy()) {
        return;
    }
    if (picturesRevision_ < kernelRevision_ && kernelRevision_ == job_->revision && !job_->abandoned) {
        if (!job_->previewed || (job_->revision == revision_ && restMs() == 0)) {
            startPictures();  // without a preview also of a state that is no longer the newest
        } else if (job_->revision == revision_) {
            rest_.start(restMs());
        }
    } else if (measureWanted_ && kernelRevision_ == revision_) {
        startMeasuring();
    }
}

void LabRunner::startQuick() {
    job_ = std::make_shared<LabJob>();
    job_->revision = revision_;
    job_->changedAt = changePending_ ? changedAt_ : clock_.nsecsElapsed();
    job_->waitedFor = changePending_ && waitedFor_;
    changePending_ = false;
    source_.describe(*job_);
    if (exactOperands_[0] == job_->operands[0] && exactOperands_[1] == job_->operands[1]) {
        job_->before = exactShown_;
    }
    ++jobsStarted_;
    quick_.start(
        [job = job_] {
            job->computeKernel();
            static_cast<void>(job->computePreview());
        },
        [this, job = job_](const std::exception_ptr& fault) { quickDone(job, fault); });
}

void LabRunner::quickDone(const std::shared_ptr<LabJob>& job, const std::exception_ptr& fault) {
    kernelRevision_ = job->revision;
    if (fault == nullptr) {
        fault_.clear();
        kernelShown_ = std::make_shared<const LabKernel>(job->kernel);
        if (job->previewed) {
            picturesShown_ = std::make_shared<const LabPictures>(job->pictures);
            shownRevision_ = job->revision;
            picturesLatency_ =
                job->waitedFor ? static_cast<double>(clock_.nsecsElapsed() - job->changedAt) * 1e-6 : 0;
            exactLatency_ = 0;
        }
    } else {
        fault_ = sentence(fault);
        picturesRevision_ = job->revision;  // nothing can be projected
        picturesShown_.reset();
    }
    Q_EMIT computed();
    pump();
}

void LabRunner::startPictures() {
    exactJob_ = job_;
    exactJob_->startedAt = clock_.nsecsElapsed();
    worker_.start([job = job_, projections = projections_] { job->computePictures(*projections); },
                  [this, job = job_](const std::exception_ptr& fault) { picturesDone(job, fault); });
    if (worker_.busy()) {
        continueExact();  // starts the patience of a job that was out of date from the start
    }
}

void LabRunner::picturesDone(const std::shared_ptr<LabJob>& job, const std::exception_ptr& fault) {
    patience_.stop();
    const bool shows = !job->previewed || job->revision == shownRevision_;  // else a newer preview is shown
    const qint64 now = clock_.nsecsElapsed();
    if (isCancelled(fault)) {
        patience_ms_ = std::min(2 * patience_ms_, kMostPatience_ms);
    } else {
        picturesRevision_ = std::max(picturesRevision_, job->revision);
        patience_ms_ = std::clamp(2 * toMs(now - job->startedAt), kPatience_ms, kMostPatience_ms);
    }
    if (fault == nullptr) {
        exactShown_ = std::make_shared<const LabPictures>(job->pictures);
        exactOperands_[0] = job->operands[0];
        exactOperands_[1] = job->operands[1];
        if (shows) {
            picturesShown_ = exactShown_;
            shownRevision_ = job->revision;
            exactLatency_ = job->waitedFor ? static_cast<double>(now - job->changedAt) * 1e-6 : 0;
            picturesLatency_ = job->previewed ? picturesLatency_ : exactLatency_;
        }
    } else if (!isCancelled(fault) && shows) {
        fault_ = sentence(fault);
        picturesShown_.reset();
    }
    Q_EMIT computed();
    pump();
}

void LabRunner::startMeasuring() {
    measuringNow_ = true;
    exactJob_ = job_;
    worker_.start([job = job_, projections = projections_,
                   &engines = engines_] { job->computeTimings(*projections, engines); },
                  [this, job = job_](const std::exception_ptr& fault) {
                      measuringNow_ = false;
                      if (fault == nullptr) {
                          timings_ = std::make_shared<const LabTimings>(job->timings);
                          measureWanted_ = false;
                      } else if (!isCancelled(fault)) {
                          fault_ = sentence(fault);
                          measureWanted_ = false;
                      }
                      job->abandoned = false;
                      Q_EMIT computed();
                      pump();
                  });
}

}  // namespace tof::ui
