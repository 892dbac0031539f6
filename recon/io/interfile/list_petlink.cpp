// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/list_petlink.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/format/notes.h"
#include "recon/io/format/record_list.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/interfile/patient_position.h"
#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner_field.h"

namespace tof {

namespace {

constexpr const char* kWordBits = "%LM event and tag words format (bits)";
constexpr const char* kViewOffset = "View offset (degrees)";

/// Heads in coincidence lie three or more apart.
constexpr int kNearest = 3;

/// What the decoders of yunlai-wustl/2024_PSF_recon_dev (Biograph40Sorting.cpp and
/// PETLink_conversion_main.cpp) say of a scanner, and what its rings leave empty between blocks.
struct PairScanner {
    std::initializer_list<const char*> systems;
    const char* name;
    int heads;                  ///< heads of a ring
    int blocks;                 ///< blocks of a head in a ring
    std::array<int, 2> block;   ///< crystals of a block, along the ring and along the axis
    std::array<int, 2> places;  ///< crystals and the empty places behind them
    double firstAngle_deg;      ///< where head 0 begins, from the top
    double step_ps;             ///< step of times of flight; 0: nobody says it
    double timing_ps;           ///< FWHM

    [[nodiscard]] int columns() const { return blocks * block[0]; }
    [[nodiscard]] int crystalsPerRing() const { return heads * columns(); }
};

/// The mCT's first head lies about the top there. Vision's angle is that of STIR 6.4; its step is an eleventh
/// of the time bin that STIR has, 143.231 ps.
const PairScanner kPairScanners[] = {
    {{"1104", "1094", "2011", "mct", "siemens mct"}, "Siemens mCT", 12, 4, {13, 13}, {14, 14}, -15, 0, 0},
    {{"1208", "vision 600", "siemens vision 600"},
     "Siemens Vision 600",
     19,
     2,
     {20, 10},
     {21, 10},
     1.856,
     13.021,
     214},
};

const PairScanner& scannerOf(const InterfileHeader& header) {
    const std::string system = normalKey(header.text("originating system", ""));
    for (const PairScanner& row : kPairScanners) {
        if (std::find(row.systems.begin(), row.systems.end(), system) != row.systems.end()) {
            return row;
        }
    }
    header.fail("originating system",
                fmt::format("is '{}', and which pairs of heads its words of 64 bits number is published for "
                            "the mCT (1104) and Vision 600 (1208) alone; export the list as bin addresses of "
                            "32 bits, or bin it with Siemens' tools and open the sinograms",
                            system));
}

/// Rings of crystals; `number of rings` counts the empty ones between blocks.
int rowsOf(const InterfileHeader& header, const PairScanner& row) {
    constexpr std::uint64_t kMost = 128;  // words name a crystal along the axis by 7 bits
    const std::uint64_t rings = header.whole("number of rings", 0);
    const auto along = static_cast<std::uint64_t>(row.places[1]);
    const std::uint64_t empty = along - static_cast<std::uint64_t>(row.block[1]);
    const std::uint64_t rows = (rings + empty) / along * static_cast<std::uint64_t>(row.block[1]);
    if (rings > kMost || rows == 0 || (rings + empty) % along != 0) {
        header.fail("number of rings",
                    fmt::format("is {}, which blocks of a {} do not make; correct it", rings, row.name));
    }
    return static_cast<int>(rows);
}

/// The crystals at their reference points, ring by ring as the words count them.
Scanner pairScanner(const InterfileHeader& header, const PairScanner& row) {
    constexpr double kMeanDepth_mm = 7;
    const int rows = rowsOf(header, row);
    RingScanner ring;
    ring.rings = static_cast<int>(header.whole("number of rings", 0));
    ring.crystalsPerRing = row.heads * row.blocks * row.places[0];
    ring.radius_mm = scannerLength_mm(header, "gantry crystal radius (cm)", 50, 1000) + kMeanDepth_mm;
    ring.ringSpacing_mm = scannerLength_mm(header, "distance between rings (cm)", 1, 30);
    ring.firstAngle_rad = kRadPerDeg * header.number(kViewOffset, 0, row.firstAngle_deg);
    const PatientAxes turned = patientAxes(header);
    turnRing(ring, turned);
    const auto place = [&](int crystal, std::size_t axis) {
        return crystal / row.block[axis] * row.places[axis] + crystal % row.block[axis];
    };
    Scanner scanner;
    scanner.name = row.name;
    scanner.facesKnown = false;
    scanner.timing_fwhm_ps = row.timing_ps;
    for (int along = 0; along < rows; ++along) {
        // Siemens counts rings from the far end of the scanner, as STIR does.
        const int at = turned[2] ? ring.rings - 1 - place(along, 1) : place(along, 1);
        for (int crystal = 0; crystal < row.crystalsPerRing(); ++crystal) {
            const Vec3 front =
                ring.reference(static_cast<std::uint32_t>(at * ring.crystalsPerRing + place(crystal, 0)));
            scanner.crystals.push_back({front, normalized(Vec3{front.x, front.y, 0})});
        }
    }
    describeField(scanner);
    return scanner;
}

/// Pairs of heads in the order of their numbers, which begin with 1.
std::vector<std::array<int, 2>> headPairs(int heads) {
    std::vector<std::array<int, 2>> pairs;
    for (int one = 0; one < heads; ++one) {
        for (int two = one + kNearest; two < heads && two <= one + heads - kNearest; ++two) {
            pairs.push_back({one, two});
        }
    }
    return pairs;
}

/// Packets of two words of 32 bits, A and B, the lowest byte first.
class PetlinkCoding {
  public:
    static constexpr bool kTagged = true;
    static constexpr std::uint64_t kBytes = 8;

    /// What the packets were that are no events.
    struct Met {
        std::uint64_t unmarked = 0;  ///< packets without the marks of A and B
        std::uint64_t untimed = 0;   ///< prompts without a time of flight
        std::array<double, 2> bed_mm{1e9, -1e9};
    };

    PetlinkCoding(std::string path, std::uint64_t start, const PairScanner& scanner, int rows)
        : path_(std::move(path)),
          start_(start),
          scanner_(&scanner),
          rows_(rows),
          pairs_(headPairs(scanner.heads)) {}

    [[nodiscard]] std::uint64_t start() const { return start_; }
    static std::uint64_t bytes() { return kBytes; }
    static bool hasFactors() { return false; }

    RecordKind kind(const std::byte* record) {
        const auto [a, b] = wordsOf(record);
        if (!marked(a, b)) {
            ++met_.unmarked;
            return RecordKind::Other;
        }
        if (!isTag(a)) {
            met_.untimed += isPrompt(b) && untimed(a, b) ? 1 : 0;
        } else if (!isPrompt(b)) {
            takeBed(tagOf(a, b));
        }
        return std::as_const(*this).kind(record);
    }
    [[nodiscard]] RecordKind kind(const std::byte* record) const {
        constexpr std::uint32_t kTimeTag = 4;  // bits 31 to 29 of a tag
        const auto [a, b] = wordsOf(record);
        if (!marked(a, b)) {
            return RecordKind::Other;
        }
        if (isTag(a)) {  // the mark of prompts says here that the tag has more bits, which are no time
            return !isPrompt(b) && tagOf(a, b) >> 29U == kTimeTag ? RecordKind::Time : RecordKind::Other;
        }
        return !isPrompt(b) ? RecordKind::Delayed : untimed(a, b) ? RecordKind::Other : RecordKind::Event;
    }
    static std::uint64_t clock(const std::byte* record, std::uint64_t /*before*/) {
        constexpr std::uint32_t kMs = (1U << 29U) - 1U;
        const auto [a, b] = wordsOf(record);
        return tagOf(a, b) & kMs;
    }
    void prepare(EventList& block, std::uint64_t count, EventColumns /*columns*/) const {
        block.crystals.resize(count);
        block.dt_ps.resize(scanner_->step_ps > 0 ? count : 0);
    }
    void take(const std::byte* record, std::uint64_t event, std::uint64_t i, EventList& block) const {
        const auto [a, b] = wordsOf(record);
        const unsigned pair =
            part(a, 16, 3) | part(b, 16, 3) << 3U | part(a, 6, 1) << 6U | part(b, 6, 1) << 7U;
        if (pair < 1 || pair > pairs_.size()) {
            throw BadInput(
                "{}: event {} is of the pair {} of heads, and a {} has {}; give the header of "
                "these words, or copy them again",
                path_, event, pair, scanner_->name, pairs_.size());
        }
        block.crystals[i] = {crystalOf(a, pairs_[pair - 1][0], event),
                             crystalOf(b, pairs_[pair - 1][1], event)};
        if (scanner_->step_ps > 0) {
            // A positive one lies towards A, whose photon came first.
            block.dt_ps[i] = static_cast<float>(-scanner_->step_ps * timeOf(a, b));
        }
    }
    [[nodiscard]] std::uint32_t moment(const std::byte* /*record*/, std::uint64_t clock) const {
        return static_cast<std::uint32_t>(clock - std::min(clock, first_ms_));
    }
    void beginAt(std::uint64_t first_ms) { first_ms_ = first_ms; }
    [[nodiscard]] const Met& met() const { return met_; }

  private:
    static std::array<std::uint32_t, 2> wordsOf(const std::byte* record) {
        return {decodeOne<std::uint32_t>(record, ByteOrder::Little),
                decodeOne<std::uint32_t>(record + sizeof(std::uint32_t), ByteOrder::Little)};
    }
    static unsigned part(std::uint32_t word, unsigned first, unsigned bits) {
        return word >> first & ((1U << bits) - 1U);
    }
    static bool marked(std::uint32_t a, std::uint32_t b) {
        return part(a, 31, 1) == 0 && part(b, 31, 1) == 1;
    }
    static bool isTag(std::uint32_t a) { return part(a, 30, 1) == 1; }
    static bool isPrompt(std::uint32_t b) { return part(b, 30, 1) == 1; }
    static std::uint32_t tagOf(std::uint32_t a, std::uint32_t b) {
        return part(a, 0, 16) | part(b, 0, 16) << 16U;
    }
    /// Nine bits with a sign.
    static int timeOf(std::uint32_t a, std::uint32_t b) {
        constexpr int kSign = 256;
        const auto bits = static_cast<int>(part(a, 25, 3) | part(b, 25, 3) << 3U | part(a, 28, 1) << 6U |
                                           part(b, 28, 1) << 7U | part(a, 29, 1) << 8U);
        return bits < kSign ? bits : bits - 2 * kSign;
    }
    [[nodiscard]] bool untimed(std::uint32_t a, std::uint32_t b) const {
        constexpr int kNone = -256;
        return scanner_->step_ps > 0 && timeOf(a, b) == kNone;
    }
    [[nodiscard]] std::uint32_t crystalOf(std::uint32_t word, int head, std::uint64_t event) const {
        const auto across = static_cast<int>(part(word, 0, 6));
        const auto along = static_cast<int>(part(word, 8, 7));
        if (across >= scanner_->columns() || along >= rows_) {
            throw BadInput(
                "{}: event {} names crystal {}, {} of a head of {} x {}; give the header of these "
                "words, or copy them again",
                path_, event, across, along, scanner_->columns(), rows_);
        }
        return static_cast<std::uint32_t>(along * scanner_->crystalsPerRing() + head * scanner_->columns() +
                                          across);
    }
    void takeBed(std::uint32_t tag) {
        constexpr std::uint32_t kHorizontal = 0xC4;  // bits 31 to 24
        constexpr double kPerMm = 100;
        constexpr double kZero = 1U << 20U;
        if (tag >> 24U == kHorizontal) {
            const double at = (part(tag, 0, 20) - kZero) / kPerMm;
            met_.bed_mm = {std::min(met_.bed_mm[0], at), std::max(met_.bed_mm[1], at)};
        }
    }

    std::string path_;
    std::uint64_t start_;
    const PairScanner* scanner_;
    int rows_;
    std::vector<std::array<int, 2>> pairs_;
    std::uint64_t first_ms_ = 0;
    Met met_;
};

class PetlinkList : public RecordList<PetlinkCoding> {
  public:
    PetlinkList(const InterfileHeader& header, const ListReadOptions& options)
        : RecordList(header.dataFile(), recordsOf(header, options),
                     PetlinkCoding(header.dataFile(), header.whole("data offset in bytes", 0, 0),
                                   scannerOf(header), rowsOf(header, scannerOf(header)))) {
        const PairScanner& row = scannerOf(header);
        const Scanner own = pairScanner(header, row);
        const bool given = !options.scannerFile.empty();
        const Scanner scanner = given ? Scanner::find(options.scannerFile) : own;
        if (scanner.crystals.size() != own.crystals.size()) {
            throw BadInput("{}: a {} has {} crystals, '{}' has {}; give its own scanner", header.path(),
                           row.name, own.crystals.size(), options.scannerFile, scanner.crystals.size());
        }
        requireWhole(header, options);
        coding().beginAt(counts().firstClock);
        scan().scannerJson = scanner.toJson();
        scan().duration_s = 1e-3 * static_cast<double>(counts().lastClock - counts().firstClock);
        tell(header, row, given);
    }
    [[nodiscard]] bool tellsMoments() const override { return counts().times > 0; }
    [[nodiscard]] std::uint64_t announced() const { return announced_; }

  private:
    static std::uint64_t recordsOf(const InterfileHeader& header, const ListReadOptions& options) {
        const std::string path = header.dataFile();
        const std::uint64_t end = header.dataEnd().value_or(RandomFile(path).size());
        return wholeRecords(path, end, header.whole("data offset in bytes", 0, 0), PetlinkCoding::kBytes,
                            options);
    }

    /// A header counts packets, or their words of 32 bits.
    void requireWhole(const InterfileHeader& header, const ListReadOptions& options) {
        const auto& c = counts();
        const std::uint64_t held = words();
        announced_ = header.whole("%total listmode word counts", 0, 0);
        if (held < announced_ && 2 * held != announced_ && !options.partial) {
            throw BadInput(
                "{}: holds {} of the {} words that its header promises; read it with --partial or get "
                "the whole file",
                header.dataFile(), held, announced_);
        }
        if (c.events == 0 || 2 * coding().met().unmarked > held) {
            throw BadInput(
                "{}: holds {} prompts among {} words of 64 bits, {} of them without the marks of a "
                "packet; give the header of these words, or copy them again",
                header.dataFile(), c.events, held, coding().met().unmarked);
        }
        if (c.backwards > 0 && (!options.partial || c.lastClock < c.firstClock)) {
            throw BadInput("{}: its times run backwards at {} of {} places; copy or export it again",
                           header.dataFile(), c.backwards, c.times);
        }
    }

    [[nodiscard]] std::uint64_t words() const {
        return counts().events + counts().delayeds + counts().times + counts().others;
    }

    void tell(const InterfileHeader& header, const PairScanner& row, bool given) {
        constexpr double kStill_mm = 1;
        const std::string& path = header.path();
        const PetlinkCoding::Met& met = coding().met();
        std::string note = delayedNote(path, counts().delayeds);
        const auto add = [&](const std::string& text) { note = joinedNotes(note, path + ": " + text); };
        if (announced_ > 0 && 2 * words() == announced_) {
            add(fmt::format("its header promises {} words, which are taken to be of 32 bits", announced_));
        } else if (announced_ > 0 && words() > announced_) {
            add(fmt::format("{} words are there, and its header promises {}: all are read", words(),
                            announced_));
        }
        if (!given) {
            add(
                fmt::format("the first crystal of head 0 is taken to lie {:g} degrees from the top; another "
                            "line '{}' in the header turns the scanner, and --scanner gives one",
                            header.number(kViewOffset, 0, row.firstAngle_deg), kViewOffset));
        }
        if (!(row.step_ps > 0)) {
            add(fmt::format("times of flight are left out, as nobody says the step of a {}'s", row.name));
        }
        if (met.untimed > 0) {
            add(fmt::format("{} prompts without a time of flight are left out", met.untimed));
        }
        if (met.unmarked > 0) {
            add(fmt::format("{} words without the marks of a packet are passed over", met.unmarked));
        }
        if (met.bed_mm[1] - met.bed_mm[0] > kStill_mm) {
            add(fmt::format(
                "the bed moves by {:.1f} mm while it is recorded, and lines are read as if it stood "
                "still: take a part of it with --frames",
                met.bed_mm[1] - met.bed_mm[0]));
        }
        setNote(note);
    }

    std::uint64_t announced_ = 0;
};

InterfileHeader pairsHeader(const std::string& path) {
    return InterfileHeader(path, InterfileHeader::Repeats::Refused);
}

}  // namespace

bool isPetlinkPairs(const InterfileHeader& header) {
    constexpr std::uint64_t kPacketBits = 64;
    const std::string space = normalKey(header.text("%SMS-MI header name space", ""));
    return space == "petlink raw data" ||
           (space == "petlink bin address" && header.whole(kWordBits, 0, 0) == kPacketBits);
}

std::unique_ptr<const EventStream> petlinkPairs(const std::string& path, const ListReadOptions& options) {
    return std::make_unique<const PetlinkList>(pairsHeader(path), options);
}

ListReadResult readPetlinkPairs(const std::string& path, const ListReadOptions& options) {
    return PetlinkList(pairsHeader(path), options).all();
}

void describePetlinkPairs(const std::string& path, nlohmann::ordered_json& info) {
    ListReadOptions asFarAsItGoes;
    asFarAsItGoes.partial = true;
    const PetlinkList list(pairsHeader(path), asFarAsItGoes);
    info["list"] = "Siemens PETLINK, each word a pair of crystals";
    info["events"] = list.size();
    info["delayed"] = list.counts().delayeds;
    info["time_tags"] = list.counts().times;
    info["other_tags"] = list.counts().others;
    info["duration_s"] = list.scan().duration_s;
    info["announced_words"] = list.announced();
    info["note"] = list.note();
}

}  // namespace tof
