// SPDX-License-Identifier: Apache-2.0
// CASToR data files with their scanners as look-up tables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/castor/castor_events.h"
#include "recon/io/castor/castor_lines.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// Where points are all that is known of crystals: CASToR asks for a depth, and for nothing else.
constexpr std::array<double, 3> kAnySize_mm{0, 0, 20};

struct Points {
    std::vector<Vec3> at;
    std::vector<Vec3> outward;  ///< empty: away from the axis
    std::array<double, 3> size_mm = kAnySize_mm;
    double radius_mm = 0;  ///< radius of the field of view; 0: as far as the points
    double depth_mm = -1;  ///< mean depth of interaction; -1: the points are where photons interact
    std::string more{};    ///< lines of the scanner's header that only this program reads
};

/// Events in CASToR's form, written piece by piece; the number of events goes into the header.
class EventFile {
  public:
    EventFile(const std::string& temporary, Destination to, const CastorLayout& layout)
        : to_(std::move(to)), layout_(layout), file_(temporary, std::ios::binary | std::ios::trunc) {}

    void put(const CastorEvent& event) {
        constexpr std::size_t kPiece = 1U << 20U;
        encodeCastor(layout_, event, buffer_);
        ++events_;
        if (buffer_.size() > kPiece) {
            flush();
        }
    }
    void flush() {
        file_.write(reinterpret_cast<const char*>(buffer_.data()),
                    static_cast<std::streamsize>(buffer_.size()));
        file_.flush();
        buffer_.clear();
        if (!file_) {
            throw CannotWrite("{}: cannot be written; free space or choose another folder", to_.path);
        }
        to_.ask();
    }
    [[nodiscard]] std::uint64_t events() const { return events_; }

  private:
    Destination to_;
    CastorLayout layout_;
    std::ofstream file_;
    std::vector<std::byte> buffer_;
    std::uint64_t events_ = 0;
};

std::string beside(const std::string& path, const char* extension) {
    return fs::path(path).replace_extension(extension).string();
}

/// What .lut and .hscan hold.
struct ScannerFiles {
    std::vector<float> rows;  ///< six numbers per crystal in CASToR's left-handed axes
    std::string header;
};

/// A crystal's reference point is its centre when the header says that the mean depth of interaction is half
/// the depth (-1).
ScannerFiles scannerFilesOf(const std::string& path, const Points& points) {
    std::vector<float> rows;
    double low = 0;
    double high = 0;
    double far = 0;
    for (std::size_t i = 0; i < points.at.size(); ++i) {
        const Vec3 p = points.at[i];
        const Vec3 o = points.outward.empty() ? normalized(Vec3{p.x, p.y, 0}) : points.outward[i];
        for (const double number : {p.x, -p.y, p.z, o.x, -o.y, o.z}) {
            rows.push_back(static_cast<float>(number));
        }
        low = std::min(low, p.z);
        high = std::max(high, p.z);
        far = std::max(far, std::hypot(p.x, p.y));
    }
    const double across = 2 * (points.radius_mm > 0 ? points.radius_mm : far);
    const double along = std::max(high - low, 1.0) + points.size_mm[1];
    const std::string face = points.size_mm[0] > 0
                                 ? fmt::format("crystals size transaxial: {}\ncrystals size axial: {}\n",
                                               points.size_mm[0], points.size_mm[1])
                                 : "";
    std::string header = fmt::format(
        "modality: PET\nscanner name: {}\nnumber of elements: {}\nnumber of layers: 1\n"
        "number of crystals in layer(s): {}\nscanner radius: {}\n"
        "crystals size depth: {}\n{}"
        "mean depth of interaction: {}\nmin angle difference: 0\n"
        "voxels number transaxial: 100\nvoxels number axial: 100\nfield of view transaxial: {}\n"
        "field of view axial: {}\ndescription: written by Tofscope\n{}",
        fs::path(path).stem().string(), points.at.size(), points.at.size(), far, points.size_mm[2], face,
        points.depth_mm, across, along, points.more);
    return {std::move(rows), std::move(header)};
}

struct HeaderFields {
    double duration_s = 0;
    double calibration = 1;
    TofBins tof;
    double range_ps = 0;  ///< list-mode with times: the largest |dt| is half of it
};

std::string eventHeader(const std::string& path, const std::string& data, const CastorLayout& layout,
                        const HeaderFields& fields, std::uint64_t events) {
    std::string text = fmt::format(
        "Scanner name: {}\nData filename: {}\nNumber of events: {}\nStart time (s): 0\nDuration (s): {}\n"
        "Calibration factor: {}\n",
        fs::path(path).stem().string(), fs::path(data).filename().string(), events, fields.duration_s,
        fields.calibration);
    text += layout.headerText();
    if (layout.time) {
        text += fmt::format("TOF resolution (ps): {}\n", fields.tof.fwhm_ps);
        text += layout.mode == CastorMode::List
                    ? fmt::format("List TOF measurement range (ps): {}\n", fields.range_ps)
                    : fmt::format("Histo TOF number of bins: {}\nHisto TOF bin size (ps): {}\n",
                                  fields.tof.count, fields.tof.width_ps);
    }
    return text;
}

void writeFiles(const Destination& to, const CastorLayout& layout, const Points& points,
                const HeaderFields& fields, const std::function<void(EventFile&)>& events) {
    const std::string& path = to.path;
    if (fs::path(path).extension() != ".cdh") {
        throw WrongUse("'{}': CASToR data are written as .cdh only", path);
    }
    const std::string table = beside(path, ".lut");
    const std::string scanner = beside(path, ".hscan");
    const std::string data = beside(path, ".cdf");
    const ScannerFiles described = scannerFilesOf(path, points);
    std::uint64_t count = 0;
    writeTogether(
        {{table, [&](const std::string& part) { writeNumbers(part, table, described.rows); }},
         {scanner, [&](const std::string& part) { writeTextFile(part, scanner, described.header); }},
         {data,
          [&](const std::string& part) {
              EventFile file(part, {data, to.heed}, layout);
              events(file);
              file.flush();
              count = file.events();
          }},
         {path, [&](const std::string& part) {
              writeTextFile(part, path, eventHeader(path, data, layout, fields, count));
          }}});
}

std::string leftOut(std::uint64_t dead) {
    return dead == 0 ? "" : fmt::format("{} lines whose mult is 0 are left out", dead);
}

double rateTime(double duration_s) {
    return duration_s > 0 ? duration_s : 1.0;
}

/// Crystal pairs of the bins of a michelogram.
class BinPairs {
  public:
    explicit BinPairs(const Michelogram& m) : m_(m), rings_(m.sinograms().size()) {
        if (m.spec().binSize_mm > 0) {
            throw WrongUse("arc-corrected bins belong to no crystal pairs, which CASToR's data are made of");
        }
        for (int one = 0; one < m.scanner().rings; ++one) {
            for (int two = 0; two < m.scanner().rings; ++two) {
                const int plane = m.sinogramOf(one, two);
                if (plane >= 0) {
                    rings_[static_cast<std::size_t>(plane)].push_back(
                        {static_cast<std::uint32_t>(one), static_cast<std::uint32_t>(two)});
                }
            }
        }
    }

    [[nodiscard]] std::uint64_t most() const {
        std::size_t most = 0;
        for (const auto& rings : rings_) {
            most = std::max(most, rings.size());
        }
        return most * static_cast<std::uint64_t>(m_.spec().mashing);
    }

    void of(int angle, std::size_t plane, int radial, CastorEvent& event) const {
        const auto perRing = static_cast<std::uint32_t>(m_.scanner().crystalsPerRing);
        event.pairs.clear();
        for (int i = 0; i < m_.spec().mashing; ++i) {
            const auto [one, two] = m_.placesOf(angle * m_.spec().mashing + i, radial);
            for (const auto& [ring1, ring2] : rings_[plane]) {
                event.pairs.push_back({ring1 * perRing + static_cast<std::uint32_t>(one),
                                       ring2 * perRing + static_cast<std::uint32_t>(two)});
            }
        }
    }

  private:
    const Michelogram& m_;
    std::vector<std::vector<std::array<std::uint32_t, 2>>> rings_;
};

/// mult of a line, which must be that of all its time bins.
float multOfLine(const std::vector<float>& mult, std::size_t first, std::size_t timeBins) {
    if (mult.empty()) {
        return 1.0F;
    }
    const auto begin = mult.begin() + static_cast<std::ptrdiff_t>(first);
    const auto [least, most] = std::minmax_element(begin, begin + static_cast<std::ptrdiff_t>(timeBins));
    if (*most - *least > 1e-5F * *most) {
        throw WrongUse("mult differs between the time bins of a line; CASToR has one factor for all of them");
    }
    return *begin;
}

/// Counts and rates of the time bins [first, first + n) of a line.
void fill(CastorEvent& event, const std::vector<float>& counts, const std::vector<float>& add,
          std::size_t first, std::size_t n, double duration_s) {
    event.values.assign(counts.begin() + static_cast<std::ptrdiff_t>(first),
                        counts.begin() + static_cast<std::ptrdiff_t>(first + n));
    event.scatter.assign(n, 0.0F);
    for (std::size_t bin = 0; bin < n && !add.empty(); ++bin) {
        event.scatter[bin] = static_cast<float>(static_cast<double>(add[first + bin]) / rateTime(duration_s));
    }
}

CastorLayout histogramLayout(const TofBins& tof, bool add) {
    CastorLayout layout;
    layout.mode = CastorMode::Histogram;
    layout.normalization = true;
    layout.scatter = add;
    layout.time = tof.count > 0;
    layout.timeBins = std::max(tof.count, 1);
    return layout;
}

/// The lines of sinograms, or lines with counts: `pairsOf` gives the crystal pairs of the line whose time
/// bins begin at an entry.
template <typename Data>
std::string writeHistogram(const Destination& to, const CastorLayout& layout, const Points& points,
                           const TofBins& tof, const Data& data,
                           const std::function<void(std::size_t first, CastorEvent& event)>& pairsOf) {
    const auto bins = static_cast<std::size_t>(layout.timeBins);
    std::uint64_t dead = 0;
    writeFiles(to, layout, points, {data.duration_s, data.calibration, tof, 0}, [&](EventFile& file) {
        CastorEvent event;
        for (std::size_t first = 0; first < data.counts.size(); first += bins) {
            pairsOf(first, event);
            const float mult = multOfLine(data.mult, first, bins);
            if (!(mult > 0)) {
                ++dead;
                continue;
            }
            event.normalization = 1.0F / mult;
            fill(event, data.counts, data.add, first, bins, data.duration_s);
            file.put(event);
        }
    });
    return leftOut(dead);
}

/// True when the entries from `first` on are the time bins of one line.
bool isWholeLine(const LineEvents& lines, std::size_t first) {
    for (std::size_t bin = 0; bin < static_cast<std::size_t>(std::max(lines.tof.count, 1)); ++bin) {
        const std::size_t i = first + bin;
        if (i >= lines.pairs.size() || lines.pairs[i] != lines.pairs[first] ||
            (lines.tof.count > 0 &&
             lines.tof.bin(static_cast<double>(lines.dt_ps[i])) != static_cast<int>(bin))) {
            return false;
        }
    }
    return true;
}

std::string writeLineHistogram(const Destination& to, const LineData& data) {
    const LineEvents& lines = *data.events;
    return writeHistogram(
        to, histogramLayout(lines.tof, !data.add.empty()),
        {lines.points, {}, kAnySize_mm, data.possible.radius_mm}, lines.tof, data,
        [&](std::size_t first, CastorEvent& event) {
            if (!isWholeLine(lines, first)) {
                throw WrongUse(
                    "the time bins of a line do not follow each other; CASToR keeps them together");
            }
            event.pairs = {lines.pairs[first]};
        });
}

/// List-mode as columns.
struct ListColumns {
    const std::vector<std::array<std::uint32_t, 2>>& pairs;
    const std::vector<float>& dt_ps;
    const std::vector<float>& mult;
    const std::vector<float>& add;  ///< per ps with times
    const std::vector<EventKind>& kind;
    const std::vector<std::uint32_t>& time_ms;
};

/// Where times are unknown, events are spread evenly over the scan.
std::uint32_t timeOf(const ListColumns& list, std::size_t event, double duration_s) {
    return list.time_ms.empty() ? static_cast<std::uint32_t>(1e3 * duration_s * static_cast<double>(event) /
                                                             static_cast<double>(list.pairs.size()))
                                : list.time_ms[event];
}

std::string writeListMode(const Destination& to, const ListColumns& list, const Points& points,
                          HeaderFields fields) {
    CastorLayout layout;
    layout.normalization = !list.mult.empty();
    layout.scatter = !list.add.empty();
    layout.time = !list.dt_ps.empty();
    layout.kind = !list.kind.empty();
    if (layout.time && !(fields.tof.fwhm_ps > 0)) {
        throw WrongUse(
            "the list has times of flight, but its scanner no time resolution, which CASToR's data need; add "
            "'timing_fwhm_ps' to the scanner");
    }
    float largest = 1;
    for (const float dt : list.dt_ps) {
        largest = std::max(largest, std::abs(dt));
    }
    fields.range_ps = 2 * std::ceil(static_cast<double>(largest));
    const double perMm = layout.time ? 1 / kMmPerPs : 1.0;
    std::uint64_t dead = 0;
    writeFiles(to, layout, points, fields, [&](EventFile& file) {
        CastorEvent event;
        for (std::size_t i = 0; i < list.pairs.size(); ++i) {
            if (layout.normalization && !(list.mult[i] > 0)) {
                ++dead;
                continue;
            }
            constexpr std::array<std::uint8_t, 3> kKinds{1, 2, 4};
            event.time_ms = timeOf(list, i, fields.duration_s);
            event.kind = layout.kind ? kKinds.at(static_cast<std::size_t>(list.kind[i])) : std::uint8_t{0};
            event.normalization = layout.normalization ? 1.0F / list.mult[i] : 1.0F;
            event.dt_ps = layout.time ? list.dt_ps[i] : 0.0F;
            event.scatter.assign(1, layout.scatter ? static_cast<float>(static_cast<double>(list.add[i]) *
                                                                        perMm / rateTime(fields.duration_s))
                                                   : 0.0F);
            event.pairs = {list.pairs[i]};
            file.put(event);
        }
    });
    return leftOut(dead);
}

Points crystalPoints(const Scanner& scanner) {
    Points points{referencePoints(scanner), {}, scanner.crystalSize_mm, scanner.fovRadius_mm};
    for (const Crystal& crystal : scanner.crystals) {
        points.outward.push_back(crystal.outward);
    }
    return points;
}

/// The crystals' own centres, as the faces of panels matter, and the scanner in a line.
Points panelPoints(const Scanner& scanner) {
    Points points = crystalPoints(scanner);
    for (std::size_t c = 0; c < points.at.size(); ++c) {
        points.at[c] =
            scanner.crystals[c].front + 0.5 * scanner.crystalSize_mm[2] * scanner.crystals[c].outward;
    }
    points.depth_mm = scanner.meanDepth_mm;
    nlohmann::ordered_json described = parseOrderedJson(scanner.toJson(), scanner.name);
    described.erase("about");
    std::string text = jsonText(described);
    for (std::size_t at = 0; (at = text.find('#', at)) != std::string::npos;) {
        text.replace(at, 1, "\\u0023");  // begins a comment in such headers
    }
    points.more = "tofscope scanner: " + text + "\n";
    return points;
}

}  // namespace

std::string writeCastor(const Destination& to, const SinogramData& data) {
    const Michelogram& m = *data.michelogram;
    const BinPairs pairs(m);
    CastorLayout layout = histogramLayout(m.spec().tof, !data.add.empty());
    layout.maxLines = pairs.most();
    const std::size_t planes = m.sinograms().size();
    const auto radialBins = static_cast<std::size_t>(m.radialBins());
    return writeHistogram(to, layout, {ringPoints(m.scanner()), {}, kAnySize_mm, 0}, m.spec().tof, data,
                          [&](std::size_t first, CastorEvent& event) {
                              const std::size_t line = first / static_cast<std::size_t>(m.timeBins());
                              const std::size_t row = line / radialBins;
                              pairs.of(m.angleOfSlot(static_cast<int>(row / planes)), row % planes,
                                       static_cast<int>(line % radialBins), event);
                          });
}

std::string writeCastor(const Destination& to, const LineData& data) {
    if (!data.counts.empty()) {
        return writeLineHistogram(to, data);
    }
    if (!data.possible.poses.empty()) {
        throw WrongUse(
            "{}: the lines were moved back into one pose, and CASToR's lists hold crystals of one scanner; "
            "write them to .h5",
            to.path);
    }
    const LineEvents& lines = *data.events;
    std::vector<float> add = data.add;
    for (float& value : add) {
        value /= lines.tof.count > 0 ? static_cast<float>(lines.tof.width_ps) : 1.0F;
    }
    return writeListMode(to, {lines.pairs, lines.dt_ps, data.mult, add, {}, {}},
                         {lines.points, {}, kAnySize_mm, data.possible.radius_mm},
                         {data.duration_s, data.calibration, lines.tof, 0});
}

std::string writeCastor(const Destination& to, const PanelData& data) {
    const std::shared_ptr<const Scanner> known = data.scannerJson.scanner("the data's scanner");
    const Scanner& scanner = *known;
    Points points = panelPoints(scanner);
    points.more += fmt::format("tofscope efficiency: {}\n", data.geometry.efficiency);
    const std::vector<std::size_t> starts = panelClassStarts(data.geometry);
    int last = 0;  // class of the line before: lines come one after the other
    return writeHistogram(
        to, histogramLayout({}, !data.add.empty()), points, {}, data,
        [&](std::size_t line, CastorEvent& event) {
            while (line >= starts[static_cast<std::size_t>(last) + 1]) {
                ++last;
            }
            const auto inClass = static_cast<int>(line - starts[static_cast<std::size_t>(last)]);
            event.pairs = {panelCrystals(
                data.geometry, PanelLor::at(data.geometry, PanelClass::at(data.geometry, last), inClass))};
        });
}

std::string writeCastor(const Destination& to, const EventList& events) {
    if (events.scannerJson.empty()) {
        throw WrongUse("the list does not describe its scanner, which CASToR's data need; add it first");
    }
    const std::shared_ptr<const Scanner> known = events.scannerJson.scanner("the list's scanner");
    const Scanner& scanner = *known;
    const Points points = PanelGeometry::of(scanner) ? panelPoints(scanner) : crystalPoints(scanner);
    HeaderFields fields{events.duration_s, events.calibration, {}, 0};
    fields.tof.fwhm_ps = scanner.timing_fwhm_ps > 0 ? scanner.timing_fwhm_ps : -1;
    return writeListMode(
        to, {events.crystals, events.dt_ps, events.mult, events.add, events.kind, events.time_ms}, points,
        fields);
}

}  // namespace tof
