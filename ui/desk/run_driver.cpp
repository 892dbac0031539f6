// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_driver.h"

#include "recon/base/error.h"
#include "recon/io/hdf5/run_io.h"
#include "ui/desk/image_kind.h"
#include "ui/kit/text.h"

namespace tof::ui {

RunDriver::RunDriver(const EngineRegistry& engines, RunList& runs, Threading threading, int rest_ms)
    : engines_(engines), runs_(runs), worker_(threading) {
    rest_.setInterval(rest_ms);
    rest_.setSingleShot(true);
    connect(this, &RunDriver::newsPosted, this, &RunDriver::newsCame, Qt::QueuedConnection);
    connect(&rest_, &QTimer::timeout, this, [this] {
        if (newsWait_) {
            drain();
        }
    });
}

void RunDriver::start(const RunItem& item, ReconstructRequest request, std::uint64_t roiRevision) {
    if (busy()) {
        throw InternalError("a run was started while another one is in work");
    }
    id_ = item.id();
    roiRevision_ = roiRevision;
    hasResults_ = false;
    channel_ = std::make_shared<RunChannel>();
    channel_->setFacts(facts_);
    channel_->setTold([this](RunChannel::NewsOf what) {
        if (what == RunChannel::NewsOf::Iterate) {
            iterateCame_ = true;
        }
        if (!newsPosted_.exchange(true)) {
            Q_EMIT newsPosted();
        }
    });
    request.log = log_;
    if (facts_ != nullptr && request.rois && request.rois->truth != nullptr) {
        request.rois->activity = facts_->knownActivity(request.rois->truth, item.lattice());
    }
    const RunFiles files = request.files;
    const auto result = std::make_shared<Result>();
    runs_.touch();
    worker_.start(
        [request = std::move(request), result, channel = channel_, &engines = engines_] {
            result->run = reconstruct(request, engines, *channel);
            const std::string& file = request.files.runFile;
            if (!file.empty()) {
                RunSummary summary = readRunSummary(file);
                result->saved = std::move(summary.savedImages);
                result->bands = std::move(summary.bandsJson);
            }
            if (request.replicates > 0 && !result->run.finishedEarly) {
                const auto read = [&](ReplicateImage which) {
                    return std::make_shared<Volume>(readReplicates(file, result->run.lastIteration, which));
                };
                result->mean = read(ReplicateImage::Mean);
                result->sd = read(ReplicateImage::Sd);
            }
        },
        [this, result, files](const std::exception_ptr& fault) { finished(fault, files, *result); });
}

void RunDriver::newsCame() {
    newsPosted_ = false;
    if (iterateCame_.exchange(false) || !rest_.isActive()) {
        drain();
    } else {
        newsWait_ = true;
    }
}

void RunDriver::drain() {
    RunItem* row = item();
    if (row == nullptr || channel_ == nullptr) {
        return;
    }
    rest_.start();
    RunNews news = channel_->take();
    bool changed = row->report(news);
    if (news.snapshot != nullptr) {
        snapshot_ = std::move(news.snapshot);
    }
    if (!news.iterates.empty()) {
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
    if (snapshot_ != nullptr && snapshot_->ready()) {
        // What live tuning has made stays until there is a whole iterate of the settings in work.
        if (hasResults_ || !row->isLive() || row->images().empty()) {
            row->showWork(snapshot_->take());
            changed = true;
        }
        snapshot_.reset();
    }
    newsWait_ = snapshot_ != nullptr;
    if (changed) {
        runs_.trim();
        runs_.touch();
    }
}

void RunDriver::finished(const std::exception_ptr& fault, const RunFiles& files, const Result& result) {
    drain();
    rest_.stop();
    newsWait_ = false;
    snapshot_.reset();
    channel_.reset();
    const int id = std::exchange(id_, 0);
    if (RunItem* row = runs_.find(id); row != nullptr && fault == nullptr) {
        row->end(result.run.lastIteration == 0 ? RunState::Cancelled
                 : result.run.finishedEarly    ? RunState::Finished
                                               : RunState::Done);
        if (!files.runFile.empty()) {
            row->setFile(QString::fromStdString(files.runFile), result.saved);
            row->keepBands(result.bands);
        }
        if (result.mean != nullptr) {
            const int replicates = row->replicates();
            runs_.addVolume(Text::tr("mean of %1 replicates").arg(replicates), result.mean, {},
                            ImageKind::Mean);
            runs_.addVolume(Text::tr("SD of %1 replicates").arg(replicates), result.sd, {},
                            ImageKind::Deviation);
        }
    }
    Q_EMIT ended(id, fault, files);
}

// ---- orders ----

void RunDriver::give(RunOrder order) {
    if (RunItem* row = item(); row != nullptr && row->give(order)) {
        runs_.touch();
    }
}

void RunDriver::togglePause() {
    const bool pauses = channel_ != nullptr && !channel_->pauseRequested();
    tell(pauses ? &RunChannel::pause : &RunChannel::resume, pauses ? RunOrder::Pause : RunOrder::None);
}

void RunDriver::tell(void (RunChannel::*what)(), std::optional<RunOrder> order) {
    if (channel_ == nullptr) {
        return;
    }
    (channel_.get()->*what)();
    if (order) {
        give(*order);
    }
}

}  // namespace tof::ui
