// SPDX-License-Identifier: Apache-2.0
// Lists whose records have one size, read a part at a time. Internal to recon/io.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/bytes/random_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/format.h"

namespace tof {

/// What a record is. Delayed coincidences are counted and left out.
enum class RecordKind { Event, Delayed, Time, Other };

/// Which columns of an EventList are filled: those of EventStream::read(), or all that a file has.
enum class EventColumns { Lines, All };

/// The records of a file from byte `start` on, `bytes` each. Throws BadInput where the last one is not whole
/// and `options` do not take a part.
[[nodiscard]] inline std::uint64_t wholeRecords(const std::string& path, std::uint64_t fileBytes,
                                                std::uint64_t start, std::uint64_t bytes,
                                                const ListReadOptions& options) {
    const std::uint64_t held = fileBytes - std::min(fileBytes, start);
    if (held % bytes != 0 && !options.partial) {
        throw BadInput("{}: ends inside a record of {} bytes; copy it again, or read it with --partial", path,
                       bytes);
    }
    return held / bytes;
}

/// `Coding` has
///   start(), bytes()                    where records begin, and the bytes of one
///   kTagged                             whether some records are no events
///   kind(record)                        what a record is, where kTagged
///   clock(record, clock)                the time after a time record, in units of the file
///   prepare(block, count, columns)      gives the columns of a block their sizes
///   take(record, event, i, block)       fills them; `event` is its number in the list
///   moment(record, clock)               ms since the start of the scan
/// Not thread-safe.
template <class Coding>
class RecordList : public EventStream {
  public:
    struct Counts {
        std::uint64_t events = 0;
        std::uint64_t delayeds = 0;
        std::uint64_t times = 0;
        std::uint64_t others = 0;
        std::uint64_t firstClock = 0;
        std::uint64_t lastClock = 0;
        std::uint64_t backwards = 0;  ///< times that lie before the one before them
    };

    /// `records` of the file are read. Throws BadInput.
    RecordList(const std::string& path, std::uint64_t records, Coding coding)
        : file_(path), records_(records), coding_(std::move(coding)) {
        counts_.events = records_;
        if constexpr (Coding::kTagged) {
            findPlaces();
        }
    }

    [[nodiscard]] const EventList& scan() const override { return scan_; }
    [[nodiscard]] EventList& scan() { return scan_; }
    [[nodiscard]] std::uint64_t size() const override { return counts_.events; }
    [[nodiscard]] bool hasFactors() const override { return coding_.hasFactors(); }
    [[nodiscard]] std::string note() const override { return note_; }
    void setNote(std::string note) { note_ = std::move(note); }
    [[nodiscard]] bool tellsMoments() const override { return true; }
    [[nodiscard]] const Counts& counts() const { return counts_; }
    [[nodiscard]] const Coding& coding() const { return coding_; }
    [[nodiscard]] Coding& coding() { return coding_; }

    void read(std::uint64_t first, std::uint64_t count, EventList& block) const override {
        fill(first, count, block, EventColumns::Lines);
    }
    void readMoments(std::uint64_t first, std::uint64_t count, EventList& block) const override {
        block.time_ms.resize(count);
        forEvents(first, count, [&](std::uint64_t i, const std::byte* record, std::uint64_t clock) {
            block.time_ms[i] = coding_.moment(record, clock);
        });
    }
    /// The whole list with all that the file says of its events. Throws BadInput.
    [[nodiscard]] ListReadResult all() const {
        constexpr std::uint64_t kBytesPerEvent = 25;  // crystals, times, kind, mult, add
        requireMemory(file_.path(), size() * kBytesPerEvent);
        ListReadResult result{scan_, size(), note_};
        fill(0, size(), result.events, EventColumns::All);
        if (tellsMoments()) {
            readMoments(0, size(), result.events);
        }
        return result;
    }

  private:
    /// Where reading can begin.
    struct Place {
        std::uint64_t event = 0;
        std::uint64_t record = 0;
        std::uint64_t clock = 0;
    };

    void fill(std::uint64_t first, std::uint64_t count, EventList& block, EventColumns columns) const {
        coding_.prepare(block, count, columns);
        forEvents(first, count, [&](std::uint64_t i, const std::byte* record, std::uint64_t /*clock*/) {
            coding_.take(record, first + i, i, block);
        });
    }

    /// Calls take(record) from record `next` on, until that says false or the list ends.
    template <typename Take>
    void forRecords(std::uint64_t next, const Take& take) const {
        constexpr std::uint64_t kBuffer = std::uint64_t{1} << 19U;
        const std::uint64_t bytes = coding_.bytes();
        const std::uint64_t most = std::max<std::uint64_t>(kBuffer / bytes, 1);
        std::vector<std::byte> buffer(std::min(most, records_ - std::min(records_, next)) * bytes);
        while (next < records_) {
            const std::uint64_t got = std::min(most, records_ - next);
            file_.read(coding_.start() + next * bytes, {buffer.data(), got * bytes}, "the records");
            for (const std::byte *at = buffer.data(), *const end = at + got * bytes; at != end; at += bytes) {
                if (!take(at)) {
                    return;
                }
            }
            next += got;
        }
    }

    void findPlaces() {
        constexpr std::uint64_t kEvents = 65536;  // between two places
        counts_ = {};
        std::uint64_t record = 0;
        std::uint64_t clock = 0;
        forRecords(0, [&](const std::byte* at) {
            switch (coding_.kind(at)) {
                case RecordKind::Event:
                    if (counts_.events++ % kEvents == 0) {
                        places_.push_back({counts_.events - 1, record, clock});
                    }
                    break;
                case RecordKind::Delayed: ++counts_.delayeds; break;
                case RecordKind::Time: {
                    const std::uint64_t before = std::exchange(clock, coding_.clock(at, clock));
                    counts_.backwards += counts_.times > 0 && clock < before ? 1 : 0;
                    counts_.firstClock = counts_.times++ == 0 ? clock : counts_.firstClock;
                    break;
                }
                case RecordKind::Other: ++counts_.others; break;
            }
            ++record;
            return true;
        });
        counts_.lastClock = clock;
    }

    /// Calls take(i, record, clock) for the events first + i, i < count.
    template <typename Take>
    void forEvents(std::uint64_t first, std::uint64_t count, const Take& take) const {
        if (count == 0) {
            return;
        }
        Place from{first, first, 0};
        if constexpr (Coding::kTagged) {
            const auto behind =
                std::upper_bound(places_.begin(), places_.end(), first,
                                 [](std::uint64_t event, const Place& place) { return event < place.event; });
            from = *std::prev(behind);
        }
        forRecords(from.record, [&](const std::byte* at) {
            if constexpr (Coding::kTagged) {
                const RecordKind kind = coding_.kind(at);
                if (kind == RecordKind::Time) {
                    from.clock = coding_.clock(at, from.clock);
                }
                if (kind != RecordKind::Event) {
                    return true;
                }
            }
            if (from.event >= first) {
                take(from.event - first, at, from.clock);
            }
            return ++from.event < first + count;
        });
    }

    RandomFile file_;
    std::uint64_t records_;
    Coding coding_;
    Counts counts_;
    std::vector<Place> places_;
    EventList scan_;
    std::string note_;
};

/// Says how many delayed coincidences are left out, one sentence, or empty.
[[nodiscard]] inline std::string delayedNote(const std::string& path, std::uint64_t delayeds) {
    return delayeds == 0 ? "" : path + ": " + std::to_string(delayeds) + " delayed coincidences are left out";
}

}  // namespace tof
