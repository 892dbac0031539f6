// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_driver.h"

#include "recon/io/hdf5/run_io.h"
#include "recon/work/logged_run.h"

namespace tof::ui {

RunDriver::RunDriver(const EngineRegistry& engines, RunList& runs, Threading threading, int poll_ms)
    : engines_(engines), runs_(runs), worker_(threading) {
    poll_.setInterval(poll_ms);
    connect(&poll_, &QTimer::timeout, this, &RunDriver::drain);
}

void RunDriver::start(const RunItem& item, Work work) {
    id_ = item.id();
    roiRevision_ = work.roiRevision;
    hasResults_ = false;
    channel_ = std::make_shared<RunChannel>();
    const auto result = std::make_shared<Result>();
    const auto job = std::make_shared<ReconstructionJob>(std::move(work.data), work.settings, engines_,
                                                         work.output, std::move(work.rois));
    poll_.start();
    runs_.touch();
    worker_.start(
        [job, result, channel = channel_, log = log_, &engines = engines_, settings = work.settings,
         runFile = work.output.runFile, prepare = std::move(work.prepare)] {
            if (prepare) {
                channel->preparing("last iterate");
                prepare();
            }
            const auto engine = engines.choose(settings.engine);
            channel->setEngine(engine->name() + ", " + engine->device().name);
            result->job = runLogged(*job, settings, *channel, *log);
            if (!runFile.empty()) {
                result->saved = readRunSummary(runFile).savedImages;
            }
        },
        [this, result, output = work.output](const std::exception_ptr& fault) {
            finished(fault, output, *result);
        });
}

void RunDriver::drain() {
    RunItem* row = item();
    if (row == nullptr || channel_ == nullptr) {
        return;
    }
    RunNews news = channel_->take();
    bool changed = row->report(news);
    if (news.snapshot != nullptr) {
        snapshot_ = std::move(news.snapshot);
    }
    const bool arrived = snapshot_ != nullptr && snapshot_->ready();
    if (arrived || !news.figures.empty() || !news.iterates.empty()) {
        if (!std::exchange(hasResults_, true)) {
            Q_EMIT resultsBegin();
        }
        changed = true;
    }
    for (const Figures& figures : news.figures) {
        row->measured(figures, roiRevision_);
    }
    for (Iterate& iterate : news.iterates) {
        row->addIterate(std::move(iterate));
    }
    if (arrived) {
        row->showWork(snapshot_->take());
        snapshot_.reset();
    }
    if (changed) {
        runs_.trim();
        runs_.touch();
    }
}

void RunDriver::finished(const std::exception_ptr& fault, const JobOutput& output, const Result& result) {
    drain();
    poll_.stop();
    snapshot_.reset();
    channel_.reset();
    const int id = std::exchange(id_, 0);
    if (RunItem* row = runs_.find(id); row != nullptr && fault == nullptr) {
        row->end(result.job.lastIteration == 0 ? RunState::Cancelled
                 : result.job.finishedEarly    ? RunState::Finished
                                               : RunState::Done);
        row->setEngine(QString::fromStdString(result.job.engine));
        if (!output.runFile.empty()) {
            row->setFile(QString::fromStdString(output.runFile), result.saved);
        }
    }
    Q_EMIT ended(id, fault, output);
}

// ---- orders ----

void RunDriver::give(RunOrder order) {
    if (RunItem* row = item(); row != nullptr && row->give(order)) {
        runs_.touch();
    }
}

void RunDriver::togglePause() {
    if (channel_ == nullptr) {
        return;
    }
    if (channel_->pauseRequested()) {
        channel_->resume();
        give(RunOrder::None);
    } else {
        channel_->pause();
        give(RunOrder::Pause);
    }
}

void RunDriver::stepBlock() {
    if (channel_ != nullptr) {
        channel_->stepBlock();
    }
}

void RunDriver::stepIteration() {
    if (channel_ != nullptr) {
        channel_->stepIteration();
    }
}

void RunDriver::finish() {
    if (channel_ != nullptr) {
        channel_->finish();
        give(RunOrder::Finish);
    }
}

void RunDriver::cancel() {
    if (channel_ != nullptr) {
        channel_->cancel();
        give(RunOrder::Cancel);
    }
}

}  // namespace tof::ui
