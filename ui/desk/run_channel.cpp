// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_channel.h"

#include <algorithm>
#include <chrono>

#include "recon/base/error.h"

namespace tof::ui {

namespace {

double steadySeconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

RunChannel::RunChannel(Seconds clock, double snapshotsPerSecond)
    : clock_(clock ? std::move(clock) : Seconds(steadySeconds)),
      snapshotInterval_(1.0 / snapshotsPerSecond) {}

void RunChannel::setGait(Gait gait) {
    const std::lock_guard lock(mutex_);
    gait_ = gait;
    blockDone_ = iterateDone_ = false;
    changed_.notify_all();
}

void RunChannel::end(bool& how) {
    const std::lock_guard lock(mutex_);
    how = true;
    changed_.notify_all();
}

RunNews RunChannel::take() {
    const std::lock_guard lock(mutex_);
    RunNews news = std::move(news_);
    news_ = RunNews();
    news_.preparing = news.preparing;
    news_.preparedShare = news.preparedShare;
    news.paused = standing_;
    news.remainingSeconds = eta_.remaining_s();
    if (firstBlock_ && !standing_) {
        news.workSeconds = clock_() - *firstBlock_ - pausedSeconds_;
    }
    return news;
}

bool RunChannel::pauseRequested() const {
    const std::lock_guard lock(mutex_);
    return gait_ == Gait::Pause;
}

template <typename Change>
void RunChannel::note(NewsOf what, const Change& change) {
    {
        const std::lock_guard lock(mutex_);
        change();
    }
    if (told_) {
        told_(what);
    }
}

void RunChannel::engineChosen(const std::string& engine) {
    note(NewsOf::Other, [&] { news_.engine = engine; });
}

void RunChannel::standStill(std::unique_lock<std::mutex>& lock) {
    const double since = clock_();
    standing_ = true;
    if (told_) {
        lock.unlock();
        told_(NewsOf::Other);
        lock.lock();
    }
    changed_.wait(lock, [this] { return gait_ != Gait::Pause || cancel_ || finish_; });
    standing_ = false;
    pausedSeconds_ += clock_() - since;
}

void RunChannel::checkpoint() {
    std::unique_lock lock(mutex_);
    if ((gait_ == Gait::StepBlock && blockDone_) || (gait_ == Gait::StepIteration && iterateDone_)) {
        gait_ = Gait::Pause;
    }
    const bool stands = gait_ == Gait::Pause && !cancel_ && !finish_;
    if (stands) {
        standStill(lock);
    }
    if (cancel_) {
        throw Cancelled();
    }
    lock.unlock();
    if (stands && told_) {
        told_(NewsOf::Other);  // it goes on
    }
}

bool RunChannel::finishRequested() {
    const std::lock_guard lock(mutex_);
    return finish_;
}

void RunChannel::progress(const RunProgress& progress) {
    note(NewsOf::Other, [&] {
        blockDone_ = true;
        news_.progress = progress;
        news_.preparing.clear();
        news_.preparedShare.reset();
        const double now = clock_();
        if (!firstBlock_) {
            firstBlock_ = now;
            pausedSeconds_ = 0;
        }
        const auto passes = static_cast<std::size_t>(progress.iteration - 1);
        const auto steps = static_cast<double>(progress.iterations) * static_cast<double>(progress.blocks);
        eta_.add(now - *firstBlock_ - pausedSeconds_,
                 static_cast<double>(passes * progress.blocks + progress.block) / std::max(1.0, steps));
    });
}

bool RunChannel::wantsSnapshot() {
    const std::lock_guard lock(mutex_);
    return clock_() - lastSnapshot_ >= snapshotInterval_;
}

void RunChannel::offer(const RunProgress& progress, std::unique_ptr<Snapshot> snapshot) {
    note(NewsOf::Other, [&] {
        lastSnapshot_ = clock_();
        news_.snapshot = std::move(snapshot);
        news_.snapshotProgress = progress;
    });
}

/// A run that is stepped stands still after the iterate that it shows.
bool RunChannel::wantsIteratesAtOnce() {
    const std::lock_guard lock(mutex_);
    return gait_ != Gait::Go;
}

void RunChannel::iterateDone(Iterate iterate) {
    if (facts_ != nullptr && iterate.image != nullptr) {
        facts_->range(iterate.image);
    }
    note(NewsOf::Iterate, [&] {
        iterateDone_ = true;
        news_.snapshot.reset();
        news_.figures.insert(news_.figures.end(), figures_.begin(), figures_.end());
        figures_.clear();
        news_.iterates.push_back(std::move(iterate));
    });
}

void RunChannel::preparing(const std::string& what) {
    note(NewsOf::Other, [&] {
        news_.preparing = what;
        news_.preparedShare.reset();
    });
}

void RunChannel::shareReady(const std::string& what, double share) {
    note(NewsOf::Other, [&] {
        news_.preparing = what;
        news_.preparedShare = share;
    });
}

void RunChannel::memory(const RunMemory& memory) {
    note(NewsOf::Other, [&] { news_.memory = memory; });
}

void RunChannel::figures(const Figures& figures) {
    const std::lock_guard lock(mutex_);
    figures_.push_back(figures);
}

}  // namespace tof::ui
