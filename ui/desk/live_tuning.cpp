// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/live_tuning.h"

#include <utility>

#include "recon/base/error.h"
#include "recon/work/reconstruct.h"
#include "recon/work/systems.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kRestMs = 16;  ///< live means that news are not waited for
constexpr int kMostIterations = 100;

double toMs(qint64 nanoseconds) {
    return static_cast<double>(nanoseconds) * 1e-6;
}

}  // namespace

LiveTuning::LiveTuning(const RunContext& context, RunQueue& queue, Threading threading)
    : context_(context),
      queue_(queue),
      cache_(std::make_shared<SensitivityCache>()),
      placedData_(std::make_shared<DataHold>()),
      coalescer_(new Coalescer([this] { pump(); }, this)),
      driver_(context.engines, context.runs, threading, kRestMs) {
    clock_.start();
    connect(&driver_, &RunDriver::resultsBegin, this, &LiveTuning::firstImage);
    connect(&driver_, &RunDriver::ended, this,
            [this](int, const std::exception_ptr& fault) { ended(fault); });
    connect(&context_.settings, &SettingsModel::edited, this, &LiveTuning::look);
    connect(&context_.study, &OpenStudy::changed, this, &LiveTuning::forget);
    connect(&context_.runs, &RunList::changed, this, &LiveTuning::giveWay);
}

LiveTuning::~LiveTuning() {
    stop();
}

RunSettings LiveTuning::wanted() const {
    RunSettings settings = context_.settings.current();
    settings.iterations = iterations_;
    return settings;
}

void LiveTuning::setOn(bool on, Begins begins) {
    if (on == on_) {
        return;
    }
    on_ = on;
    pending_ = false;
    seen_ = wanted();
    if (!on) {
        placedData_->clear();
        driver_.cancel();
    } else if (begins == Begins::AtOnce && context_.study.measurement() != nullptr && !isShown()) {
        ask();
        coalescer_->touch();
    }
    Q_EMIT changed();
}

/// True while the selected run has been, or is being, made with the settings of the panel.
bool LiveTuning::isShown() const {
    const RunItem* item = context_.runs.selected();
    return item != nullptr && !item->isVolume() && context_.settings.changedSince(*item).empty();
}

void LiveTuning::ask() {
    if (!pending_) {
        pending_ = true;
        changedAt_ = clock_.nsecsElapsed();
    }
}

void LiveTuning::setIterations(int iterations) {
    if (iterations < 1 || iterations > kMostIterations) {
        throw WrongUse(tr("live tuning: %1 iterations; 1 to %2 can be made")
                           .arg(iterations)
                           .arg(kMostIterations)
                           .toStdString());
    }
    iterations_ = iterations;
    look();
    Q_EMIT changed();
}

/// A setting may have changed.
void LiveTuning::look() {
    const RunSettings now = wanted();
    if (now == seen_) {
        return;
    }
    seen_ = now;
    if (!on_ || !context_.study.measurement()) {
        return;
    }
    ask();
    driver_.cancel();
    Q_EMIT changed();
    coalescer_->touch();
}

/// Another study is open: nothing has changed in it yet.
void LiveTuning::forget() {
    placedData_->clear();
    seen_ = wanted();
    pending_ = false;
    if (runId_ != 0 && context_.runs.find(runId_) == nullptr) {
        runId_ = 0;
        times_.reset();
        driver_.cancel();
    }
}

/// Ordinary runs go first, and get the device's memory.
void LiveTuning::giveWay() {
    if (queue_.active() != nullptr) {
        placedData_->clear();
    }
    if (queue_.active() != nullptr && driver_.busy() && !pending_) {
        pending_ = on_;
        changedAt_ = workChangedAt_;
        driver_.cancel();
    } else if (queue_.active() == nullptr && pending_) {
        coalescer_->touch();
    }
}

void LiveTuning::pump() {
    if (!pending_ || driver_.busy() || queue_.active() != nullptr) {
        return;
    }
    pending_ = false;
    if (!context_.study.measurement()) {
        return;
    }
    RunItem* item = context_.runs.find(runId_);
    if (item == nullptr) {
        item = &context_.runs.add(RunKind::Live, "live");
        runId_ = item->id();
        item->plan(seen_);
    }
    context_.runs.select(item->id());
    inWork_ = seen_;
    fresh_ = false;
    workChangedAt_ = changedAt_;
    workTimes_ = {};
    roiRevision_ = context_.rois.revision();
    const auto& data = context_.study.measurement();
    item->begin(data->hash(), latticeOfRun(*data, inWork_), roiRevision_);
    item->setSystem(data->system());
    item->setUnits(data->units());
    item->show(0);
    ReconstructRequest request;
    request.data = context_.study.measurement();
    request.settings = inWork_;
    request.rois = context_.rois.set();
    request.priority = Priority::Background;
    request.sensitivities = cache_;
    request.placedData = placedData_;
    ++started_;
    Q_EMIT changed();
    driver_.start(*item, std::move(request), roiRevision_);
}

/// The first results of the settings in work take the place of the older ones.
void LiveTuning::firstImage() {
    RunItem* item = context_.runs.find(runId_);
    if (item == nullptr) {
        return;
    }
    fresh_ = true;
    item->rewrite(
        inWork_,
        tr("live, %1").arg(QString::fromStdString(runName(inWork_, context_.study.measurement()->system()))),
        roiRevision_);
    workTimes_.firstImage_ms = toMs(clock_.nsecsElapsed() - workChangedAt_);
}

/// Something newer begins, or it was switched off: then what is there is all there will be.
void LiveTuning::givenUp() {
    RunItem* item = context_.runs.find(runId_);
    if (on_) {
        item->cancel();
    } else if (item->images().empty()) {
        context_.runs.remove(std::exchange(runId_, 0));
    } else {
        item->end(RunState::Finished);
    }
}

void LiveTuning::ended(const std::exception_ptr& fault) {
    if (isCancelled(fault)) {
        ++abandoned_;
    }
    if (RunItem* item = context_.runs.find(runId_)) {
        if (fault == nullptr) {
            workTimes_.iterations = iterations_;
            workTimes_.done_ms = toMs(clock_.nsecsElapsed() - workChangedAt_);
            times_ = workTimes_;
        } else if (isCancelled(fault)) {
            givenUp();
        } else {
            item->fail(ui::sentence(fault));
            // Once: a drag through settings that cannot be used would fill the message centre.
            const QString text = tr("Live tuning: %1").arg(item->error());
            const auto& told = context_.messages.all();
            if (told.empty() || told.back().text != text) {
                context_.messages.add(Severity::Error, text);
            }
        }
    }
    context_.runs.touch();
    Q_EMIT changed();
    pump();
}

void LiveTuning::stop() {
    pending_ = false;
    driver_.cancel();
    driver_.join();
}

QString LiveTuning::sentence() const {
    if (!on_) {
        return {};
    }
    if (pending_ && queue_.active() != nullptr) {
        return tr("Live tuning waits for run %1").arg(queue_.active()->label());
    }
    const RunItem* item = context_.runs.find(runId_);
    if (driver_.busy() && item != nullptr) {
        if (!fresh_ && item->volume() != nullptr) {
            return tr("Live tuning: preparing; the picture is still of the settings before") + QChar(0x2026);
        }
        if (item->state() == RunState::Preparing) {
            return tr("Live tuning: preparing") + QChar(0x2026);
        }
        return tr("Live tuning: iteration %1 of %2, block %3 of %4")
            .arg(item->progress().iteration)
            .arg(iterations_)
            .arg(item->progress().block)
            .arg(item->progress().blocks);
    }
    if (item != nullptr && item->state() == RunState::Failed && item->volume() != nullptr) {
        return tr("Live tuning failed; the picture is of %1: %2").arg(item->name(), item->error());
    }
    if (times_ && item != nullptr && item->state() == RunState::Done) {
        return tr("Live tuning: %1 iterations of run %2 in %3 s, first image after %4 s")
            .arg(times_->iterations)
            .arg(item->label(), compactNumber(times_->done_ms / 1000, 2),
                 compactNumber(times_->firstImage_ms / 1000, 2));
    }
    return tr("Live tuning: change a setting");
}

}  // namespace tof::ui
