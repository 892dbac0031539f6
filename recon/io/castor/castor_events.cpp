// SPDX-License-Identifier: Apache-2.0
#include "recon/io/castor/castor_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "recon/base/error.h"
#include "recon/io/bytes/named_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/bytes/text_header.h"
#include "recon/io/format/notes.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNumber = 4;
constexpr std::uint64_t kMostTimeBins = 4096;
constexpr std::uint64_t kMostLines = 65535;
constexpr std::size_t kMostEventBytes = std::size_t{1} << 24U;

/// "list-mode", "LIST", "LM", ...
std::string lowerCase(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    return text;
}

/// The fields before an event's crystals, in the order of CASToR's reader: visit(there, field, otherwise).
template <typename Event, typename Visitor>
void visitFields(const CastorLayout& layout, Event& event, Visitor visit) {
    const bool list = layout.mode == CastorMode::List;
    visit(layout.mode != CastorMode::Normalization, event.time_ms, 0U);
    visit(layout.attenuation, event.attenuation, 1.0F);
    visit(list && layout.kind, event.kind, std::uint8_t{0});
    if (list) {
        visit(layout.scatter, event.scatter.front(), 0.0F);
    }
    visit(layout.randoms, event.randoms, 0.0F);
    visit(layout.normalization, event.normalization, 1.0F);
    visit(list && layout.time, event.dt_ps, 0.0F);
    for (std::size_t bin = 0; layout.mode == CastorMode::Histogram && bin < event.values.size(); ++bin) {
        visit(true, event.values[bin], 0.0F);
        visit(layout.scatter, event.scatter[bin], 0.0F);
    }
}

template <class T>
T take(const std::byte*& at) {
    const T value = decodeOne<T>(at, ByteOrder::Little);
    at += sizeof(T);
    return value;
}

template <class T>
void put(std::vector<std::byte>& out, T value) {
    std::array<std::byte, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(T));
    static_assert(std::endian::native == std::endian::little, "add a byte swap for this machine");
    out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

CastorMode castorMode(const CastorHeader& header) {
    const std::string mode = lowerCase(header.text("Data mode"));
    if (mode == "list-mode" || mode == "listmode" || mode == "list" || mode == "lm" || mode == "0") {
        return CastorMode::List;
    }
    if (mode == "histogram" || mode == "histo" || mode == "hist" || mode == "1") {
        return CastorMode::Histogram;
    }
    if (mode == "normalization" || mode == "norm" || mode == "2") {
        return CastorMode::Normalization;
    }
    header.fail("Data mode", fmt::format("is '{}'; use list-mode, histogram or normalization", mode));
}

std::size_t CastorLayout::bytes() const {
    const auto bins = static_cast<std::size_t>(timeBins);
    std::size_t bytes = (attenuation ? kNumber : 0) + (normalization ? kNumber : 0) +
                        (maxLines > 1 ? sizeof(std::uint16_t) : 0) + 2 * kNumber * maxLines;
    if (mode == CastorMode::Normalization) {
        return bytes;
    }
    bytes += kNumber + (randoms ? kNumber : 0);
    if (mode == CastorMode::Histogram) {
        return bytes + bins * (scatter ? 2 : 1) * kNumber;
    }
    return bytes + (kind ? 1 : 0) + (scatter ? kNumber : 0) + (time ? kNumber : 0);
}

std::string CastorLayout::headerText() const {
    const char* const names[] = {"list-mode", "histogram", "normalization"};
    std::string text = fmt::format("Data mode: {}\nData type: PET\n", names[static_cast<int>(mode)]);
    for (const auto& [key, set] : {std::pair{"Attenuation correction flag", attenuation},
                                   {"Normalization correction flag", normalization},
                                   {"Scatter correction flag", scatter},
                                   {"Random correction flag", randoms},
                                   {"Coincidence kind flag", kind},
                                   {"TOF information flag", time}}) {
        text += fmt::format("{}: {}\n", key, set ? 1 : 0);
    }
    return text + fmt::format("Maximum number of lines per event: {}\n", maxLines);
}

CastorLayout castorLayout(const CastorHeader& header) {
    CastorLayout layout;
    layout.mode = castorMode(header);
    const std::string type = lowerCase(header.text("Data type"));
    if (type != "pet" && type != "0") {
        header.fail("Data type", fmt::format("is '{}'; only PET is read", type));
    }
    for (const double resolution : header.perLayer("POI capability", 3, -1, 1e6, -1)) {
        if (resolution >= 0) {
            header.fail("POI capability",
                        "is set; events with positions of interaction are not read, use -1,-1,-1");
        }
    }
    layout.attenuation = header.flag("Attenuation correction flag");
    layout.normalization = header.flag("Normalization correction flag");
    layout.maxLines = header.whole("Maximum number of lines per event", kMostLines, 1);
    if (layout.maxLines < 1) {
        header.fail("Maximum number of lines per event", "is 0; give at least 1");
    }
    if (layout.mode == CastorMode::Normalization) {
        return layout;
    }
    layout.scatter = header.flag("Scatter correction flag");
    layout.randoms = header.flag("Random correction flag");
    layout.time = header.flag("TOF information flag");
    if (header.flag("Per event TOF resolution flag")) {
        header.fail(
            "Per event TOF resolution flag",
            "is 1, and where events keep their own resolution is published nowhere; write the list with "
            "one 'TOF resolution (ps)' for all, and set the flag to 0");
    }
    if (layout.mode == CastorMode::List) {
        layout.kind = header.flag("Coincidence kind flag");
    } else if (layout.time) {
        layout.timeBins = static_cast<int>(header.whole("Histo TOF number of bins", kMostTimeBins));
        if (layout.timeBins < 1) {
            header.fail("Histo TOF number of bins",
                        "is 0; give at least 1, or set 'TOF information flag: 0'");
        }
    }
    if (layout.bytes() > kMostEventBytes) {
        header.fail("Maximum number of lines per event", "makes events too large; give fewer");
    }
    return layout;
}

float CastorEvent::mult() const {
    const float factor = attenuation * normalization;
    return factor > 0 && std::isfinite(factor) ? 1.0F / factor : 0.0F;
}

void decodeCastor(const CastorLayout& layout, const std::byte* bytes, CastorEvent& event) {
    event.values.resize(layout.mode == CastorMode::Histogram ? static_cast<std::size_t>(layout.timeBins) : 0);
    event.scatter.resize(layout.mode == CastorMode::List ? 1 : event.values.size());
    visitFields(layout, event, [&bytes]<class T>(bool there, T& field, T otherwise) {
        field = there ? take<T>(bytes) : otherwise;
    });
    const std::uint64_t lines = layout.maxLines > 1 ? take<std::uint16_t>(bytes) : 1U;
    event.pairs.resize(std::min(lines, layout.maxLines));
    for (auto& [one, two] : event.pairs) {
        one = take<std::uint32_t>(bytes);
        two = take<std::uint32_t>(bytes);
    }
}

void encodeCastor(const CastorLayout& layout, const CastorEvent& event, std::vector<std::byte>& out) {
    const std::size_t end = out.size() + layout.bytes();
    visitFields(layout, event, [&out]<class T>(bool there, const T& field, T /*otherwise*/) {
        if (there) {
            put(out, field);
        }
    });
    if (layout.maxLines > 1) {
        put(out, static_cast<std::uint16_t>(event.pairs.size()));
    }
    for (const auto& [one, two] : event.pairs) {
        put(out, one);
        put(out, two);
    }
    out.resize(end, std::byte{0});
}

void requireCastorCrystals(const std::string& path, const CastorEvent& event, std::uint64_t index,
                           std::size_t crystals) {
    for (const auto& [one, two] : event.pairs) {
        if (one >= crystals || two >= crystals) {
            throw BadInput(
                "{}: event {} names crystal {}, but the scanner has {}; give the scanner that belongs to the "
                "data with --scanner",
                path, index, std::max(one, two), crystals);
        }
    }
}

float castorAdditive(const std::string& path, std::uint64_t index, double counts) {
    constexpr double kUndershoot = -1e-6;
    if (!(counts >= kUndershoot && counts <= static_cast<double>(std::numeric_limits<float>::max()))) {
        throw BadInput("{}: event {} has a scatter or random rate that is negative or not finite; correct it",
                       path, index);
    }
    return static_cast<float>(std::max(counts, 0.0));
}

double castorCalibration(const CastorHeader& header) {
    return header.number("Calibration factor", 1e-30, 1e30, 1.0);
}

std::string castorHeaderNote(const CastorHeader& header, const CastorLayout& layout) {
    std::string note =
        (layout.scatter || layout.randoms) && header.number("Duration (s)", 0, 1e9) == 0
            ? fmt::format(
                  "{}: field 'Duration (s)' is 0: rates of scatter and randoms are taken to be counts",
                  header.path())
            : "";
    if (const double factor = castorCalibration(header); factor != 1) {
        const char* const how =
            layout.mode == CastorMode::Histogram
                ? "'convert RUN OUT', those of other data made of it by '--calibration {}'"
                : "'convert RUN OUT --calibration {}'";
        note = joinedNotes(
            note, fmt::format("{}: field 'Calibration factor' is {:g}; images take it by {}", header.path(),
                              factor, fmt::format(fmt::runtime(how), header.path())));
    }
    return note;
}

std::string castorDataFile(const CastorHeader& header) {
    return namedBeside(header.path(), header.text("Data filename"));
}

std::uint64_t castorEventsPresent(const CastorHeader& header, const CastorLayout& layout,
                                  const ListReadOptions& options) {
    constexpr std::uint64_t kEventLimit = std::uint64_t{1} << 40U;
    const std::uint64_t announced = header.whole("Number of events", kEventLimit);
    const std::string data = castorDataFile(header);
    const std::size_t eventBytes = layout.bytes();
    std::error_code fault;
    const std::uint64_t size = fs::file_size(data, fault);
    if (fault) {
        header.fail("Data filename",
                    fmt::format("names '{}', which cannot be opened ({}); put it beside the header", data,
                                fault.message()));
    }
    const std::uint64_t whole = size / eventBytes;
    if (announced > 0 && size % announced == 0 && size / announced > eventBytes &&
        size / announced % eventBytes != 0) {
        header.fail(
            "Number of events",
            fmt::format("makes events of {} bytes in '{}', and the header's flags events of {}: fields "
                        "that it does not name, as those of CASToR 3.2 (user fields, kernels of times), "
                        "are not read; correct the flags, or write the list without such fields",
                        size / announced, data, eventBytes));
    }
    if (whole >= announced && size != announced * eventBytes) {
        header.fail(
            "Number of events",
            fmt::format("is {} of {} bytes, but '{}' has {} bytes; correct the header's flags or number",
                        announced, eventBytes, data, size));
    }
    if (whole < announced && !options.partial) {
        throw BadInput(
            "{}: truncated, {} of {} events are there; copy it again or read it as far as it goes with "
            "--partial",
            data, whole, announced);
    }
    return std::min(whole, announced);
}

void forEachCastorEvent(const CastorHeader& header, const CastorLayout& layout, std::uint64_t count,
                        const std::function<void(const CastorEvent& event, std::uint64_t index)>& visit) {
    constexpr std::uint64_t kPieceBytes = 1U << 21U;
    const std::size_t size = layout.bytes();
    const std::uint64_t pieces = std::max<std::uint64_t>(kPieceBytes / size, 1);
    ByteReader file(castorDataFile(header));
    std::vector<std::byte> buffer(std::min(count, pieces) * size);
    CastorEvent event;
    for (std::uint64_t done = 0; done < count; done += pieces) {
        const std::uint64_t piece = std::min(pieces, count - done);
        file.read(buffer.data(), piece * size, "the events");
        for (std::uint64_t i = 0; i < piece; ++i) {
            decodeCastor(layout, buffer.data() + i * size, event);
            visit(event, done + i);
        }
    }
}

}  // namespace tof
