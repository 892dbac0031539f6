// SPDX-License-Identifier: Apache-2.0
#include "recon/io/format/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/record_list.h"
#include "recon/scanner/scanner.h"
#include "recon/scanner/scanner_field.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kMapLimit = std::size_t{256} << 20U;

constexpr unsigned kRings = 256;
constexpr unsigned kPlaces = 65536;
constexpr unsigned kLayers = 16;

std::string_view headerText(std::string_view start) {
    return start.size() >= kHeaderBytes ? start.substr(0, std::min(start.find('\0'), kHeaderBytes)) : "";
}

/// Crystals by layer, ring and place in the ring.
class CrystalTable {
  public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    /// False where the place is taken, or lies so far behind that rows would be nearly empty.
    bool put(unsigned ring, unsigned place, unsigned layer, std::uint32_t crystal) {
        constexpr std::size_t kMostPlaces = std::size_t{1} << 24U;
        std::vector<std::uint32_t>& row = rows_[layer * kRings + ring];
        places_ += std::max<std::size_t>(row.size(), place + 1) - row.size();
        if (places_ > kMostPlaces) {
            return false;
        }
        row.resize(std::max<std::size_t>(row.size(), place + 1), kNone);
        return std::exchange(row[place], crystal) == kNone;
    }
    /// kNone where no crystal is.
    [[nodiscard]] std::uint32_t at(unsigned ring, unsigned place, unsigned layer) const {
        const std::vector<std::uint32_t>& row = rows_[layer * kRings + ring];
        return place < row.size() ? row[place] : kNone;
    }

  private:
    std::size_t places_ = 0;
    std::vector<std::vector<std::uint32_t>> rows_ =
        std::vector<std::vector<std::uint32_t>>(std::size_t{kRings} * kLayers);
};

struct CrystalMap {
    CrystalTable table;
    Scanner scanner;
};

CrystalMap readMap(const std::string& path) {
    CrystalMap map;
    map.scanner.name = fs::path(path).stem().string();
    map.scanner.facesKnown = false;  // a map has places alone
    std::istringstream text(readTextFile(path, kMapLimit));
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        if (line.empty() || line.front() == '#') {
            continue;
        }
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        std::vector<double> values;
        for (double value = 0; words >> value;) {
            values.push_back(value);
        }
        const bool layered = values.size() == 6;
        const bool fits = (values.size() == 5 || layered) && values[0] >= 0 && values[0] < kRings &&
                          values[1] >= 0 && values[1] < kPlaces &&
                          (!layered || (values[2] >= 0 && values[2] < kLayers)) &&
                          std::isfinite(values.back());
        if (!fits) {
            throw BadInput("{}: line {} is not ring, detector, [layer,] x, y, z; correct it", path, number);
        }
        const std::size_t first = layered ? 3 : 2;
        const Vec3 at{values[first], values[first + 1], values[first + 2]};
        constexpr double kFarthest_mm = 1e4;
        if (!(norm(at) < kFarthest_mm)) {
            throw BadInput("{}: line {} puts a crystal {:g} mm from the middle; places are in mm", path,
                           number, norm(at));
        }
        if (!(std::hypot(at.x, at.y) > 0) ||
            !map.table.put(static_cast<unsigned>(values[0]), static_cast<unsigned>(values[1]),
                           layered ? static_cast<unsigned>(values[2]) : 0U,
                           static_cast<std::uint32_t>(map.scanner.crystals.size()))) {
            throw BadInput(
                "{}: line {} repeats a crystal, puts it on the axis, or numbers places that are "
                "nearly all empty; correct it",
                path, number);
        }
        map.scanner.crystals.push_back({at, normalized(Vec3{at.x, at.y, 0})});
    }
    if (map.scanner.crystals.size() < 2) {
        throw BadInput("{}: names no crystals; give the crystal map of this scanner", path);
    }
    describeField(map.scanner);
    return map;
}

std::vector<std::string> mapsBeside(const std::string& path) {
    std::vector<std::string> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(fs::absolute(path).parent_path(), ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.find("crystal_map") != std::string::npos && name.ends_with(".txt")) {
            found.push_back(entry.path().string());
        }
    }
    return found;
}

std::string mapBeside(const std::string& path) {
    const std::vector<std::string> found = mapsBeside(path);
    if (found.size() != 1) {
        throw BadInput("{}: {} crystal maps lie beside it; name the one that belongs to it with --scanner",
                       path, found.size());
    }
    return found.front();
}

unsigned bits(std::uint64_t record, unsigned first, unsigned count) {
    return static_cast<unsigned>(record >> first & ((std::uint64_t{1} << count) - 1U));
}

/// True when a file starts as SAFIR, MUPET or NeuroLF list-mode does.
bool isSafir(std::string_view start) {
    const std::string_view text = headerText(start);
    return text == "SAFIR CListModeData" || text == "MUPET CListModeData" || text == "NeuroLF CListModeData";
}

/// "SAFIR CListModeData", "MUPET ...", "NeuroLF ...".
std::string listName(const std::string& path) {
    std::array<char, kHeaderBytes> header{};
    ByteReader(path).read(reinterpret_cast<std::byte*>(header.data()), header.size(), "header");
    return std::string(headerText({header.data(), header.size()}));
}

/// Records are words of 64 bits, lowest byte first.
class SafirCoding {
  public:
    static constexpr bool kTagged = true;
    SafirCoding(std::string path, const CrystalTable& table)
        : path_(std::move(path)), layerBits_(listName(path_).starts_with("NeuroLF") ? 3 : 4), table_(table) {}

    static std::uint64_t start() { return kHeaderBytes; }
    static std::uint64_t bytes() { return sizeof(std::uint64_t); }
    static bool hasFactors() { return false; }
    static RecordKind kind(const std::byte* record) {
        const std::uint64_t word = wordOf(record);
        return bits(word, 63, 1) == 1   ? RecordKind::Time
               : bits(word, 62, 1) == 1 ? RecordKind::Delayed
                                        : RecordKind::Event;
    }
    static std::uint64_t clock(const std::byte* record, std::uint64_t /*before*/) {
        return wordOf(record) & ((std::uint64_t{1} << 48U) - 1U);
    }
    static void prepare(EventList& block, std::uint64_t count, EventColumns /*columns*/) {
        block.crystals.resize(count);
    }
    void take(const std::byte* record, std::uint64_t event, std::uint64_t i, EventList& block) const {
        const std::uint64_t word = wordOf(record);
        block.crystals[i] = {
            table_.at(bits(word, 0, 8), bits(word, 16, 16), bits(word, 48, layerBits_)),
            table_.at(bits(word, 8, 8), bits(word, 32, 16), bits(word, 48 + layerBits_, layerBits_))};
        if (block.crystals[i][0] == CrystalTable::kNone || block.crystals[i][1] == CrystalTable::kNone) {
            throw BadInput(
                "{}: event {} names a crystal that the map does not have; give the map of this scanner",
                path_, event);
        }
    }
    [[nodiscard]] std::uint32_t moment(const std::byte* /*record*/, std::uint64_t clock) const {
        return static_cast<std::uint32_t>(clock - std::min(clock, start_ms_));
    }
    void setStart(std::uint64_t ms) { start_ms_ = ms; }

  private:
    static std::uint64_t wordOf(const std::byte* record) {
        return decodeOne<std::uint64_t>(record, ByteOrder::Little);
    }

    std::string path_;
    unsigned layerBits_;
    CrystalTable table_;
    std::uint64_t start_ms_ = 0;
};

/// Prompts; delayed coincidences are left out and told. Crystals are numbered in the order of the map.
class SafirList : public RecordList<SafirCoding> {
  public:
    SafirList(const std::string& path, const ListReadOptions& options, const CrystalMap& map)
        : RecordList(path,
                     wholeRecords(path, fs::file_size(path), kHeaderBytes, SafirCoding::bytes(), options),
                     SafirCoding(path, map.table)) {
        if (counts().backwards > 0 && !options.partial) {
            throw BadInput("{}: its times run backwards at {} of {} places; copy or export it again", path,
                           counts().backwards, counts().times);
        }
        coding().setStart(counts().firstClock);
        scan().scannerJson = map.scanner.toJson();
        scan().duration_s = 1e-3 * static_cast<double>(elapsed_ms());
        setNote(delayedNote(path, counts().delayeds));
    }
    [[nodiscard]] std::uint64_t elapsed_ms() const {
        return counts().lastClock - std::min(counts().lastClock, counts().firstClock);
    }
    [[nodiscard]] bool tellsMoments() const override {
        return counts().times > 0 && elapsed_ms() <= std::numeric_limits<std::uint32_t>::max();
    }
};

class SafirFile : public FormatFile {
  public:
    explicit SafirFile(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::List; }
    [[nodiscard]] bool readsScanner() const override { return true; }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& options) const override {
        return list(options).all();
    }
    [[nodiscard]] std::unique_ptr<const EventStream> eventStream(
        const ListReadOptions& options) const override {
        return std::make_unique<const SafirList>(path_, options, mapOf(options));
    }
    void describe(nlohmann::ordered_json& info) const override {
        ListReadOptions asFarAsItGoes;
        asFarAsItGoes.partial = true;
        const SafirList list(path_, asFarAsItGoes, {});
        const std::string name = listName(path_);
        info["events"] = list.size();
        info["delayed"] = list.counts().delayeds;
        info["duration_s"] = list.scan().duration_s;
        info["scanner"] = name.substr(0, name.find(' '));
        const std::vector<std::string> maps = mapsBeside(path_);
        if (maps.size() == 1) {
            info["crystal_map"] = maps.front();
        }
    }

  private:
    /// The crystal map (text: ring, detector[, layer], x, y, z in mm) that is given, else the one beside.
    [[nodiscard]] CrystalMap mapOf(const ListReadOptions& options) const {
        return readMap(options.scannerFile.empty() ? mapBeside(path_) : options.scannerFile);
    }
    [[nodiscard]] SafirList list(const ListReadOptions& options) const {
        return {path_, options, mapOf(options)};
    }

    std::string path_;
};

}  // namespace

Format safirFormat() {
    return {.name = "SAFIR", .recognise = [](const FileStart& start) {
                return isSafir(start.bytes) ? std::make_unique<SafirFile>(start.path) : nullptr;
            }};
}

}  // namespace tof
