// SPDX-License-Identifier: Apache-2.0
#include "recon/work/arriving_events.h"

#include <algorithm>

namespace tof {

namespace {

constexpr std::size_t kEventsAtATime = std::size_t{1} << 17U;
/// Between looks at a file that does not grow.
constexpr std::chrono::milliseconds kBetweenLooks{5};

}  // namespace

ArrivingEvents::ArrivingEvents(const RecordDecoder& decoder, double until_s)
    : decoder_(decoder),
      until_s_(until_s),
      file_(decoder.recordsFile()),
      bytes_(kEventsAtATime * decoder.recordBytes()) {}

ArrivingEvents::~ArrivingEvents() {
    unwanted_ = true;
}

void ArrivingEvents::start(Take take, std::function<bool()> enough) {
    end_ = std::async(std::launch::async, [this, take = std::move(take), enough = std::move(enough)] {
        try {
            const FollowEnd end = run(take, enough);
            ended_ = true;
            return end;
        } catch (...) {
            ended_ = true;
            throw;
        }
    });
}

FollowEnd ArrivingEvents::wait() {
    return end_.get();
}

/// Bytes that may still come: those that follow the last event that was announced are no part of the list.
std::size_t ArrivingEvents::room() const {
    const std::size_t free = bytes_.size() - held_;
    if (decoder_.announced() == 0) {
        return free;
    }
    const std::uint64_t missing = (decoder_.announced() - events_) * decoder_.recordBytes() - held_;
    return static_cast<std::size_t>(std::min<std::uint64_t>(free, missing));
}

FollowEnd ArrivingEvents::run(const Take& take, const std::function<bool()>& enough) {
    const std::chrono::duration<double> patience(until_s_);
    Clock::time_point grew = Clock::now();
    while (true) {
        if (decoder_.announced() > 0 && events_ == decoder_.announced()) {
            return FollowEnd::Announced;
        }
        const std::size_t got = file_.read({bytes_.data() + held_, room()});
        held_ += got;
        if (got > 0) {
            grew = Clock::now();
            hand(take);
        }
        if (unwanted_ || enough()) {
            return FollowEnd::Asked;
        }
        if (got > 0) {
            continue;
        }
        if (file_.closed()) {
            return FollowEnd::Closed;
        }
        if (until_s_ > 0 && Clock::now() - grew > patience) {
            return FollowEnd::Quiet;
        }
        file_.wait(kBetweenLooks);
    }
}

void ArrivingEvents::hand(const Take& take) {
    const std::size_t whole = held_ / decoder_.recordBytes() * decoder_.recordBytes();
    if (whole == 0) {
        return;
    }
    const Clock::time_point seen = Clock::now();
    decoder_.decode({bytes_.data(), whole}, events_, block_);
    take(block_, events_, seen);
    std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(whole),
              bytes_.begin() + static_cast<std::ptrdiff_t>(held_), bytes_.begin());
    held_ -= whole;
    events_ += block_.size();
}

}  // namespace tof
