// SPDX-License-Identifier: Apache-2.0
#include "recon/io/inveon_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/format/notes.h"
#include "recon/io/format/record_list.h"
#include "recon/scanner/scanner.h"

namespace tof {

namespace {

constexpr std::uint32_t kRings = 80;
constexpr std::uint32_t kPlaces = 320;
constexpr std::uint32_t kColumns = 20;  // crystals of a block in a ring
constexpr std::uint32_t kCrystals = kRings * kPlaces;

/// Blocks as Bao et al., J. Nucl. Med. 50 (2009) 401, have them.
constexpr const char* kInveon =
    R"({"name": "inveon", "modules": {"count": 16, "face_to_face_mm": 161, "first_angle_deg": 0,
"crystals": [20, 80], "pitch_mm": [1.592, 1.592]}, "crystal_mm": [1.51, 1.51, 10], "attenuation_per_mm": 0.0819,
"acceptance_deg": 38.4, "fov_diameter_mm": 128, "timing_fwhm_ps": 0})";

/// Ring by ring in the file; block by block, each row by row, in the scanner above.
std::uint32_t blockOrder(std::uint32_t crystal) {
    const std::uint32_t ring = crystal / kPlaces;
    const std::uint32_t place = crystal % kPlaces;
    return (place / kColumns * kRings + ring) * kColumns + place % kColumns;
}

/// Words of 48 bits, lowest byte first.
class InveonCoding {
  public:
    enum class Order { File, Blocks };
    static constexpr bool kTagged = true;
    static constexpr std::uint64_t kBytes = 6;
    InveonCoding(std::string path, Order order) : path_(std::move(path)), order_(order) {}

    static std::uint64_t start() { return 0; }
    static std::uint64_t bytes() { return kBytes; }
    static bool hasFactors() { return false; }
    static RecordKind kind(const std::byte* record) {
        constexpr std::uint64_t kTime = 0xA0;
        const std::uint64_t word = wordOf(record);
        if ((word >> 43U & 1U) != 0) {
            return (word >> 36U & 0xFFU) == kTime ? RecordKind::Time : RecordKind::Other;
        }
        return (word >> 42U & 1U) != 0 ? RecordKind::Event : RecordKind::Delayed;
    }
    /// Each tag tells that 0.2 ms have passed.
    static std::uint64_t clock(const std::byte* /*record*/, std::uint64_t before) { return before + 1; }
    static std::array<std::uint32_t, 2> pair(const std::byte* record) {
        constexpr std::uint64_t kCrystal = (1U << 17U) - 1U;
        const std::uint64_t word = wordOf(record);
        return {static_cast<std::uint32_t>(word >> 19U & kCrystal),
                static_cast<std::uint32_t>(word & kCrystal)};
    }
    static void prepare(EventList& block, std::uint64_t count, EventColumns /*columns*/) {
        block.crystals.resize(count);
    }
    void take(const std::byte* record, std::uint64_t event, std::uint64_t i, EventList& block) const {
        const auto [one, two] = pair(record);
        if (one >= kCrystals || two >= kCrystals) {
            throw BadInput(
                "{}: event {} names crystal {}, and an Inveon has {}; it is damaged, copy it again", path_,
                event, std::max(one, two), kCrystals);
        }
        block.crystals[i] =
            order_ == Order::File ? std::array{one, two} : std::array{blockOrder(one), blockOrder(two)};
    }
    static std::uint32_t moment(const std::byte* /*record*/, std::uint64_t clock) {
        return static_cast<std::uint32_t>(clock / kTicksPerMs);
    }
    static constexpr std::uint64_t kTicksPerMs = 5;

  private:
    static std::uint64_t wordOf(const std::byte* record) {
        return decodeOne<std::uint32_t>(record, ByteOrder::Little) |
               std::uint64_t{decodeOne<std::uint16_t>(record + sizeof(std::uint32_t), ByteOrder::Little)}
                   << 32U;
    }

    std::string path_;
    Order order_;
};

class InveonList : public RecordList<InveonCoding> {
  public:
    InveonList(const std::string& path, const ListReadOptions& options)
        : RecordList(path,
                     wholeRecords(path, std::filesystem::file_size(path), 0, InveonCoding::kBytes, options),
                     InveonCoding(path, options.scannerFile.empty() ? InveonCoding::Order::Blocks
                                                                    : InveonCoding::Order::File)) {
        const bool given = !options.scannerFile.empty();
        const Scanner scanner =
            given ? Scanner::find(options.scannerFile) : Scanner::fromJson(kInveon, "inveon");
        if (scanner.crystals.size() != kCrystals) {
            throw BadInput("{}: is of {} rings of {} crystals, '{}' has {} crystals; give its own scanner",
                           path, kRings, kPlaces, options.scannerFile, scanner.crystals.size());
        }
        constexpr double kTicksPerSecond = 1e3 * InveonCoding::kTicksPerMs;
        scan().scannerJson = scanner.toJson();
        scan().duration_s = static_cast<double>(counts().times) / kTicksPerSecond;
        setNote(delayedNote(path, counts().delayeds));
        if (!given) {
            setNote(joinedNotes(path + ": where the first of an Inveon's crystals lies, and which way rings "
                                       "and places count, is "
                                       "taken (at +x, from -z on, towards +y): give a scanner with --scanner "
                                       "where that is known",
                                note()));
        }
    }
    [[nodiscard]] bool tellsMoments() const override {
        return counts().times > 0 &&
               counts().times / InveonCoding::kTicksPerMs <= std::numeric_limits<std::uint32_t>::max();
    }
};

class InveonFile : public FormatFile {
  public:
    explicit InveonFile(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::List; }
    [[nodiscard]] bool readsScanner() const override { return true; }
    [[nodiscard]] std::optional<ListReadResult> events(const ListReadOptions& options) const override {
        return InveonList(path_, options).all();
    }
    [[nodiscard]] std::unique_ptr<const EventStream> eventStream(
        const ListReadOptions& options) const override {
        return std::make_unique<const InveonList>(path_, options);
    }
    void describe(nlohmann::ordered_json& info) const override {
        ListReadOptions asFarAsItGoes;
        asFarAsItGoes.partial = true;
        const InveonList list(path_, asFarAsItGoes);
        info["events"] = list.size();
        info["delayed"] = list.counts().delayeds;
        info["other_tags"] = list.counts().others;
        info["duration_s"] = list.scan().duration_s;
        info["note"] = list.note();
    }

  private:
    std::string path_;
};

/// Whether all words name crystals of an Inveon, and some are times.
bool isInveon(const FileStart& start) {
    if (start.isFolder || !(start.path.ends_with(".lst") || start.path.ends_with(".LST"))) {
        return false;
    }
    bool timed = false;
    const auto* const bytes = reinterpret_cast<const std::byte*>(start.bytes.data());
    for (std::size_t at = 0; at + InveonCoding::kBytes <= start.bytes.size(); at += InveonCoding::kBytes) {
        const RecordKind kind = InveonCoding::kind(bytes + at);
        timed = timed || kind == RecordKind::Time;
        const auto [one, two] = InveonCoding::pair(bytes + at);
        if (kind != RecordKind::Time && kind != RecordKind::Other && (one >= kCrystals || two >= kCrystals)) {
            return false;
        }
    }
    return timed;
}

}  // namespace

Format inveonFormat() {
    return {.name = "Siemens Inveon", .recognise = [](const FileStart& start) {
                return isInveon(start) ? std::make_unique<InveonFile>(start.path) : nullptr;
            }};
}

}  // namespace tof
