// SPDX-License-Identifier: Apache-2.0
#include "recon/io/rdf9_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/notes.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/interfile/stir_scanners.h"
#include "recon/io/rdf9_header.h"
#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner_field.h"

namespace tof {

namespace {

constexpr const char* kRecords = "/ListData/listData";
constexpr const char* kFactors = "/3DCrystalEfficiency/crystalEfficiency";
constexpr const char* kSingles = "/Singles/CrystalSingles/sample";
constexpr double kRdfResolution = 0.105;  // Signa PET/MR, as resources/scanners has it

/// What the header tells of windows, where it does: the largest |t1 - t2| of a coincidence is half a unit
/// more than `posCoincidenceWindow` units. It tells no energy resolution.
std::optional<Detection> rdfDetection(const h5::Reader& file, double unit_ps) {
    const std::string parameters = "/HeaderData/AcqParameters/EDCATParameters/";
    for (const char* const name : {"posCoincidenceWindow", "lower_energy_limit", "upper_energy_limit"}) {
        if (!file.has(parameters + name)) {
            return {};
        }
    }
    constexpr double kMostUnits = 10000;
    constexpr double kMost_keV = 2000;
    Detection detection;
    detection.material = Material::Lyso;
    detection.resolution = kRdfResolution;
    detection.coincidence_ns =
        1e-3 * unit_ps * (headerNumber(file, parameters + "posCoincidenceWindow", 1, kMostUnits) + 0.5);
    detection.window_keV = {headerNumber(file, parameters + "lower_energy_limit", 1, kMost_keV),
                            headerNumber(file, parameters + "upper_energy_limit", 1, kMost_keV)};
    if (!(detection.window_keV[0] < detection.window_keV[1])) {
        throw BadInput("{}: 'lower_energy_limit' is not below 'upper_energy_limit'; export the list again",
                       file.path());
    }
    return detection;
}

/// The crystals at their reference points; sizes of faces are not told.
Scanner rdfScanner(const RingScanner& ring) {
    Scanner scanner;
    scanner.name = ring.name;
    scanner.facesKnown = false;
    scanner.crystals.reserve(static_cast<std::size_t>(ring.rings) *
                             static_cast<std::size_t>(ring.crystalsPerRing));
    for (std::uint32_t crystal = 0;
         crystal < static_cast<std::uint32_t>(ring.rings) * static_cast<std::uint32_t>(ring.crystalsPerRing);
         ++crystal) {
        const Vec3 at = ring.reference(crystal);
        scanner.crystals.push_back({at, normalized(Vec3{at.x, at.y, 0})});
    }
    describeField(scanner);
    const StirScanner* const known = findStirScanner(ring.name, ring.rings);
    scanner.timing_fwhm_ps = known != nullptr ? known->timing_ps : 0;
    return scanner;
}

/// What a unit of times is, ps.
double rdfUnit_ps(const h5::Reader& file) {
    constexpr double kPsPerNs = 1e3;
    return kPsPerNs *
           headerNumber(file, "/HeaderData/AcqParameters/EDCATParameters/coincTimingPrecision", 1e-3, 1);
}

/// The scanner as the file describes it.
Scanner rdfScannerOf(const h5::Reader& file, const RingScanner& ring) {
    Scanner scanner = rdfScanner(ring);
    scanner.detection = rdfDetection(file, rdfUnit_ps(file));
    return scanner;
}

/// Where reading can begin.
struct RdfPlace {
    std::uint64_t event = 0;
    std::uint64_t byte = 0;
    std::uint32_t time_ms = 0;  ///< time of the last marker
};

struct RdfEvent {
    std::array<unsigned, 2> ring{};  ///< rings of the crystal that GE calls high, and of the low one
    std::array<unsigned, 2> place{};
    int dt = 0;  ///< in units of coincTimingPrecision
    std::uint32_t time_ms = 0;
};

class Rdf9List : public EventStream {
  public:
    Rdf9List(const std::string& path, const ListReadOptions& options) : file_(path) {
        requireList();
        ring_ = rdfRing(file_);
        Scanner scanner =
            options.scannerFile.empty() ? rdfScannerOf(file_, ring_) : Scanner::find(options.scannerFile);
        if (scanner.crystals.size() != static_cast<std::size_t>(ring_.rings * ring_.crystalsPerRing)) {
            throw BadInput("{}: has {} rings of {} crystals, '{}' has {} crystals; give its own scanner",
                           path, ring_.rings, ring_.crystalsPerRing, options.scannerFile,
                           scanner.crystals.size());
        }
        timed_ = scanner.timing_fwhm_ps > 0;
        unit_ps_ = rdfUnit_ps(file_);
        scan_.scannerJson = scanner.toJson();
        bytes_ = file_.shape(kRecords).at(0);
        start_ms_ = static_cast<std::uint32_t>(stamp("firstTmAbsTimeStamp"));
        scan_.duration_s = 1e-3 * (stamp("lastTmAbsTimeStamp") - start_ms_);
        if (scan_.duration_s < 0) {
            throw BadInput("{}: 'lastTmAbsTimeStamp' lies before the first one; export the list again", path);
        }
        findPlaces();
        if (size_ == 0) {
            throw BadInput("{}: holds no coincidences; export the list again", path);
        }
        note_ =
            path + ": taken to lie head first and supine; times of flight have the sign that STIR gives them";
        if (!timed_) {
            note_ = fmt::format(
                "{}: taken to lie head first and supine; times of flight are left out, as nobody "
                "says the time resolution of '{}': give a scanner that has one with --scanner",
                path, ring_.name);
        }
        if (options.scannerFile.empty() && scanner.detection) {
            note_ = joinedNotes(note_, fmt::format("its energy resolution is taken as {:g} %: --scanner says "
                                                   "another",
                                                   100 * kRdfResolution));
        }
        note_ = joinedNotes(note_, timeNote());
    }

    [[nodiscard]] const EventList& scan() const override { return scan_; }
    [[nodiscard]] std::uint64_t size() const override { return size_; }
    [[nodiscard]] bool hasFactors() const override { return false; }
    [[nodiscard]] std::string note() const override { return note_; }
    [[nodiscard]] bool tellsMoments() const override { return true; }
    void read(std::uint64_t first, std::uint64_t count, EventList& block) const override {
        block.crystals.resize(count);
        block.dt_ps.resize(timed_ ? count : 0);
        forEvents(first, count, [&](std::uint64_t i, const RdfEvent& event) {
            for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
                block.crystals[i].at(side) = crystal(event.ring.at(side), event.place.at(side), first + i);
            }
            if (timed_) {
                block.dt_ps[i] = static_cast<float>(event.dt * unit_ps_);
            }
        });
    }
    void readMoments(std::uint64_t first, std::uint64_t count, EventList& block) const override {
        block.time_ms.resize(count);
        forEvents(first, count,
                  [&](std::uint64_t i, const RdfEvent& event) { block.time_ms[i] = event.time_ms; });
    }
    [[nodiscard]] const RingScanner& ring() const { return ring_; }

  private:
    void requireList() const {
        requireRdf9(file_);
        if (headerNumber(file_, "/HeaderData/RDFConfiguration/isListFile", 0, 1e6) == 0 ||
            !file_.has(kRecords)) {
            throw BadInput(
                "{}: is RDF 9 of GE without list-mode (sinograms, normalisation or geometry); give its "
                "list (efficiencies are taken by 'correct --norm')",
                file_.path());
        }
        if (headerNumber(file_, "/HeaderData/ListHeader/isListCompressed", 0, 1e6) != 0) {
            throw BadInput(
                "{}: is compressed list-mode of GE, whose layout is not published; export it "
                "uncompressed",
                file_.path());
        }
    }
    /// What is to be said where times of the list are not those of its header; empty where they are.
    [[nodiscard]] std::string timeNote() const {
        constexpr double kNear_s = 0.1;
        const double begin_s = 1e-3 * (marks_[0] - static_cast<double>(start_ms_));
        const double end_s = 1e-3 * (marks_[1] - static_cast<double>(start_ms_));
        const bool known = marks_[1] > 0;
        const bool near = std::abs(begin_s) < kNear_s && std::abs(end_s - scan_.duration_s) < kNear_s;
        return !known || near ? ""
                              : fmt::format(
                                    "its times run from {:g} to {:g} s of a scan of {:g} s: parts of the "
                                    "list may be missing",
                                    begin_s, end_s, scan_.duration_s);
    }
    [[nodiscard]] double stamp(const char* name) const {
        return headerNumber(file_, std::string("/HeaderData/ListHeader/") + name, 0, 4294967295.0);
    }
    [[nodiscard]] std::uint32_t crystal(unsigned ring, unsigned place, std::uint64_t event) const {
        const auto rings = static_cast<unsigned>(ring_.rings);
        const auto places = static_cast<unsigned>(ring_.crystalsPerRing);
        if (ring >= rings || place >= places) {
            throw BadInput(
                "{}: coincidence {} names crystal {} of ring {}, beyond {} rings of {}; it is damaged",
                file_.path(), event, place, ring, rings, places);
        }
        return rdfCrystal(ring_, ring, place);
    }

    /// Calls take(record) from a byte on, until that says false or the list ends.
    template <typename Take>
    void forRecords(std::uint64_t byte, const Take& take) const {
        constexpr std::uint64_t kBuffer = std::uint64_t{1} << 20U;
        constexpr std::array<std::uint64_t, 4> kLengths{0, 6, 8, 16};
        std::vector<std::uint8_t> buffer(kBuffer);
        while (byte < bytes_) {
            const std::uint64_t got = std::min(kBuffer, bytes_ - byte);
            file_.readRows(kRecords, byte, got, buffer.data());
            std::uint64_t at = 0;
            while (at + kLengths.back() <= got || byte + got == bytes_) {
                const auto* const record = reinterpret_cast<const std::byte*>(buffer.data()) + at;
                const std::uint64_t length = at < got ? kLengths.at(buffer[at] & 3U) : 1;
                if (at == got) {
                    return;
                }
                if (length == 0 || length > got - at) {
                    throw BadInput("{}: has no whole record at byte {} of its list; copy or export it again",
                                   file_.path(), byte + at);
                }
                if (!take(record, byte + at)) {
                    return;
                }
                at += length;
            }
            byte += at;
        }
    }

    static std::uint16_t word(const std::byte* record, std::size_t which) {
        return decodeOne<std::uint16_t>(record + 2 * which, ByteOrder::Little);
    }
    static bool isCoincidence(std::uint16_t first) { return (first >> 2U & 1U) != 0; }
    /// Kind of a record that is no coincidence.
    static unsigned otherKind(std::uint16_t first) { return first >> 3U & 15U; }
    [[nodiscard]] std::uint32_t markerTime(const std::byte* record) const {
        const std::uint32_t stamp_ms = word(record, 1) | std::uint32_t{word(record, 2)} << 16U;
        return stamp_ms - std::min(stamp_ms, start_ms_);
    }

    void findPlaces() {
        constexpr std::uint64_t kEvents = 65536;  // between two places
        constexpr unsigned kEnd = 14;
        std::uint32_t time_ms = 0;
        forRecords(0, [&](const std::byte* record, std::uint64_t byte) {
            const std::uint16_t first = word(record, 0);
            if (isCoincidence(first)) {
                if (size_++ % kEvents == 0) {
                    places_.push_back({size_ - 1, byte, time_ms});
                }
                return true;
            }
            if (otherKind(first) == 0) {
                time_ms = markerTime(record);
                const double mark = word(record, 1) + 65536.0 * word(record, 2);
                marks_ = {marks_[1] > 0 ? marks_[0] : mark, mark};
            }
            return otherKind(first) != kEnd;
        });
    }

    template <typename Take>
    void forEvents(std::uint64_t first, std::uint64_t count, const Take& take) const {
        if (count == 0) {
            return;
        }
        const auto behind =
            std::upper_bound(places_.begin(), places_.end(), first,
                             [](std::uint64_t event, const RdfPlace& place) { return event < place.event; });
        const RdfPlace from = *std::prev(behind);
        std::uint64_t event = from.event;
        std::uint32_t time_ms = from.time_ms;
        forRecords(from.byte, [&](const std::byte* record, std::uint64_t /*byte*/) {
            const std::uint16_t head = word(record, 0);
            if (!isCoincidence(head)) {
                time_ms = otherKind(head) == 0 ? markerTime(record) : time_ms;
                return true;
            }
            if (event >= first) {
                const std::uint16_t high = word(record, 1);
                const std::uint16_t low = word(record, 2);
                take(event - first, RdfEvent{{high & 63U, low & 63U},
                                             {unsigned{high} >> 6U, unsigned{low} >> 6U},
                                             static_cast<std::int16_t>(head) >> 7,
                                             time_ms});
            }
            return ++event < first + count;
        });
    }

    h5::Reader file_;
    RingScanner ring_;
    EventList scan_;
    std::vector<RdfPlace> places_;
    std::uint64_t bytes_ = 0;
    std::uint64_t size_ = 0;
    std::array<double, 2> marks_{};  ///< the first time in the list and the last, ms; 0: none
    std::uint32_t start_ms_ = 0;
    double unit_ps_ = 0;
    bool timed_ = false;
    std::string note_;
};

class Rdf9File : public FormatFile {
  public:
    explicit Rdf9File(std::string path)
        : path_(std::move(path)), normalisation_(h5::Reader(path_).has(kFactors)) {}

    [[nodiscard]] FileKind kind() const override { return normalisation_ ? FileKind::Data : FileKind::List; }
    [[nodiscard]] bool readsScanner() const override { return true; }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& options) const override {
        const Rdf9List list(path_, options);
        constexpr std::uint64_t kBytesPerEvent = 16;  // crystals, time of flight, time
        requireMemory(path_, list.size() * kBytesPerEvent);
        ListReadResult result{list.scan(), list.size(), list.note()};
        list.read(0, list.size(), result.events);
        list.readMoments(0, list.size(), result.events);
        return result;
    }
    [[nodiscard]] std::unique_ptr<const EventStream> eventStream(
        const ListReadOptions& options) const override {
        return std::make_unique<const Rdf9List>(path_, options);
    }
    void describe(nlohmann::ordered_json& info) const override {
        if (normalisation_) {
            info["normalisation"] = "GE RDF 9: 'correct DATA.h5 --norm' takes its crystal efficiencies";
            info["crystals"] = rdf9Efficiencies(path_)->size();
            return;
        }
        const Rdf9List list(path_, {});
        info["events"] = list.size();
        info["duration_s"] = list.scan().duration_s;
        info["scanner"] = list.ring().name;
        info["rings"] = list.ring().rings;
        info["crystals_per_ring"] = list.ring().crystalsPerRing;
        info["radius_mm"] = list.ring().radius_mm;
        info["note"] = list.note();
    }

  private:
    std::string path_;
    bool normalisation_;
};

}  // namespace

std::optional<CrystalSingles> rdf9Singles(const std::string& path) {
    if (!isRdf9(FileStart(path))) {
        return {};
    }
    const h5::Reader file(path);
    const RingScanner ring = rdfRing(file);
    constexpr double kMostSamples = 1e6;
    const char* const kSamples = "/HeaderData/SinglesHeader/numValidSamples";
    if (!file.has(kSamples)) {
        throw BadInput("{}: holds no singles of crystals ('{}'); export the list with them", path, kSamples);
    }
    const auto samples = static_cast<int>(headerNumber(file, kSamples, 1, kMostSamples));
    const h5::Shape shape{static_cast<std::uint64_t>(ring.rings),
                          static_cast<std::uint64_t>(ring.crystalsPerRing)};
    CrystalSingles singles;
    singles.recorded.assign(shape[0] * shape[1], 0);
    singles.duration_s = samples;
    singles.scannerJson = rdfScannerOf(file, ring).toJson();
    for (int i = 1; i <= samples; ++i) {
        const std::string name = kSingles + std::to_string(i);
        const std::vector<double> sample = file.read<double>(name, shape);
        for (std::size_t at = 0; at < sample.size(); ++at) {
            if (!(sample[at] >= 0 && std::isfinite(sample[at]))) {
                throw BadInput("{}: '{}' has negative or infinite numbers; export the list again", path,
                               name);
            }
            singles.recorded[rdfCrystal(ring, static_cast<unsigned>(at / shape[1]),
                                        static_cast<unsigned>(at % shape[1]))] += sample[at];
        }
    }
    return singles;
}

std::optional<std::vector<double>> rdf9Efficiencies(const std::string& path) {
    if (!isRdf9(FileStart(path))) {
        return {};
    }
    const h5::Reader file(path);
    if (!file.has(kFactors)) {
        return {};
    }
    requireRdf9(file);
    const RingScanner ring = rdfRing(file);
    const auto rows = static_cast<std::uint64_t>(ring.rings);
    const auto places = static_cast<std::uint64_t>(ring.crystalsPerRing);
    const h5::Shape shape = file.shape(kFactors);
    if (shape.size() != 2 || shape[0] != rows || shape[1] < places || shape[1] % places != 0) {
        throw BadInput("{}: '{}' is not of {} rings of {} crystals, as its geometry is; export it again",
                       path, kFactors, rows, places);
    }
    const std::vector<double> factors = file.read<double>(kFactors, shape);
    std::vector<double> found(rows * places);
    double sum = 0;
    for (std::uint64_t row = 0; row < rows; ++row) {
        for (std::uint64_t place = 0; place < places; ++place) {
            const double factor = factors[row * shape[1] + place];
            if (!(factor >= 0 && std::isfinite(factor))) {
                throw BadInput("{}: '{}' holds {:g}; factors are finite and not below zero, export it again",
                               path, kFactors, factor);
            }
            const double efficiency = factor > 0 ? 1 / factor : 0;
            found[rdfCrystal(ring, static_cast<unsigned>(row), static_cast<unsigned>(place))] = efficiency;
            sum += efficiency;
        }
    }
    if (!(sum > 0)) {
        throw BadInput("{}: '{}' holds zeros alone; export it again", path, kFactors);
    }
    for (double& one : found) {
        one *= static_cast<double>(found.size()) / sum;
    }
    return found;
}

Format rdf9Format() {
    return {.name = "GE RDF 9", .recognise = [](const FileStart& start) {
                return isRdf9(start) ? std::make_unique<Rdf9File>(start.path) : nullptr;
            }};
}

}  // namespace tof
