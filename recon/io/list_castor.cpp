// SPDX-License-Identifier: Apache-2.0
#include "recon/io/list_castor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "recon/core/error.h"
#include "recon/io/castor_header.h"
#include "recon/io/castor_scanner.h"
#include "recon/io/raw_numbers.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kEventLimit = std::uint64_t{1} << 40U;

/// Where the fields of one event lie. The order is that of CASToR's reader: time, attenuation factor, kind,
/// scatter rate, random rate, normalisation factor, time of flight, crystal pair.
struct EventLayout {
    std::size_t kind = 0;  ///< 0: not there
    std::size_t tof = 0;
    std::size_t crystals = 0;
    std::size_t bytes = 0;
    bool corrections = false;
};

EventLayout layoutOf(const CastorHeader& header) {
    constexpr std::size_t kNumber = 4;
    EventLayout layout;
    std::size_t at = kNumber;  // time in ms
    const auto factor = [&](const char* key) {
        if (header.flag(key)) {
            at += kNumber;
            layout.corrections = true;
        }
    };
    factor("Attenuation correction flag");
    if (header.flag("Coincidence kind flag")) {
        layout.kind = at;
        at += 1;
    }
    factor("Scatter correction flag");
    factor("Random correction flag");
    factor("Normalization correction flag");
    layout.tof = at;
    layout.crystals = at + kNumber;
    layout.bytes = layout.crystals + 2 * kNumber;
    return layout;
}

/// "list-mode", "LIST", "LM", ...
std::string lowerCase(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    return text;
}

void requireSupported(const CastorHeader& header) {
    const std::string mode = lowerCase(header.text("Data mode"));
    if (mode != "list-mode" && mode != "list" && mode != "lm" && mode != "0") {
        header.fail("Data mode", fmt::format("is '{}'; only list-mode is read", mode));
    }
    const std::string type = lowerCase(header.text("Data type"));
    if (type != "pet" && type != "0") {
        header.fail("Data type", fmt::format("is '{}'; only PET is read", type));
    }
    if (header.whole("Maximum number of lines per event", 65535, 1) != 1) {
        header.fail("Maximum number of lines per event", "is above 1; give events of one crystal pair each");
    }
    if (!header.flag("TOF information flag")) {
        header.fail("TOF information flag",
                    "is 0; events without a time of flight cannot be placed on an image");
    }
    for (const double resolution : header.perLayer("POI capability", 3, -1, 1e6, -1)) {
        if (resolution >= 0) {
            header.fail("POI capability",
                        "is set; events with positions of interaction are not read, use -1,-1,-1");
        }
    }
}

EventKind kindOf(std::uint8_t stored) {
    constexpr std::uint8_t kTrue = 1;
    constexpr std::uint8_t kRandom = 4;
    return stored == kTrue ? EventKind::True : stored == kRandom ? EventKind::Random : EventKind::Scattered;
}

class EventDecoder {
  public:
    EventDecoder(const CastorHeader& header, const EventLayout& layout, std::size_t crystals)
        : path_(header.path()), layout_(layout), crystals_(crystals), kindsKnown_(layout.kind != 0) {
        const double range = header.number("List TOF measurement range (ps)", 0, 1e9, 0.0);
        largest_ps_ = range > 0 ? range : 1e9;
    }

    void append(const std::byte* event, EventList& out) {
        const auto first = decodeOne<std::uint32_t>(event + layout_.crystals, ByteOrder::Little);
        const auto second = decodeOne<std::uint32_t>(event + layout_.crystals + 4, ByteOrder::Little);
        const auto dt = decodeOne<float>(event + layout_.tof, ByteOrder::Little);
        if (first >= crystals_ || second >= crystals_) {
            throw BadInput(
                fmt::format("{}: event {} names crystal {}, but the scanner has {}; give the scanner that "
                            "belongs to the data with --scanner",
                            path_, out.size(), std::max(first, second), crystals_));
        }
        if (!(std::abs(dt) <= largest_ps_)) {
            throw BadInput(fmt::format(
                "{}: event {} has a time difference of {:g} ps, beyond field 'List TOF measurement "
                "range (ps)' ({:g}); correct the range or the data",
                path_, out.size(), dt, largest_ps_));
        }
        out.crystals.push_back({first, second});
        out.dt_ps.push_back(dt);
        if (kindsKnown_) {
            const auto kind = static_cast<std::uint8_t>(event[layout_.kind]);
            constexpr std::uint8_t kLast = 4;
            kindsKnown_ = kind >= 1 && kind <= kLast;
            out.kind.push_back(kindOf(kind));
        }
    }
    /// False when some event was of unknown kind: then none is kept.
    [[nodiscard]] bool kindsKnown() const { return kindsKnown_; }

  private:
    std::string path_;
    EventLayout layout_;
    std::size_t crystals_;
    double largest_ps_ = 0;
    bool kindsKnown_;
};

std::string dataFile(const CastorHeader& header) {
    return (fs::path(header.path()).parent_path() / header.text("Data filename")).string();
}

/// Events that are whole in the file; throws unless that is what the header promises or `partial` allows
/// less.
std::uint64_t eventsPresent(const CastorHeader& header, const std::string& data, std::uint64_t announced,
                            std::size_t eventBytes, bool partial) {
    std::error_code fault;
    const std::uint64_t size = fs::file_size(data, fault);
    if (fault) {
        header.fail("Data filename",
                    fmt::format("names '{}', which cannot be opened ({}); put it beside the header", data,
                                fault.message()));
    }
    const std::uint64_t whole = size / eventBytes;
    if (whole >= announced && size != announced * eventBytes) {
        header.fail(
            "Number of events",
            fmt::format("is {} of {} bytes, but '{}' has {} bytes; correct the header's flags or number",
                        announced, eventBytes, data, size));
    }
    if (whole < announced && !partial) {
        throw BadInput(
            fmt::format("{}: truncated, {} of {} events are there; copy it again or read it as far as it "
                        "goes with --partial",
                        data, whole, announced));
    }
    return std::min(whole, announced);
}

/// The scanner in our JSON form, with the time resolution that the data header states.
Scanner scannerOf(const CastorHeader& header, const ListReadOptions& options) {
    const std::string file =
        findCastorScanner(header.text("Scanner name"), options.scannerFile, header.path());
    const std::string extension = fs::path(file).extension().string();
    const bool castor = extension == ".geom" || extension == ".hscan" || extension == ".lut";
    Scanner scanner = castor ? readCastorScanner(file) : Scanner::find(file);
    const double resolution = header.number("TOF resolution (ps)", -1, 1e5, -1);
    if (resolution > 0) {
        scanner.timing_fwhm_ps = resolution;
    }
    return scanner;
}

}  // namespace

ListReadResult readEventsCastor(const std::string& path, const ListReadOptions& options) {
    const CastorHeader header(path);
    requireSupported(header);
    const EventLayout layout = layoutOf(header);
    const std::uint64_t announced = header.whole("Number of events", kEventLimit);
    const std::string data = dataFile(header);
    const std::uint64_t present = eventsPresent(header, data, announced, layout.bytes, options.partial);
    requireMemory(data, present * 13);
    const Scanner scanner = scannerOf(header, options);

    ListReadResult result;
    result.announced = announced;
    EventList& events = result.events;
    events.crystals.reserve(present);
    events.dt_ps.reserve(present);
    EventDecoder decoder(header, layout, scanner.crystals.size());
    ByteReader file(data);
    constexpr std::uint64_t kPiece = 1U << 16U;
    std::vector<std::byte> buffer(std::min(present, kPiece) * layout.bytes);
    for (std::uint64_t done = 0; done < present; done += kPiece) {
        const std::uint64_t piece = std::min(kPiece, present - done);
        file.read(buffer.data(), piece * layout.bytes, "the events");
        for (std::uint64_t i = 0; i < piece; ++i) {
            decoder.append(buffer.data() + i * layout.bytes, events);
        }
    }
    if (!decoder.kindsKnown()) {
        events.kind.clear();
    }
    events.duration_s = header.number("Duration (s)", 0, 1e9);
    events.scannerJson = scanner.toJson();
    if (present < announced) {
        result.note = fmt::format("{}: {} of {} events are there, the last {} are missing.", data, present,
                                  announced, announced - present);
    } else if (layout.corrections) {
        result.note = fmt::format("{}: the correction factors stored with the events are not used.", data);
    }
    return result;
}

}  // namespace tof
