// SPDX-License-Identifier: Apache-2.0
#include "recon/io/format/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "recon/base/error.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/scanner/scanner.h"
#include "recon/scanner/scanner_field.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kRecordBytes = 8;
constexpr std::size_t kMapLimit = std::size_t{256} << 20U;

/// Ring, place in the ring, layer.
using CrystalKey = std::array<unsigned, 3>;

std::string_view headerText(std::string_view start) {
    return start.size() >= kHeaderBytes ? start.substr(0, std::min(start.find('\0'), kHeaderBytes)) : "";
}

struct CrystalMap {
    std::map<CrystalKey, std::uint32_t> index;
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
        const bool fits = (values.size() == 5 || values.size() == 6) && values[0] >= 0 && values[0] < 256 &&
                          values[1] >= 0 && values[1] < 65536 && std::isfinite(values.back());
        if (!fits) {
            throw BadInput("{}: line {} is not ring, detector, [layer,] x, y, z; correct it", path, number);
        }
        const bool layered = values.size() == 6;
        const CrystalKey key{static_cast<unsigned>(values[0]), static_cast<unsigned>(values[1]),
                             layered ? static_cast<unsigned>(values[2]) : 0U};
        const std::size_t first = layered ? 3 : 2;
        const Vec3 at{values[first], values[first + 1], values[first + 2]};
        if (!(std::hypot(at.x, at.y) > 0) ||
            !map.index.emplace(key, static_cast<std::uint32_t>(map.scanner.crystals.size())).second) {
            throw BadInput("{}: line {} repeats a crystal or puts it on the axis; correct it", path, number);
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

/// What every record is, counted on the way through a file. Records are words of 64 bits, lowest byte first.
struct RecordCounts {
    std::uint64_t prompts = 0;
    std::uint64_t delayed = 0;
    std::uint64_t first_ms = 0;
    std::uint64_t last_ms = 0;
    bool timed = false;

    /// True for a coincidence, which `bit 63` tells from a time; `isDelayed` then says which.
    bool add(std::uint64_t word) {
        if (bits(word, 63, 1) == 1) {
            last_ms = word & ((std::uint64_t{1} << 48U) - 1U);
            first_ms = timed ? first_ms : last_ms;
            timed = true;
            return false;
        }
        (isDelayed(word) ? delayed : prompts) += 1;
        return true;
    }
    [[nodiscard]] static bool isDelayed(std::uint64_t word) { return bits(word, 62, 1) == 1; }
    [[nodiscard]] std::uint64_t elapsed_ms() const { return last_ms >= first_ms ? last_ms - first_ms : 0; }
};

/// Calls visit(word, index) for every whole record after the header. Throws BadInput for a file that ends
/// inside one, unless `partial`.
template <typename Visit>
void forEachRecord(const std::string& path, bool partial, const Visit& visit) {
    ByteReader reader(path);
    reader.skip(kHeaderBytes, "header");
    std::array<std::byte, 1U << 16U> buffer{};
    std::uint64_t record = 0;
    for (std::size_t got = 0; (got = reader.readSome(buffer.data(), buffer.size())) > 0;) {
        if (got % kRecordBytes != 0 && !partial) {
            throw BadInput("{}: ends inside a record; read it with --partial", path);
        }
        for (std::size_t at = 0; at + kRecordBytes <= got; at += kRecordBytes, ++record) {
            visit(decodeOne<std::uint64_t>(buffer.data() + at, ByteOrder::Little), record);
        }
    }
}

/// Prompts as events; delayed coincidences are left out and counted in the note. `options.scannerFile` is the
/// crystal map (text: ring, detector[, layer], x, y, z in mm); without it the one `*crystal_map*.txt` beside
/// the data is taken. Crystals are numbered in the order of the map. Throws BadInput.
ListReadResult readEventsSafir(const std::string& path, const ListReadOptions& options) {
    const CrystalMap map = readMap(options.scannerFile.empty() ? mapBeside(path) : options.scannerFile);
    const unsigned layerBits = listName(path).starts_with("NeuroLF") ? 3 : 4;
    ListReadResult result;
    EventList& events = result.events;
    RecordCounts counts;
    forEachRecord(path, options.partial, [&](std::uint64_t word, std::uint64_t record) {
        if (!counts.add(word) || RecordCounts::isDelayed(word)) {
            return;
        }
        const auto a =
            map.index.find(CrystalKey{bits(word, 0, 8), bits(word, 16, 16), bits(word, 48, layerBits)});
        const auto b = map.index.find(
            CrystalKey{bits(word, 8, 8), bits(word, 32, 16), bits(word, 48 + layerBits, layerBits)});
        if (a == map.index.end() || b == map.index.end()) {
            throw BadInput(
                "{}: record {} names a crystal that the map does not have; give the map of this scanner",
                path, record);
        }
        events.crystals.push_back({a->second, b->second});
        events.time_ms.push_back(static_cast<std::uint32_t>(counts.elapsed_ms()));
    });
    if (!counts.timed || counts.elapsed_ms() > std::numeric_limits<std::uint32_t>::max()) {
        events.time_ms.clear();
    }
    events.scannerJson = map.scanner.toJson();
    events.duration_s = 1e-3 * static_cast<double>(counts.elapsed_ms());
    result.announced = events.size();
    if (counts.delayed > 0) {
        result.note = fmt::format("{}: {} delayed coincidences are left out", path, counts.delayed);
    }
    return result;
}

class SafirFile : public FormatFile {
  public:
    explicit SafirFile(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::List; }
    [[nodiscard]] bool readsScanner() const override { return true; }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& options) const override {
        return readEventsSafir(path_, options);
    }
    void describe(nlohmann::ordered_json& info) const override {
        RecordCounts counts;
        forEachRecord(path_, true, [&](std::uint64_t word, std::uint64_t) { counts.add(word); });
        const std::string name = listName(path_);
        info["events"] = counts.prompts;
        info["delayed"] = counts.delayed;
        info["duration_s"] = 1e-3 * static_cast<double>(counts.elapsed_ms());
        info["scanner"] = name.substr(0, name.find(' '));
        const std::vector<std::string> maps = mapsBeside(path_);
        if (maps.size() == 1) {
            info["crystal_map"] = maps.front();
        }
    }

  private:
    std::string path_;
};

}  // namespace

Format safirFormat() {
    return {.name = "SAFIR", .recognise = [](const FileStart& start) {
                return isSafir(start.bytes) ? std::make_unique<SafirFile>(start.path) : nullptr;
            }};
}

}  // namespace tof
