// SPDX-License-Identifier: Apache-2.0
#include "recon/io/castor/castor_lines.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/castor/castor_events.h"
#include "recon/io/castor/castor_header.h"
#include "recon/io/castor/castor_scanner.h"
#include "recon/io/format/notes.h"
#include "recon/io/format/record_list.h"

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

/// Events of one pair each.
class CastorCoding {
  public:
    static constexpr bool kTagged = false;
    CastorCoding(const CastorHeader& header, const CastorLayout& layout, std::size_t crystals)
        : path_(header.path()), layout_(layout), crystals_(crystals), duration_s_(castorDuration(header)) {
        const double range = header.number("List TOF measurement range (ps)", 0, 1e9, 0.0);
        largest_ps_ = range > 0 ? range : 1e9;
        if (layout.time && layout.randoms && !(range > 0)) {
            header.fail("List TOF measurement range (ps)",
                        "is missing, and random rates are spread over it; add it");
        }
    }

    static std::uint64_t start() { return 0; }
    [[nodiscard]] std::uint64_t bytes() const { return layout_.bytes(); }
    [[nodiscard]] bool hasFactors() const { return layout_.corrections(); }
    void prepare(EventList& block, std::uint64_t count, EventColumns columns) const {
        const auto sizeOf = [&](bool there) { return there ? count : 0; };
        const bool all = columns == EventColumns::All;
        block.crystals.resize(count);
        block.dt_ps.resize(sizeOf(layout_.time));
        block.add.resize(sizeOf(all && (layout_.scatter || layout_.randoms)));
        block.mult.resize(sizeOf(all && (layout_.attenuation || layout_.normalization)));
        block.kind.resize(sizeOf(all && layout_.kind));
    }
    void take(const std::byte* record, std::uint64_t number, std::uint64_t i, EventList& block) const {
        CastorEvent& event = event_;
        decodeCastor(layout_, record, event);
        requireCastorCrystals(path_, event, number, crystals_);
        if (!(std::abs(event.dt_ps) <= largest_ps_)) {
            throw BadInput(
                "{}: event {} has a time difference of {:g} ps, beyond field 'List TOF measurement range "
                "(ps)' ({:g}); correct the range or the data",
                path_, number, event.dt_ps, largest_ps_);
        }
        block.crystals[i] = event.pairs.front();
        if (layout_.time) {
            block.dt_ps[i] = event.dt_ps;
        }
        if (!block.add.empty()) {
            block.add[i] = additive(event, number);
        }
        if (!block.mult.empty()) {
            block.mult[i] = event.mult();
        }
        if (!block.kind.empty()) {
            constexpr std::uint8_t kLast = 4;
            kindsKnown_ = kindsKnown_ && event.kind >= 1 && event.kind <= kLast;
            block.kind[i] = kindOf(event.kind);
        }
    }
    static std::uint32_t moment(const std::byte* record, std::uint64_t /*clock*/) {
        return decodeOne<std::uint32_t>(record, ByteOrder::Little);
    }
    /// False when some event was of unknown kind: then none is kept.
    [[nodiscard]] bool kindsKnown() const { return kindsKnown_; }

  private:
    /// Counts over the scan: with times per ps. CASToR's rates are then per mm for scatter, and for randoms
    /// of the whole line, spread over the range.
    [[nodiscard]] float additive(const CastorEvent& event, std::uint64_t number) const {
        const double scatter = static_cast<double>(event.scatter.front()) * (layout_.time ? kMmPerPs : 1.0);
        const double randoms = static_cast<double>(event.randoms) / (layout_.time ? largest_ps_ : 1.0);
        return castorAdditive(path_, number, duration_s_ * (scatter + randoms));
    }

    std::string path_;
    CastorLayout layout_;
    std::size_t crystals_;
    double largest_ps_ = 0;
    double duration_s_;
    mutable bool kindsKnown_ = true;
    mutable CastorEvent event_;
};

/// What is to be said of a list besides its scanner.
std::string listNote(const CastorHeader& header, const CastorLayout& layout, std::uint64_t missing) {
    std::string note = castorHeaderNote(header, layout);
    if (layout.attenuation) {
        note = joinedNotes(
            note,
            fmt::format("{}: events carry attenuation factors, which change no image unless the sensitivity "
                        "holds them, too; bin with --mu or --corrections",
                        header.path()));
    }
    const std::uint64_t announced = header.whole("Number of events", std::uint64_t{1} << 40U, 0);
    return missing == 0
               ? note
               : joinedNotes(note,
                             fmt::format("{}: {} of {} events are there, the last {} are missing",
                                         castorDataFile(header), announced - missing, announced, missing));
}

/// What a list says besides its events.
EventList castorScan(const CastorHeader& header, const CastorLayout& layout, const CastorScanner& found) {
    if (layout.time && !(found.scanner.timing_fwhm_ps > 0)) {
        header.fail("TOF resolution (ps)",
                    "is missing, but 'TOF information flag' is 1; add the resolution, or give a scanner that "
                    "has one with --scanner");
    }
    EventList scan;
    scan.duration_s = header.number("Duration (s)", 0, 1e9);
    scan.calibration = castorCalibration(header);
    scan.scannerJson = found.scanner.toJson();
    return scan;
}

class CastorList : public RecordList<CastorCoding> {
  public:
    CastorList(const CastorHeader& header, const CastorLayout& layout, std::uint64_t present,
               const CastorScanner& found)
        : RecordList(castorDataFile(header), present,
                     CastorCoding(header, layout, found.scanner.crystals.size())) {
        const std::uint64_t announced = header.whole("Number of events", std::uint64_t{1} << 40U);
        scan() = castorScan(header, layout, found);
        setNote(joinedNotes(found.note, listNote(header, layout, announced - present)));
    }
};

/// The events of a list that is still being written. Its header may say 0 events: not known yet.
class CastorDecoder : public RecordDecoder {
  public:
    CastorDecoder(const CastorHeader& header, const CastorLayout& layout, const CastorScanner& found)
        : coding_(header, layout, found.scanner.crystals.size()),
          scan_(castorScan(header, layout, found)),
          file_(castorDataFile(header)),
          announced_(header.whole("Number of events", std::uint64_t{1} << 40U, 0)),
          note_(joinedNotes(found.note, listNote(header, layout, 0))) {}

    [[nodiscard]] const EventList& scan() const override { return scan_; }
    [[nodiscard]] std::string recordsFile() const override { return file_; }
    [[nodiscard]] std::size_t recordBytes() const override { return coding_.bytes(); }
    [[nodiscard]] std::uint64_t announced() const override { return announced_; }
    [[nodiscard]] bool hasFactors() const override { return coding_.hasFactors(); }
    [[nodiscard]] std::string note() const override { return note_; }
    void decode(std::span<const std::byte> records, std::uint64_t first, EventList& block) const override {
        const std::size_t count = records.size() / coding_.bytes();
        coding_.prepare(block, count, EventColumns::Lines);
        block.time_ms.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::byte* const record = records.data() + i * coding_.bytes();
            coding_.take(record, first + i, i, block);
            block.time_ms[i] = CastorCoding::moment(record, 0);
        }
    }

  private:
    CastorCoding coding_;
    EventList scan_;
    std::string file_;
    std::uint64_t announced_;
    std::string note_;
};

std::unique_ptr<const CastorList> castorList(const CastorHeader& header, const ListReadOptions& options) {
    const CastorLayout layout = listLayout(header);
    const std::uint64_t present = castorEventsPresent(header, layout, options);
    return std::make_unique<const CastorList>(header, layout, present,
                                              castorScanner(header, options.scannerFile));
}

}  // namespace

std::unique_ptr<const EventStream> castorStream(const CastorHeader& header, const ListReadOptions& options) {
    return castorList(header, options);
}

std::unique_ptr<const RecordDecoder> castorDecoder(const CastorHeader& header,
                                                   const ListReadOptions& options) {
    return std::make_unique<const CastorDecoder>(header, listLayout(header),
                                                 castorScanner(header, options.scannerFile));
}

ListReadResult readEventsCastor(const CastorHeader& header, const ListReadOptions& options) {
    const std::unique_ptr<const CastorList> list = castorList(header, options);
    ListReadResult result = list->all();
    if (!list->coding().kindsKnown()) {
        result.events.kind.clear();
    }
    result.announced = header.whole("Number of events", std::uint64_t{1} << 40U);
    return result;
}

}  // namespace tof
