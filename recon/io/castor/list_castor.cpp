// SPDX-License-Identifier: Apache-2.0
#include "recon/io/castor/castor_lines.h"

#include <fmt/format.h>

#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/castor/castor_events.h"
#include "recon/io/castor/castor_header.h"
#include "recon/io/castor/castor_scanner.h"
#include "recon/io/format/notes.h"

namespace tof {

namespace {

CastorLayout listLayout(const CastorHeader& header) {
    if (castorMode(header) != CastorMode::List) {
        header.fail("Data mode", "is not list-mode; convert it, or bin it --to lors or --to sinogram");
    }
    CastorLayout layout = castorLayout(header);
    if (layout.maxLines != 1) {
        header.fail("Maximum number of lines per event", "is above 1; give events of one crystal pair each");
    }
    return layout;
}

EventKind kindOf(std::uint8_t stored) {
    constexpr std::uint8_t kTrue = 1;
    constexpr std::uint8_t kRandom = 4;
    return stored == kTrue ? EventKind::True : stored == kRandom ? EventKind::Random : EventKind::Scattered;
}

class EventTaker {
  public:
    EventTaker(const CastorHeader& header, const CastorLayout& layout, std::size_t crystals, EventList& out)
        : path_(header.path()), layout_(layout), crystals_(crystals), kindsKnown_(layout.kind), out_(out) {
        const double range = header.number("List TOF measurement range (ps)", 0, 1e9, 0.0);
        largest_ps_ = range > 0 ? range : 1e9;
        if (layout.time && layout.randoms && !(range > 0)) {
            header.fail("List TOF measurement range (ps)",
                        "is missing, and random rates are spread over it; add it");
        }
        duration_s_ = castorDuration(header);
    }

    void append(const CastorEvent& event) {
        requireCastorCrystals(path_, event, out_.size(), crystals_);
        if (!(std::abs(event.dt_ps) <= largest_ps_)) {
            throw BadInput(
                "{}: event {} has a time difference of {:g} ps, beyond field 'List TOF measurement range "
                "(ps)' ({:g}); correct the range or the data",
                path_, out_.size(), event.dt_ps, largest_ps_);
        }
        if (layout_.scatter || layout_.randoms) {
            out_.add.push_back(additive(event));
        }
        if (layout_.attenuation || layout_.normalization) {
            out_.mult.push_back(event.mult());
        }
        if (layout_.time) {
            out_.dt_ps.push_back(event.dt_ps);
        }
        if (kindsKnown_) {
            constexpr std::uint8_t kLast = 4;
            kindsKnown_ = event.kind >= 1 && event.kind <= kLast;
            out_.kind.push_back(kindOf(event.kind));
        }
        out_.crystals.push_back(event.pairs.front());
        out_.time_ms.push_back(event.time_ms);
    }
    /// False when some event was of unknown kind: then none is kept.
    [[nodiscard]] bool kindsKnown() const { return kindsKnown_; }

  private:
    /// Counts over the scan: with times per ps. CASToR's rates are then per mm for scatter, and for randoms
    /// of the whole line, spread over the range.
    [[nodiscard]] float additive(const CastorEvent& event) const {
        const double scatter = static_cast<double>(event.scatter.front()) * (layout_.time ? kMmPerPs : 1.0);
        const double randoms = static_cast<double>(event.randoms) / (layout_.time ? largest_ps_ : 1.0);
        return castorAdditive(path_, out_.size(), duration_s_ * (scatter + randoms));
    }

    std::string path_;
    CastorLayout layout_;
    std::size_t crystals_;
    double largest_ps_ = 0;
    double duration_s_ = 1;
    bool kindsKnown_;
    EventList& out_;
};

}  // namespace

ListReadResult readEventsCastor(const CastorHeader& header, const ListReadOptions& options) {
    const CastorLayout layout = listLayout(header);
    const std::uint64_t present = castorEventsPresent(header, layout, options);
    constexpr std::uint64_t kBytesPerEvent = 25;  // crystals, times, kind, mult, add
    requireMemory(castorDataFile(header), present * kBytesPerEvent);
    CastorScanner found = castorScanner(header, options.scannerFile);
    const Scanner& scanner = found.scanner;
    if (layout.time && !(scanner.timing_fwhm_ps > 0)) {
        header.fail(
            "TOF resolution (ps)",
            "is missing, but 'TOF information flag' is 1; add the resolution, or give a scanner that has "
            "one with --scanner");
    }

    ListReadResult result;
    result.note = std::move(found.note);
    result.note = joinedNotes(result.note, castorRateNote(header, layout));
    if (layout.attenuation) {
        result.note = joinedNotes(
            result.note,
            fmt::format(
                "{}: events carry attenuation factors, which change no image unless the sensitivity holds "
                "them, too; bin with --mu or --corrections",
                header.path()));
    }
    EventList& events = result.events;
    events.crystals.reserve(present);
    events.time_ms.reserve(present);
    EventTaker taker(header, layout, scanner.crystals.size(), events);
    forEachCastorEvent(header, layout, present,
                       [&](const CastorEvent& event, std::uint64_t) { taker.append(event); });
    if (!taker.kindsKnown()) {
        events.kind.clear();
    }
    events.duration_s = header.number("Duration (s)", 0, 1e9);
    events.calibration = header.number("Calibration factor", 0, 1e30, 1.0);
    events.scannerJson = scanner.toJson();
    result.announced = header.whole("Number of events", std::uint64_t{1} << 40U);
    if (present < result.announced) {
        result.note += fmt::format("{}{}: {} of {} events are there, the last {} are missing.",
                                   result.note.empty() ? "" : "; ", castorDataFile(header), present,
                                   result.announced, result.announced - present);
    }
    return result;
}

}  // namespace tof
