// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/list_ecat8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/notes.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/io/interfile/patient_position.h"

namespace tof {

namespace {

constexpr std::uint32_t kTag = 1U << 31U;
constexpr std::uint32_t kPrompt = 1U << 30U;
constexpr std::uint32_t kAddress = kPrompt - 1U;
constexpr std::uint32_t kTagKind = 3U << 29U;
constexpr std::uint32_t kTime = (1U << 29U) - 1U;

/// Words of gating in PETLINK, section 3.2.3 of its guideline as odlpet
/// (siemens/listmode/petlink/format32.py) and users' scripts read it: 11100 and the format in the first byte.
/// Format 1 says in bits 12 to 14 what bits 0 to 9 are, and in bit 15 that an R wave came; format 0, the
/// older one, says that in bit 7.
constexpr std::uint32_t kFormatOfGating = 0xffU << 24U;
constexpr std::uint32_t kGating0 = 0xe0U << 24U;
constexpr std::uint32_t kGating1 = 0xe1U << 24U;
constexpr std::uint32_t kRWave0 = 1U << 7U;
constexpr std::uint32_t kRWave1 = 1U << 15U;
constexpr std::uint32_t kContent = (7U << 12U) | ((1U << 10U) - 1U);
constexpr std::uint32_t kGateOn = 1U << 12U;        // breathing's trigger, 0: on
constexpr std::uint32_t kPrimaryRWave = 2U << 12U;  // trigger of the heart, 0: the primary one

bool turnsGateOn(std::uint32_t word) {
    return (word & kFormatOfGating) == kGating1 && (word & kContent) == kGateOn;
}

bool isRWave(std::uint32_t word) {
    const std::uint32_t format = word & kFormatOfGating;
    return (format == kGating0 && (word & kRWave0) != 0) ||
           (format == kGating1 && ((word & kRWave1) != 0 || (word & kContent) == kPrimaryRWave));
}
constexpr const char* kBlocks = "%total number of singles blocks";
constexpr const char* kSinglesScale = "%singles scale factor";

int smallWhole(const InterfileHeader& header, const char* key, std::uint64_t most) {
    const std::uint64_t value = header.whole(key, 0);
    if (value < 1 || value > most) {
        header.fail(key, fmt::format("is {}, not between 1 and {}", value, most));
    }
    return static_cast<int>(value);
}

/// Segments of the header's span. Its table of planes is not needed; where it belongs to sinograms of another
/// span (headers for unlisting have that), result.note says so.
std::vector<RingSegment> segmentsOf(const InterfileHeader& header, int rings) {
    const std::uint64_t maxDifference = header.whole("%maximum ring difference", 0);
    const int span = smallWhole(header, "%axial compression", 2047);
    return madeOfFile(header.path(), [&] {
        return siemensSegments(rings, span, static_cast<int>(std::min<std::uint64_t>(maxDifference, 65535)));
    });
}

constexpr const char* kNameSpace = "%SMS-MI header name space";

/// Pairs of detectors are read elsewhere (isPetlinkPairs).
void requireBinAddresses(const InterfileHeader& header) {
    const char* const kBits = "%LM event and tag words format (bits)";
    const std::string space = header.text(kNameSpace, "");
    const bool addresses = normalKey(space) == "petlink bin address";
    const std::uint64_t bits = header.whole(kBits, 0, 32);
    if (!addresses || bits != 32) {
        header.fail(addresses ? kBits : kNameSpace,
                    fmt::format("is '{}', which is neither 'PETLINK raw data' of 64 bits nor 'PETLINK bin "
                                "address' of 32; export the list as one of these",
                                addresses ? std::to_string(bits) : space));
    }
}

MichelogramSpec specOf(const InterfileHeader& header, const Ecat8Options& options) {
    requireBinAddresses(header);
    MichelogramSpec spec;
    const int views = smallWhole(header, "%number of views", 8192);
    spec.scanner.name = "Siemens ECAT8";
    spec.scanner.rings = smallWhole(header, "number of rings", 1024);
    spec.scanner.crystalsPerRing = 2 * views;
    spec.scanner.radius_mm =
        scannerLength_mm(header, "gantry crystal radius (cm)", 50, 1000) + options.meanDepth_mm;
    spec.scanner.ringSpacing_mm = scannerLength_mm(header, "distance between rings (cm)", 1, 30);
    spec.radialBins = smallWhole(header, "%number of projections", 16384);
    spec.segments = segmentsOf(header, spec.scanner.rings);
    spec.anglesPerPart = defaultAnglesPerPart(views);
    if (header.whole("%number of TOF time bins", 0, 1) != 1) {
        header.fail("%number of TOF time bins", "is not 1; list-mode with time bins is not read");
    }
    return spec;
}

/// What is to be said of the header's table of planes; empty when it is that of the words.
std::string tableNote(const InterfileHeader& header, const Michelogram& m) {
    std::vector<double> planes(m.spec().segments.size(), 0);
    for (const Sinogram& plane : m.sinograms()) {
        ++planes[static_cast<std::size_t>(plane.segment)];
    }
    if (planes == header.list("%segment table", 0)) {
        return "";
    }
    return fmt::format(
        "{}: '%segment table' is not that of axial compression {}, by which the words are read",
        header.path(), header.whole("%axial compression", 0));
}

enum class Axis { AsIs, Reversed };

/// The plane of `kept` of every plane of `whole`; -1 where it is not kept.
std::vector<int> planeMap(const Michelogram& whole, const Michelogram& kept, Axis axis) {
    std::vector<int> map(whole.sinograms().size(), -1);
    const int rings = whole.scanner().rings;
    const auto place = [&](int ring) { return axis == Axis::Reversed ? rings - 1 - ring : ring; };
    for (int one = 0; one < rings; ++one) {
        for (int two = 0; two < rings; ++two) {
            const int plane = whole.sinogramOf(one, two);
            if (plane >= 0) {
                map[static_cast<std::size_t>(plane)] = kept.sinogramOf(place(one), place(two));
            }
        }
    }
    return map;
}

/// So many events wait for whom takes them.
constexpr std::size_t kHandedOn = std::size_t{1} << 20U;

/// Counts words in the sinograms of `kept`; `planes` says where those of the header go.
class Counter {
  public:
    Counter(const Michelogram& kept, std::vector<int> planes, const Ecat8Options& options, std::size_t blocks,
            Ecat8Result& result)
        : m_(kept),
          planes_(std::move(planes)),
          options_(options),
          data_(result.data),
          result_(result),
          words_(result.words),
          blocks_(blocks),
          met_(static_cast<std::size_t>(kept.scanner().crystalsPerRing), 0) {
        cells_.reserve(static_cast<std::size_t>(m_.angles()) * static_cast<std::size_t>(m_.radialBins()));
        for (int view = 0; view < m_.angles(); ++view) {
            for (int bin = 0; bin < m_.radialBins(); ++bin) {
                const auto [one, two] = m_.placesOf(view, bin);
                cells_.push_back({m_.index(m_.slotOfAngle(view), 0, bin), static_cast<std::uint16_t>(one),
                                  static_cast<std::uint16_t>(two)});
            }
        }
    }

    /// False for an address beyond the sinograms.
    [[nodiscard]] bool take(std::uint32_t word) {
        ++words_.words;
        if ((word & kTag) != 0) {
            takeTag(word);
            return true;
        }
        const std::uint32_t address = word & kAddress;
        const auto cells = static_cast<std::uint32_t>(cells_.size());
        const std::uint32_t where = address / cells;
        if (where >= planes_.size()) {
            return false;
        }
        const int plane = planes_[where];
        const bool prompt = (word & kPrompt) != 0;
        ++(prompt ? words_.prompts : words_.delayeds);
        if (plane < 0) {
            data_.rejected += prompt ? 1 : 0;
            if (prompt && options_.moments) {
                result_.prompts.push_back(kNoCell);
                result_.prompts_ms.push_back(moment());
            }
            return true;
        }
        if (options_.moments) {
            (prompt ? result_.prompts_ms : result_.delayeds_ms).push_back(moment());
        }
        const Cell& cell = cells_[address % cells];
        ++met_[cell.one];
        ++met_[cell.two];
        const std::size_t index =
            cell.first + static_cast<std::size_t>(plane) * static_cast<std::size_t>(m_.radialBins());
        if (!prompt) {
            result_.delayeds.push_back(static_cast<std::uint32_t>(index));
            return true;
        }
        ++data_.kept;
        if (options_.sinograms) {
            data_.counts[index] += 1.0F;
        }
        if (options_.events) {
            result_.prompts.push_back(static_cast<std::uint32_t>(index));
        }
        return true;
    }

    /// Hands on what waits, if that is as many as `least`.
    void handOn(std::size_t least) {
        handOn(options_.takePrompts, least, result_.prompts, result_.prompts_ms);
        handOn(options_.takeDelayeds, least, result_.delayeds, result_.delayeds_ms);
    }

    /// Means of what the tags of blocks say, in their units; empty where there are none.
    [[nodiscard]] std::vector<double> singles() const {
        std::vector<double> means;
        for (const Block& block : blocks_) {
            means.push_back(block.tags > 0 ? block.sum / block.tags : 0);
        }
        const bool none = std::all_of(means.begin(), means.end(), [](double mean) { return mean == 0; });
        return none ? std::vector<double>() : means;
    }

    /// Places of a ring that none of many events met.
    [[nodiscard]] std::vector<int> gaps() const {
        constexpr std::uint64_t kMany = 50;
        std::vector<int> places;
        const std::uint64_t all = std::accumulate(met_.begin(), met_.end(), std::uint64_t{0});
        for (std::size_t place = 0; all > kMany * met_.size() && place < met_.size(); ++place) {
            if (met_[place] == 0) {
                places.push_back(static_cast<int>(place));
            }
        }
        return places;
    }

  private:
    template <class Take>
    static void handOn(const Take& take, std::size_t least, std::vector<std::uint32_t>& bins,
                       std::vector<std::uint32_t>& time_ms) {
        if (take && bins.size() >= least) {
            take(bins, time_ms);
            bins.clear();
            time_ms.clear();
        }
    }
    [[nodiscard]] std::uint32_t moment() const { return words_.lastTime_ms - words_.firstTime_ms; }
    void takeTag(std::uint32_t word) {
        if ((word & kTagKind) != 0) {
            ++words_.otherTags;
            if (options_.moments && turnsGateOn(word)) {
                result_.respiratory_ms.push_back(moment());
            } else if (options_.moments && isRWave(word)) {
                result_.cardiac_ms.push_back(moment());
            }
            takeSingles(word);
            return;
        }
        const std::uint32_t time_ms = word & kTime;
        words_.backwards += words_.timeTags > 0 && time_ms < words_.lastTime_ms ? 1 : 0;
        words_.lastTime_ms = time_ms;
        if (words_.timeTags++ == 0) {
            words_.firstTime_ms = words_.lastTime_ms;
        }
    }

    void takeSingles(std::uint32_t word) {
        constexpr std::uint32_t kOfBlocks = 1U << 29U;
        constexpr unsigned kBits = 19;
        constexpr std::uint32_t kMostBlocks = 1U << 10U;
        const std::uint32_t block = word >> kBits & (kMostBlocks - 1U);
        if ((word & kTagKind) == kOfBlocks && block < blocks_.size()) {
            const std::uint32_t told = word & ((1U << kBits) - 1U);
            blocks_[block].sum += told;
            ++blocks_[block].tags;
            if (options_.moments) {
                result_.singles.push_back({moment(), block, static_cast<double>(told)});
            }
        }
    }

    struct Block {
        double sum = 0;
        double tags = 0;
    };
    /// A radial bin of an azimuth.
    struct Cell {
        std::size_t first = 0;  ///< its index in the first plane
        std::uint16_t one = 0;  ///< places of its crystals
        std::uint16_t two = 0;
    };

    const Michelogram& m_;
    std::vector<Cell> cells_;  ///< [view][bin]
    std::vector<int> planes_;
    const Ecat8Options& options_;
    SinogramData& data_;
    Ecat8Result& result_;
    Ecat8Words& words_;
    std::vector<Block> blocks_;
    std::vector<std::uint64_t> met_;  ///< events per place of a ring
};

void takeGaps(Ecat8Result& result, const std::vector<int>& gaps) {
    if (gaps.empty()) {
        return;
    }
    MichelogramSpec spec = result.data.michelogram->spec();
    spec.scanner.gapPlaces = gaps;
    result.data.michelogram = std::make_shared<const Michelogram>(spec);
    const std::string note = fmt::format("{} of the {} places of a ring met no event and are taken as gaps",
                                         gaps.size(), spec.scanner.crystalsPerRing);
    result.note = joinedNotes(result.note, note);
}

/// Moments are told by times before them, so that these must not run backwards.
void requireForwards(const std::string& path, const Ecat8Result& result, const Ecat8Options& options) {
    const Ecat8Words& words = result.words;
    if (words.backwards > 0 && (!options.partial || words.lastTime_ms < words.firstTime_ms)) {
        throw BadInput("{}: its times run backwards at {} of {} places; copy or export it again", path,
                       words.backwards, words.timeTags);
    }
}

}  // namespace

double scannerLength_mm(const InterfileHeader& header, const char* key, double least_mm, double most_mm) {
    const double mm = kMmPerCm * header.number(key, 0);
    if (!(mm >= least_mm && mm <= most_mm)) {
        header.fail(key, fmt::format("is {:g} cm, not between {:g} and {:g}; correct it", mm / kMmPerCm,
                                     least_mm / kMmPerCm, most_mm / kMmPerCm));
    }
    return mm;
}

std::vector<RingSegment> siemensSegments(int rings, int span, int maxDifference) {
    std::vector<RingSegment> segments = segmentsOfSpan(rings, span, maxDifference);
    for (std::size_t i = 1; i + 1 < segments.size(); i += 2) {
        std::swap(segments[i], segments[i + 1]);
    }
    return segments;
}

bool isEcat8(const InterfileHeader& header) {
    return normalKey(header.text(kNameSpace, "")).starts_with("petlink ");
}

void describeEcat8(const InterfileHeader& header, nlohmann::ordered_json& info) {
    const MichelogramSpec spec = specOf(header, {});
    info["list"] = "Siemens ECAT8, each word a bin: bin it --to sinogram or --to lors";
    info["rings"] = spec.scanner.rings;
    info["crystals_per_ring"] = spec.scanner.crystalsPerRing;
    info["radius_mm"] = spec.scanner.radius_mm;
    info["segments"] = spec.segments.size();
    info["angles"] = spec.scanner.crystalsPerRing / 2;
    info["radial_bins"] = spec.radialBins;
    info["announced_words"] = header.whole("%total listmode word counts", 0, 0);
    std::error_code fault;
    const auto bytes = header.dataEnd().value_or(std::filesystem::file_size(header.dataFile(), fault));
    if (!fault) {
        info["words"] = bytes / sizeof(std::uint32_t);
    }
}

Ecat8Result readEcat8(const std::string& headerPath, const Ecat8Options& options) {
    const InterfileHeader header(headerPath, InterfileHeader::Repeats::Refused);
    if (!isEcat8(header)) {
        header.fail(kNameSpace, "is not 'PETLINK bin address'; give a list-mode header");
    }
    Ecat8Result result;
    std::vector<int> planes;
    madeOfFile(headerPath, [&] {
        MichelogramSpec spec = specOf(header, options);
        // Siemens counts rings from the far end of the scanner, as STIR does.
        const PatientAxes turned = patientAxes(header);
        turnRing(spec.scanner, turned);
        const Michelogram whole(spec);
        result.note = tableNote(header, whole);
        for (RingSegment& segment : spec.segments) {  // in our order, whichever way rings run
            segment = {-segment.maxDifference, -segment.minDifference};
        }
        const auto all = static_cast<int>(spec.segments.size());
        spec.segments.resize(
            static_cast<std::size_t>(std::clamp(options.segments == 0 ? all : options.segments, 1, all)));
        result.data.michelogram = std::make_shared<const Michelogram>(spec);
        result.data.lattice = defaultLattice(*result.data.michelogram);
        planes = planeMap(whole, *result.data.michelogram, turned[2] ? Axis::Reversed : Axis::AsIs);
    });
    const Michelogram& m = *result.data.michelogram;
    if (options.sinograms) {
        constexpr std::uint64_t kArrays = 3;  // counts, mult, and randoms beside them
        requireMemory(headerPath, kArrays * m.bins() * sizeof(float));
        result.data.counts.assign(m.bins(), 0.0F);
    }
    result.words.announced = header.whole("%total listmode word counts", 0, 0);
    const std::string path = header.dataFile();
    ByteReader reader(path);
    const std::uint64_t start = header.whole("data offset in bytes", 0, 0);
    reader.skip(start, "data offset");
    constexpr std::uint64_t kMostBlocks = 1024;
    const double scale = header.number(kSinglesScale, 0, 0);
    const std::uint64_t blocks = scale > 0 ? std::min(header.whole(kBlocks, 0, 0), kMostBlocks) : 0;
    Counter counter(m, std::move(planes), options, blocks, result);
    std::array<std::byte, 1U << 16U> buffer{};
    std::size_t got = 0;
    const std::uint64_t end = header.dataEnd().value_or(std::numeric_limits<std::uint64_t>::max());
    std::uint64_t left = end - std::min(start, end);
    while ((got = reader.readSome(buffer.data(), std::min<std::uint64_t>(buffer.size(), left))) > 0) {
        left -= got;
        if (got % sizeof(std::uint32_t) != 0 && !options.partial) {
            throw BadInput("{}: ends inside a word of 4 bytes; copy it again, or read it with --partial",
                           path);
        }
        for (std::size_t at = 0; at + 4 <= got; at += 4) {
            if (!counter.take(decodeOne<std::uint32_t>(buffer.data() + at, ByteOrder::Little))) {
                throw BadInput(
                    "{}: word {} addresses a bin beyond the sinograms of '{}'; give the header that belongs "
                    "to these words",
                    path, result.words.words, headerPath);
            }
        }
        counter.handOn(kHandedOn);
    }
    counter.handOn(1);
    if (result.words.words < result.words.announced && !options.partial) {
        throw BadInput(
            "{}: holds {} of the {} words that its header promises; read it with --partial or get the whole "
            "file",
            path, result.words.words, result.words.announced);
    }
    requireForwards(path, result, options);
    if (result.words.announced > 0 && result.words.words > result.words.announced) {
        result.note = joinedNotes(
            result.note, fmt::format("{}: holds {} words, and its header promises {}: all are read", path,
                                     result.words.words, result.words.announced));
    }
    result.data.duration_s = 1e-3 * (result.words.lastTime_ms - result.words.firstTime_ms);
    takeGaps(result, counter.gaps());
    result.blockSingles = counter.singles();
    for (double& rate : result.blockSingles) {
        rate *= scale;
    }
    for (Ecat8Singles& tag : result.singles) {
        tag.rate *= scale;
    }
    if (options.sinograms) {
        result.data.mult = pairMultiplicity(*result.data.michelogram);
    }
    return result;
}

std::vector<double> ecat8SinglesBetween(const Ecat8Result& list, double start_s, double end_s) {
    struct Block {
        double sum = 0;
        double tags = 0;
        double nearest = 0;
        double away_s = std::numeric_limits<double>::infinity();
    };
    std::vector<Block> blocks(list.blockSingles.size());
    for (const Ecat8Singles& tag : list.singles) {
        if (tag.block >= blocks.size()) {
            continue;
        }
        Block& block = blocks[tag.block];
        const double at_s = 1e-3 * tag.time_ms;
        if (at_s >= start_s && at_s < end_s) {
            block.sum += tag.rate;
            ++block.tags;
        }
        if (const double away_s = std::abs(at_s - (start_s + end_s) / 2); away_s < block.away_s) {
            block.away_s = away_s;
            block.nearest = tag.rate;
        }
    }
    std::vector<double> rates;
    rates.reserve(blocks.size());
    for (const Block& block : blocks) {
        rates.push_back(block.tags > 0 ? block.sum / block.tags : block.nearest);
    }
    return rates;
}

}  // namespace tof
