// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <vector>

#include "recon/data/events.h"
#include "recon/io/bytes/growing_file.h"
#include "recon/io/format/record_decoder.h"
#include "recon/work/follow_end.h"

namespace tof {

/// Events of a growing list, in blocks as they come, by a thread of its own. What is there of a record that
/// is not whole waits for the rest.
class ArrivingEvents {
  public:
    using Clock = std::chrono::steady_clock;
    /// Gets a block, the number of its first event and when its bytes were seen.
    using Take = std::function<void(const EventList& block, std::uint64_t first, Clock::time_point seen)>;

    /// Opens the records' file. Keeps references. Throws BadInput.
    ArrivingEvents(const RecordDecoder& decoder, double until_s);
    ArrivingEvents(const ArrivingEvents&) = delete;
    ArrivingEvents& operator=(const ArrivingEvents&) = delete;
    ~ArrivingEvents();

    [[nodiscard]] bool fromPipe() const { return file_.isPipe(); }
    /// Begins to hand events to `take`, in the other thread, until the list ends or `enough` says so.
    void start(Take take, std::function<bool()> enough);
    /// Whether it has ended, by itself or with an error.
    [[nodiscard]] bool ended() const { return ended_; }
    /// Waits for the end, and throws what has ended it.
    [[nodiscard]] FollowEnd wait();
    /// Events that were handed on.
    [[nodiscard]] std::uint64_t events() const { return events_; }
    /// Bytes behind the last whole record; valid after wait().
    [[nodiscard]] std::size_t leftBytes() const { return held_; }

  private:
    [[nodiscard]] FollowEnd run(const Take& take, const std::function<bool()>& enough);
    [[nodiscard]] std::size_t room() const;
    void hand(const Take& take);

    const RecordDecoder& decoder_;
    double until_s_;
    GrowingFile file_;
    std::vector<std::byte> bytes_;
    std::size_t held_ = 0;  ///< bytes that no event has been made of
    EventList block_;
    std::atomic<std::uint64_t> events_ = 0;
    std::atomic<bool> unwanted_ = false;
    std::atomic<bool> ended_ = false;
    std::future<FollowEnd> end_;  ///< last: waits before what it uses goes
};

}  // namespace tof
