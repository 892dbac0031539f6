// SPDX-License-Identifier: Apache-2.0
// What the kernel lab computes when: one job at a time, the newest state next.
#include <algorithm>

#include "ui/models/kernel_lab.h"

namespace tof::ui {

namespace {

// A job that is out of date may still finish within this time. Where that is never enough, with kernels of
// tens of thousands of taps, it grows: a long drag shows fewer pictures then, but not none.
constexpr qint64 kPatience_ms = 200;
constexpr qint64 kMostPatience_ms = 1600;

}  // namespace

bool KernelLab::busy() const {
    return active_ && (picturesRevision_ != revision_ || measureWanted_);
}

void KernelLab::giveUpWhenOld() {
    if (job_ != nullptr && worker_.busy() && job_->revision != revision_) {
        job_->abandoned = true;
    }
}

void KernelLab::pump() {
    if (!active_) {
        return;
    }
    if (worker_.busy()) {
        if (job_->revision != revision_ && !job_->abandoned) {
            const qint64 age = (clock_.nsecsElapsed() - job_->startedAt) / 1000000;
            patience_.start(static_cast<int>(std::max<qint64>(0, patience_ms_ - age)));
        }
        return;
    }
    if (job_ != nullptr && kernelRevision_ == job_->revision && picturesRevision_ < kernelRevision_ &&
        !job_->abandoned) {
        startPictures();  // also for a state that is no longer the newest: else a long drag shows none
    } else if (kernelRevision_ != revision_) {
        startKernel();
    } else if (measureWanted_) {
        startMeasuring();
    }
}

void KernelLab::startKernel() {
    job_ = std::make_shared<LabJob>();
    job_->revision = revision_;
    job_->changedAt = changePending_ ? changedAt_ : clock_.nsecsElapsed();
    changePending_ = false;
    job_->startedAt = clock_.nsecsElapsed();
    job_->state = state_;
    job_->input = input_;
    job_->input.points.clear();
    for (const Vec3& p : state_.points) {
        job_->input.points.push_back(nearestVoxel(input_.lattice, p));
    }
    job_->operands[0] = operands_[0];
    job_->operands[1] = operands_[1];
    job_->library = library_;
    const auto line = knots();
    job_->radius_mm = line[static_cast<std::size_t>(selectedKnot_)].first;
    ++jobsStarted_;
    worker_.start([job = job_] { job->computeKernel(); },
                  [this, job = job_](const std::exception_ptr& fault) {
                      kernelRevision_ = job->revision;
                      if (fault == nullptr) {
                          fault_.clear();
                          kernelShown_ = std::make_shared<const LabKernel>(job->kernel);
                          kernelLatency_ = static_cast<double>(clock_.nsecsElapsed() - job->changedAt) * 1e-6;
                      } else {
                          fault_ = sentence(fault);
                          picturesRevision_ = job->revision;  // nothing can be projected
                          picturesShown_.reset();
                      }
                      Q_EMIT computed();
                      pump();
                  });
}

void KernelLab::startPictures() {
    job_->startedAt = clock_.nsecsElapsed();
    worker_.start([job = job_, projections = projections_] { job->computePictures(*projections); },
                  [this, job = job_](const std::exception_ptr& fault) {
                      patience_.stop();
                      picturesRevision_ = job->revision;
                      if (fault == nullptr) {
                          picturesShown_ = std::make_shared<const LabPictures>(job->pictures);
                          picturesLatency_ =
                              static_cast<double>(clock_.nsecsElapsed() - job->changedAt) * 1e-6;
                          const qint64 took = (clock_.nsecsElapsed() - job->startedAt) / 1000000;
                          patience_ms_ = std::clamp(2 * took, kPatience_ms, kMostPatience_ms);
                      } else if (isCancelled(fault)) {
                          ++jobsAbandoned_;
                          patience_ms_ = std::min(2 * patience_ms_, kMostPatience_ms);
                      } else {
                          fault_ = sentence(fault);
                          picturesShown_.reset();
                      }
                      Q_EMIT computed();
                      pump();
                  });
    if (worker_.busy()) {
        pump();  // starts the patience of a job that was out of date from the start
    }
}

void KernelLab::startMeasuring() {
    measuringNow_ = true;
    worker_.start([job = job_, projections = projections_,
                   &engines = engines_] { job->computeTimings(*projections, engines); },
                  [this, job = job_](const std::exception_ptr& fault) {
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
