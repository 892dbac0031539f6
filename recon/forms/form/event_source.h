// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "recon/forms/form/bin_context.h"
#include "recon/forms/form/list_scanner.h"
#include "recon/io/format_table.h"

namespace tof {

/// How a form reads list-mode whose format can be read in parts.
enum class ListUse {
    Divided,  ///< in parts, and each of several ranks its share
    Whole     ///< by one process: all of it, or in parts where it is cut by time
};

/// Events of a list that one process bins: all of it, or its share of one that ranks have divided.
struct EventShare {
    EventList events;
    std::uint64_t first = 0;  ///< number of its first event in the list
};

/// What events come from, however a file holds them: a list between crystals, read whole, in parts or by
/// shares of ranks, or bins of another program. Times of flight have the sign that was asked for; a remark is
/// made where they seem to have the other.
class EventSource {
  public:
    /// Gets an event part, the number of its first event, and whom to tell the share done of the part.
    using Counter = std::function<void(std::uint64_t first, const EventList& part,
                                       const std::function<void(double)>& progress)>;

    /// Keeps references. Throws BadInput.
    EventSource(const BinContext& context, const RecognisedFile& file, ListUse use);

    /// Throws WrongUse where the file holds bins of another form than `form`, or the request has corrections
    /// that go with other files.
    void requireFit(const std::string& form) const;

    [[nodiscard]] const RecognisedFile& file() const { return file_; }
    /// What the file holds in place of events between crystals.
    [[nodiscard]] ForeignBins foreign() const { return file_.foreignBins(); }

    /// The list, to be read in parts; null where its format or the form cannot.
    [[nodiscard]] const EventStream* stream() const { return stream_.get(); }
    /// The scanner of the stream, or of the events that share() gave.
    [[nodiscard]] ListScanner& scanner();
    /// The processes that have a share each; the one alone where the list is not divided.
    [[nodiscard]] std::shared_ptr<Communicator> sharers() const;
    /// All events, or, of a list that ranks divide, this rank's share.
    [[nodiscard]] EventShare share();
    /// Every event of the stream by `count`; the next ones are read while some are counted. Sharers take
    /// parts in turn. `progress` gets the share done.
    void forParts(const std::function<void(double)>& progress, const Counter& count);

    /// Bins that are imported, with their note said. Those who correct themselves say what attenuates.
    [[nodiscard]] MeasuredData imported() const;

  private:
    [[nodiscard]] EventList whole();
    [[nodiscard]] EventShare divided();
    void takeTimes(EventList& events) const;
    void checkSign(const EventList& events);

    const BinContext& context_;
    const RecognisedFile& file_;
    std::unique_ptr<const EventStream> stream_;
    std::shared_ptr<Communicator> sharers_;  ///< who reads the stream
    EventList outline_;                      ///< says which scanner a list is of that was read whole
    std::optional<ListScanner> scanner_;
};

}  // namespace tof
