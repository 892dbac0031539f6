// SPDX-License-Identifier: Apache-2.0
#include "recon/io/yrt_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/named_file.h"
#include "recon/io/bytes/random_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/notes.h"
#include "recon/io/format/record_list.h"
#include "recon/scanner/scanner.h"
#include "recon/scanner/scanner_field.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr const char* kTable = "detCoord";
constexpr std::size_t kMostText = std::size_t{1} << 20U;

/// Crystals of the table: centre and direction, as float32.
void takeCrystals(Scanner& scanner, const std::string& table, std::size_t crystals) {
    constexpr std::size_t kNumbers = 6;
    ByteReader file(table);
    const std::vector<float> rows =
        file.numbers(crystals * kNumbers, NumberType::Float32, ByteOrder::Little, 1, 0);
    std::byte more{};
    if (file.readSome(&more, 1) != 0) {
        throw BadInput("{}: is longer than the {} crystals of its scanner; give the table that belongs to it",
                       table, crystals);
    }
    for (std::size_t i = 0; i < crystals; ++i) {
        const float* const row = rows.data() + kNumbers * i;
        const Vec3 centre{row[0], row[1], row[2]};
        const Vec3 outward{row[3], row[4], row[5]};
        constexpr double kOff = 1e-3;
        if (!(std::abs(norm(outward) - 1) < kOff) || !(outward.x * centre.x + outward.y * centre.y > 0)) {
            throw BadInput(
                "{}: crystal {} at ({:g}, {:g}, {:g}) mm has no direction away from the axis; make "
                "the table again",
                table, i, centre.x, centre.y, centre.z);
        }
        const Vec3 unit = normalized(outward);
        scanner.crystals.push_back({centre - scanner.meanDepth_mm * unit, unit});
    }
}

/// Throws BadInput where the table is of another size than the JSON says.
void requireSize(const Scanner& scanner, const std::string& path, double radius_mm, double length_mm,
                 double depth_mm) {
    constexpr double kSlack = 0.05;
    double high = 0;
    for (const Crystal& one : scanner.crystals) {
        const double radius = std::hypot(one.front.x, one.front.y);
        if (!(radius > (1 - kSlack) * radius_mm && radius < (1 + kSlack) * (radius_mm + depth_mm))) {
            throw BadInput(
                "{}: field 'scannerRadius' is {:g} mm, and a crystal of its table lies {:g} mm from "
                "the axis; correct one of them",
                path, radius_mm, radius);
        }
        high = std::max(high, std::abs(one.front.z));
    }
    if (!(high < 0.5 * (1 + kSlack) * length_mm && high > 0.25 * length_mm)) {
        throw BadInput(
            "{}: field 'axialFOV' is {:g} mm, and the crystals of its table reach {:g} mm from the "
            "middle; correct one of them",
            path, length_mm, high);
    }
}

/// Says where crystals are larger than their pitch, else empty.
std::string sizeNote(const std::string& path, const std::array<double, 3>& size_mm,
                     const std::array<double, 2>& pitch_mm) {
    constexpr double kOverlap = 1.05;
    std::string note;
    for (const auto& [key, which] :
         {std::pair{"crystalSize_trans", std::size_t{0}}, std::pair{"crystalSize_z", std::size_t{1}}}) {
        if (size_mm.at(which) > kOverlap * pitch_mm.at(which)) {
            note =
                joinedNotes(note, fmt::format("{}: field '{}' is {:g} mm, but crystals stand {:.4g} mm apart "
                                              "and overlap; correct one of them",
                                              path, key, size_mm.at(which), pitch_mm.at(which)));
        }
    }
    return note;
}

/// A scanner of YRT-PET; 'timing_fwhm_ps' is a field that this program adds.
Scanner yrtScanner(const std::string& path, std::string& note) {
    const nlohmann::json root = parseJson(readTextFile(path, kMostText), path);
    const JsonFields fields(
        root, path,
        {"VERSION", "scannerName", kTable, "axialFOV", "crystalSize_trans", "crystalSize_z", "crystalDepth",
         "scannerRadius", "detsPerRing", "numRings", "numDOI", "maxRingDiff", "minAngDiff", "detsPerBlock",
         "detMask", "energyLLD", "fwhm", "collimatorRadius", "timing_fwhm_ps"});
    constexpr double kOldest = 3;
    constexpr double kNext = 3.999;
    static_cast<void>(fields.number("VERSION", kOldest, kNext));
    constexpr double kMost_mm = 1e4;
    constexpr double kLeast_mm = 1e-2;
    Scanner scanner;
    scanner.name = fields.text("scannerName");
    scanner.crystalSize_mm = {fields.number("crystalSize_trans", kLeast_mm, 100),
                              fields.number("crystalSize_z", kLeast_mm, 100),
                              fields.number("crystalDepth", kLeast_mm, 100)};
    scanner.meanDepth_mm = 0.5 * scanner.crystalSize_mm[2];
    scanner.timing_fwhm_ps = fields.number("timing_fwhm_ps", 0, 1, 1e5);
    const int places = fields.integer("detsPerRing", 2, 65536);
    const int rings = fields.integer("numRings", 1, 4096);
    const int layers = fields.integer("numDOI", 1, 64);
    const double radius = fields.number("scannerRadius", 1, kMost_mm);
    const double length = fields.number("axialFOV", kLeast_mm, kMost_mm);
    takeCrystals(scanner, namedBeside(path, fields.text(kTable)),
                 static_cast<std::size_t>(places) * static_cast<std::size_t>(rings) *
                     static_cast<std::size_t>(layers));
    requireSize(scanner, path, radius, length, layers * scanner.crystalSize_mm[2]);
    describeField(scanner);
    const double steepest = (fields.integer("maxRingDiff", 0, 4096) + 0.5) * length / rings;
    scanner.acceptance_rad = std::min(scanner.acceptance_rad, std::atan2(steepest, 2 * radius));
    scanner.fovRadius_mm =
        std::clamp(radius * std::cos(kPi * fields.integer("minAngDiff", 0, places / 2) / places), 1.0,
                   scanner.fovRadius_mm);
    note = sizeNote(path, scanner.crystalSize_mm, {2 * kPi * radius / places, length / rings});
    if (fields.has("detMask")) {
        note =
            joinedNotes(note, path + ": field 'detMask' is not applied: masked crystals count as crystals");
    }
    return scanner;
}

bool isYrtScanner(const std::string& path) {
    try {
        std::error_code fault;
        return path.ends_with(".json") && fs::file_size(path, fault) <= kMostText && !fault &&
               tryJson(readTextFile(path, kMostText)).contains(kTable);
    } catch (const BadInput&) {
        return false;  // what lies beside a list and cannot be read is none of its files
    }
}

std::string scannerBeside(const std::string& path) {
    std::vector<std::string> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(fs::absolute(path).parent_path(), ignored)) {
        if (isYrtScanner(entry.path().string())) {
            found.push_back(entry.path().string());
        }
    }
    if (found.size() != 1) {
        throw BadInput(
            "{}: {} scanners of YRT-PET (JSON with '{}') lie beside it; name the one that belongs "
            "to it with --scanner",
            path, found.size(), kTable);
    }
    return found.front();
}

/// What an event holds besides ms and two crystals.
struct YrtLayout {
    bool time = false;
    bool randoms = false;
    [[nodiscard]] std::uint64_t bytes() const {
        constexpr std::uint64_t kPlain = 12;
        return kPlain + (time ? sizeof(float) : 0) + (randoms ? sizeof(float) : 0);
    }
};

std::uint32_t wordAt(const std::byte* record, std::size_t which) {
    return decodeOne<std::uint32_t>(record + sizeof(std::uint32_t) * which, ByteOrder::Little);
}

float numberAt(const std::byte* record, std::size_t which) {
    return decodeOne<float>(record + sizeof(float) * which, ByteOrder::Little);
}

/// What the first events say of a layout.
struct YrtTrial {
    bool names = true;      ///< every event names two crystals of the scanner
    bool forwards = true;   ///< times do not run backwards
    bool negative = false;  ///< some number behind the crystals is below zero
};

YrtTrial tryLayout(const std::vector<std::byte>& start, std::uint64_t bytes, std::size_t crystals) {
    YrtTrial trial;
    std::uint32_t before = 0;
    for (std::size_t at = 0; at + bytes <= start.size(); at += bytes) {
        const std::byte* const record = start.data() + at;
        trial.names = trial.names && wordAt(record, 1) < crystals && wordAt(record, 2) < crystals &&
                      wordAt(record, 1) != wordAt(record, 2);
        trial.forwards = trial.forwards && wordAt(record, 0) >= before;
        before = wordAt(record, 0);
        trial.negative = trial.negative || (bytes == 16 && numberAt(record, 3) < 0);
    }
    return trial;
}

/// The layout by which the first events name crystals of the scanner.
YrtLayout layoutOf(const RandomFile& file, std::size_t crystals, bool partial) {
    constexpr std::uint64_t kStart = 960000;  // whole events of each layout
    std::vector<std::byte> start(std::min(file.size(), kStart));
    file.read(0, start, "events");
    std::vector<std::pair<YrtLayout, YrtTrial>> fitting;
    for (const YrtLayout layout : {YrtLayout{false, false}, YrtLayout{true, false}, YrtLayout{true, true}}) {
        const YrtTrial trial = tryLayout(start, layout.bytes(), crystals);
        if (trial.names && (partial || file.size() % layout.bytes() == 0)) {
            fitting.emplace_back(layout, trial);
        }
    }
    if (fitting.size() > 1) {
        std::erase_if(fitting, [](const auto& one) { return !one.second.forwards; });
    }
    if (fitting.size() != 1) {
        throw BadInput(
            "{}: {} of the layouts of 12, 16 and 20 bytes an event fit its {} bytes and the {} crystals of "
            "the "
            "scanner; give the scanner that belongs to it with --scanner (lists with depths are not read)",
            file.path(), fitting.empty() ? "none" : "several", file.size(), crystals);
    }
    if (!fitting.front().second.forwards && !partial) {
        throw BadInput("{}: its times run backwards; sort its events by them, or read it with --partial",
                       file.path());
    }
    YrtLayout layout = fitting.front().first;
    if (layout.time && !layout.randoms && !fitting.front().second.negative) {
        layout = {false, true};
    }
    return layout;
}

class YrtCoding {
  public:
    static constexpr bool kTagged = false;
    YrtCoding(std::string path, const YrtLayout& layout, const Scanner& scanner)
        : path_(std::move(path)),
          layout_(layout),
          crystals_(scanner.crystals.size()),
          timed_(layout.time && scanner.timing_fwhm_ps > 0) {}

    static std::uint64_t start() { return 0; }
    [[nodiscard]] std::uint64_t bytes() const { return layout_.bytes(); }
    /// Rates of events with times say no window over which they are spread, so that they are not taken.
    [[nodiscard]] bool hasFactors() const { return layout_.randoms && !layout_.time; }
    [[nodiscard]] bool timed() const { return timed_; }
    [[nodiscard]] const YrtLayout& layout() const { return layout_; }
    void setScan(std::uint32_t start_ms, double duration_s) {
        start_ms_ = start_ms;
        duration_s_ = duration_s;
    }
    void prepare(EventList& block, std::uint64_t count, EventColumns columns) const {
        block.crystals.resize(count);
        block.dt_ps.resize(timed_ ? count : 0);
        block.add.resize(hasFactors() && columns == EventColumns::All ? count : 0);
    }
    void take(const std::byte* record, std::uint64_t event, std::uint64_t i, EventList& block) const {
        const std::array<std::uint32_t, 2> pair{wordAt(record, 1), wordAt(record, 2)};
        if (pair[0] >= crystals_ || pair[1] >= crystals_) {
            throw BadInput(
                "{}: event {} names crystal {}, but the scanner has {}; give the scanner that "
                "belongs to it with --scanner",
                path_, event, std::max(pair[0], pair[1]), crystals_);
        }
        block.crystals[i] = pair;
        if (layout_.time) {
            constexpr float kMost_ps = 1e5F;
            const float dt_ps = numberAt(record, 3);
            if (!(std::abs(dt_ps) <= kMost_ps)) {
                throw BadInput("{}: event {} has a time of flight of {:g} ps; times are below {:g}, in ps",
                               path_, event, dt_ps, kMost_ps);
            }
            if (timed_) {
                block.dt_ps[i] = dt_ps;
            }
        }
        if (!block.add.empty()) {
            const double counts = duration_s_ * static_cast<double>(numberAt(record, 3));
            if (!(counts >= 0 && std::isfinite(counts))) {
                throw BadInput(
                    "{}: event {} has a rate of randoms that is negative or not finite; correct it", path_,
                    event);
            }
            block.add[i] = static_cast<float>(counts);
        }
    }
    [[nodiscard]] std::uint32_t moment(const std::byte* record, std::uint64_t /*clock*/) const {
        const std::uint32_t ms = wordAt(record, 0);
        return ms - std::min(ms, start_ms_);
    }

  private:
    std::string path_;
    YrtLayout layout_;
    std::size_t crystals_;
    bool timed_;
    std::uint32_t start_ms_ = 0;
    double duration_s_ = 0;
};

/// What is assumed of a list that says nothing.
std::string assumed(const std::string& path, const YrtCoding& coding) {
    const YrtLayout& layout = coding.layout();
    const char* const holds =
        layout.time      ? layout.randoms ? ", times of flight and rates of randoms" : " and times of flight"
        : layout.randoms ? " and rates of randoms"
                         : "";
    std::string note =
        fmt::format("{}: taken as events of {} bytes: ms, crystals{}", path, coding.bytes(), holds);
    if (layout.time && coding.timed()) {
        note +=
            "; times are t1 - t2, as YRT-PET's program has them and its manual has not: --reverse-tof turns "
            "them";
    } else if (layout.time) {
        note += "; times are left out, as nobody says their resolution: add 'timing_fwhm_ps' to the scanner";
    }
    if (layout.time && layout.randoms) {
        note += "; rates of randoms are left out, as no window is said over which they are spread";
    }
    return note;
}

class YrtList : public RecordList<YrtCoding> {
  public:
    YrtList(const std::string& path, const YrtLayout& layout, const Scanner& scanner,
            const std::string& scannerNote, const ListReadOptions& options)
        : RecordList(path, wholeRecords(path, fs::file_size(path), 0, layout.bytes(), options),
                     YrtCoding(path, layout, scanner)) {
        scan().scannerJson = scanner.toJson();
        const std::uint32_t first = clockOf(0);
        const std::uint32_t last = clockOf(size() - 1);
        if (last < first) {
            throw BadInput("{}: ends at {} ms and begins at {} ms; sort its events by their times", path,
                           last, first);
        }
        scan().duration_s = 1e-3 * (last - first);
        coding().setScan(first, scan().duration_s);
        setNote(joinedNotes(assumed(path, coding()), scannerNote));
    }

  private:
    [[nodiscard]] std::uint32_t clockOf(std::uint64_t event) const {
        EventList one;
        readMoments(event, 1, one);
        return one.time_ms.front();
    }
};

class YrtFile : public FormatFile {
  public:
    explicit YrtFile(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::List; }
    [[nodiscard]] bool readsScanner() const override { return true; }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& options) const override {
        return list(options)->all();
    }
    [[nodiscard]] std::unique_ptr<const EventStream> eventStream(
        const ListReadOptions& options) const override {
        return list(options);
    }
    void describe(nlohmann::ordered_json& info) const override {
        const auto list = this->list({});
        info["events"] = list->size();
        info["duration_s"] = list->scan().duration_s;
        info["scanner"] = list->scan().scannerJson.scanner(path_)->name;
        info["tof"] = list->coding().layout().time;
        info["note"] = list->note();
    }

  private:
    [[nodiscard]] std::unique_ptr<const YrtList> list(const ListReadOptions& options) const {
        const std::string from = options.scannerFile.empty() ? scannerBeside(path_) : options.scannerFile;
        std::string note;
        const Scanner scanner = isYrtScanner(from) ? yrtScanner(from, note) : Scanner::find(from);
        const YrtLayout layout = layoutOf(RandomFile(path_), scanner.crystals.size(), options.partial);
        return std::make_unique<const YrtList>(path_, layout, scanner, note, options);
    }

    std::string path_;
};

}  // namespace

Format yrtFormat() {
    return {.name = "YRT-PET", .recognise = [](const FileStart& start) {
                return !start.isFolder && start.path.ends_with(".lmDat")
                           ? std::make_unique<YrtFile>(start.path)
                           : nullptr;
            }};
}

}  // namespace tof
