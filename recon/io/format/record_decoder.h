// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "recon/data/events.h"

namespace tof {

/// List-mode whose records have one size and are events, each by itself: what turns records into events while
/// more of them are still being written. Not thread-safe.
class RecordDecoder {
  public:
    RecordDecoder() = default;
    virtual ~RecordDecoder() = default;
    RecordDecoder(const RecordDecoder&) = delete;
    RecordDecoder& operator=(const RecordDecoder&) = delete;

    /// Everything but the events.
    [[nodiscard]] virtual const EventList& scan() const = 0;
    /// The file or pipe that the records come from.
    [[nodiscard]] virtual std::string recordsFile() const = 0;
    /// The bytes of a record.
    [[nodiscard]] virtual std::size_t recordBytes() const = 0;
    /// How many events the list will have in the end; 0: not stated.
    [[nodiscard]] virtual std::uint64_t announced() const = 0;
    /// Whether correction factors come with the events.
    [[nodiscard]] virtual bool hasFactors() const = 0;
    /// What a user should know of it, one sentence, or empty.
    [[nodiscard]] virtual std::string note() const = 0;
    /// Fills crystals, time_ms and, where there are any, dt_ps of `block` with whole records, whose first one
    /// is event `first` of the list. Throws BadInput.
    virtual void decode(std::span<const std::byte> records, std::uint64_t first, EventList& block) const = 0;
};

}  // namespace tof
