// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/form/event_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <future>

#include "recon/base/error.h"
#include "recon/binning/tof_check.h"
#include "recon/ranks/on_first.h"
#include "recon/ranks/rank_range.h"

namespace tof {

namespace {

/// What reads a list in parts; null where it is read whole.
std::unique_ptr<const EventStream> streamOf(const BinContext& context, const RecognisedFile& file,
                                            ListUse use) {
    const BinRequest& request = context.request();
    if (use == ListUse::Whole && !request.cut()) {
        return nullptr;
    }
    auto stream = file.eventStream({request.partial, context.geometry(), request.factor});
    const bool lacks = stream != nullptr && ((request.timed() && !stream->tellsMoments()) ||
                                             (use == ListUse::Whole && stream->hasFactors()));
    return lacks ? nullptr : std::move(stream);
}

/// Every n-th event of a list that passes in parts, to check their times by; the first rank has those of all.
class TimesSample {
  public:
    TimesSample(std::uint64_t events, Communicator& ranks) : step_(tofCheckStep(events)), ranks_(ranks) {}
    /// Events from `first` on; of ranks all call it as often, parts of a time in their order.
    void take(std::uint64_t first, const EventList& part) {
        EventList found;
        for (std::uint64_t next = (first + step_ - 1) / step_ * step_;
             !part.dt_ps.empty() && next < first + part.size(); next += step_) {
            found.crystals.push_back(part.crystals[next - first]);
            found.dt_ps.push_back(part.dt_ps[next - first]);
        }
        gatherOnFirst(ranks_, found.crystals);
        gatherOnFirst(ranks_, found.dt_ps);
        events_.crystals.insert(events_.crystals.end(), found.crystals.begin(), found.crystals.end());
        events_.dt_ps.insert(events_.dt_ps.end(), found.dt_ps.begin(), found.dt_ps.end());
    }
    [[nodiscard]] const EventList& events() const { return events_; }

  private:
    std::uint64_t step_;
    Communicator& ranks_;
    EventList events_;
};

/// The parts of a stream that this process takes, one after the other.
struct PartsInTurn {
    PartsInTurn(std::uint64_t events, std::size_t eventsAtATime, const Communicator& ranks)
        : all(events),
          atATime(std::max<std::size_t>(eventsAtATime, 1)),
          processes(static_cast<std::uint64_t>(ranks.size())),
          mine(static_cast<std::uint64_t>(ranks.rank())) {
        if (!ranks.alone()) {
            atATime = std::min<std::uint64_t>(atATime, EventDeposit::kBatch);
        }
    }
    [[nodiscard]] bool has(std::uint64_t round) const { return round * processes * atATime < all; }
    [[nodiscard]] std::uint64_t firstOf(std::uint64_t round) const {
        return std::min(all, (round * processes + mine) * atATime);
    }
    [[nodiscard]] std::uint64_t sizeAt(std::uint64_t first) const { return std::min(atATime, all - first); }

    std::uint64_t all;
    std::uint64_t atATime;
    std::uint64_t processes;
    std::uint64_t mine;
};

/// What is asked of motion that the form cannot give.
void requireMovable(const BinContext& context, ForeignBins foreign, const std::string& form) {
    const BinRequest& request = context.request();
    if (!request.moves()) {
        return;
    }
    const bool lines = form == "lors" && !context.namesRings() && request.corrections.empty();
    if (foreign != ForeignBins::None || (form != "histo" && !lines)) {
        throw WrongUse(
            "{}: --motion moves events between a list's own crystals; bin it --to histo, or --to lors "
            "without "
            "rings and --corrections, or leave --motion out",
            request.input);
    }
}

}  // namespace

EventSource::EventSource(const BinContext& context, const RecognisedFile& file, ListUse use)
    : context_(context),
      file_(file),
      stream_(streamOf(context, file, use)),
      sharers_(stream_ != nullptr && use == ListUse::Divided ? context.request().ranks
                                                             : communicatorOfOne()) {}

void EventSource::requireFit(const std::string& form) const {
    const BinRequest& request = context_.request();
    if (request.cut() && (foreign() == ForeignBins::Imported || foreign() == ForeignBins::Lines)) {
        throw WrongUse("{}: its events are counted already and have no times; leave --frames and --gates out",
                       request.input);
    }
    requireMovable(context_, foreign(), form);
    if (foreign() == ForeignBins::Imported) {
        if (file_.form() != form) {
            const bool lines = file_.form() == "lors";
            throw WrongUse(
                "{}: are {}; bin them --to {}", request.input,
                lines ? "sinograms of a scanner that is no cylinder, which lie on lines" : "sinograms",
                lines ? "lors" : "sinogram");
        }
        return;
    }
    const SinogramImport& import = request.sinograms;
    const bool norm = !import.norm.empty() && (foreign() == ForeignBins::Lines || form != "sinogram");
    if (!import.mult.empty() || !import.acf.empty() || norm || !import.add.empty()) {
        throw WrongUse(
            "{}: is no sinogram of STIR; --mult, --acf, --norm and --add go with these alone, and --norm "
            "with list-mode of Siemens and GE that is binned --to sinogram",
            request.input);
    }
}

ListScanner& EventSource::scanner() {
    if (!scanner_) {
        scanner_.emplace(stream_ != nullptr ? stream_->scan() : outline_, file_, context_.request().scanner);
    }
    return *scanner_;
}

std::shared_ptr<Communicator> EventSource::sharers() const {
    return sharers_;
}

EventShare EventSource::share() {
    return sharers()->alone() ? EventShare{whole()} : divided();
}

EventList EventSource::whole() {
    ListReadResult list =
        file_.readEvents({context_.request().partial, context_.geometry(), context_.request().factor});
    context_.note(list.note);
    outline_.scannerJson = list.events.scannerJson;
    scanner_.emplace(outline_, file_, context_.request().scanner);
    takeTimes(list.events);
    if (!list.events.dt_ps.empty()) {
        checkSign(list.events);
    }
    return std::move(list.events);
}

EventShare EventSource::divided() {
    context_.note(stream_->note());
    Communicator& ranks = context_.ranks();
    const RankRange mine = rangeOf(stream_->size(), ranks.rank(), ranks.size());
    EventShare share{stream_->scan(), mine.begin};
    stream_->read(mine.begin, mine.size(), share.events);
    if (context_.request().timed()) {
        stream_->readMoments(mine.begin, mine.size(), share.events);
    }
    takeTimes(share.events);
    TimesSample sample(stream_->size(), ranks);
    sample.take(mine.begin, share.events);
    if (sample.events().size() > 0 && context_.first()) {
        checkSign(sample.events());
    }
    return share;
}

void EventSource::forParts(const std::function<void(double)>& progress, const Counter& count) {
    context_.note(stream_->note());
    const PartsInTurn turn(stream_->size(), context_.request().eventsAtATime, *sharers_);
    TimesSample sample(stream_->size(), *sharers_);
    std::array<EventList, 2> parts;
    const auto read = [&](std::uint64_t first, EventList& part) {
        stream_->read(first, turn.sizeAt(first), part);
        if (context_.request().timed()) {
            stream_->readMoments(first, turn.sizeAt(first), part);
        }
        takeTimes(part);
    };
    read(turn.firstOf(0), parts[0]);
    std::future<void> reading;
    for (std::uint64_t round = 0; turn.has(round); ++round) {
        const std::uint64_t first = turn.firstOf(round);
        const EventList& part = parts[round % 2];
        if (const std::uint64_t next = turn.firstOf(round + 1); next < turn.all) {
            EventList& later = parts[(round + 1) % 2];
            reading = std::async(std::launch::async, [&read, &later, next] { read(next, later); });
        } else {
            parts[(round + 1) % 2] = EventList();
        }
        sample.take(first, part);
        count(first, part, [&](double share) {
            progress((static_cast<double>(first) + share * static_cast<double>(part.size())) /
                     static_cast<double>(turn.all));
        });
        if (reading.valid()) {
            reading.get();
        }
    }
    if (sample.events().size() > 0) {
        checkSign(sample.events());
    }
}

MeasuredData EventSource::imported() const {
    DataReadResult read = importSinograms(context_.request().input, context_.request().sinograms);
    context_.note(read.note);
    return std::move(read.data);
}

void EventSource::takeTimes(EventList& events) const {
    if (context_.request().times == Times::Left) {
        events.dt_ps.clear();
    }
    if (context_.request().times == Times::Reversed) {
        std::transform(events.dt_ps.begin(), events.dt_ps.end(), events.dt_ps.begin(), std::negate<>());
    }
}

void EventSource::checkSign(const EventList& events) {
    const Scanner* const crystals = scanner().described();
    if (crystals == nullptr) {
        return;
    }
    const TofCheck check =
        checkTof(referencePoints(*crystals), events.crystals, events.dt_ps, crystals->fovRadius_mm);
    if (check.sign == TofSign::Reversed) {
        context_.progress().note(
            Remark::TimesReversed,
            fmt::format(
                "{}: the times of flight look reversed; see 'info --check-tof', and bin with {}--reverse-tof",
                context_.request().input, context_.request().times == Times::Reversed ? "no " : ""));
    }
}

}  // namespace tof
