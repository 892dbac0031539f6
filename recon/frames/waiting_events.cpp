// SPDX-License-Identifier: Apache-2.0
#include "recon/frames/waiting_events.h"

namespace tof {

WaitingEvents::WaitingEvents(const std::string& beside) {
    if (!beside.empty()) {
        file_.emplace(beside);
    }
}

void WaitingEvents::append(std::span<const std::uint32_t> cells, std::span<const std::uint32_t> time_ms) {
    for (const std::span<const std::uint32_t> column : {cells, time_ms}) {
        if (file_) {
            file_->append(column);
        } else {
            inMemory_.insert(inMemory_.end(), column.begin(), column.end());
        }
    }
    batches_.push_back(cells.size());
    size_ += cells.size();
}

void WaitingEvents::forEach(const Take& take) const {
    std::uint64_t begin = 0;
    std::vector<std::uint32_t> room;
    for (const std::size_t events : batches_) {
        std::span<const std::uint32_t> batch(inMemory_);
        if (file_) {
            room.resize(2 * events);
            file_->read(begin, room);
            batch = room;
        } else {
            batch = batch.subspan(begin, 2 * events);
        }
        take(batch.first(events), batch.subspan(events));
        begin += 2 * events;
    }
}

}  // namespace tof
