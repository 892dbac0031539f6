// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/norm_ecat8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/bytes/random_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/notes.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/interfile/patient_position.h"

namespace tof {

namespace {

constexpr const char* kNormCount = "%number of normalization components";
constexpr const char* kNormName = "%normalization component";
constexpr const char* kQuantification = "%scanner quantification factor (Bq*s/ECAT counts)";

/// Siemens' number of the mMR, whose efficiencies lie one crystal before the places of its list-mode.
constexpr const char* kMmr = "2008";

constexpr const char* kParalysing = "paralyzing ring dt parameters";
constexpr const char* kOther = "non-paralyzing ring dt parameters";

/// A block of singles of the mMR: crystals of a ring, gaps among them, and rings; two blocks of crystals.
constexpr std::size_t kSinglesAcross = 18;
constexpr std::size_t kSinglesAlong = 8;
constexpr double kBlocksOfSingles = 2;

/// Names of the components by number, normalised.
std::vector<std::string> componentNames(const InterfileHeader& header) {
    constexpr std::uint64_t kMost = 99;
    const std::uint64_t count = header.whole(kNormCount, 0);
    if (count < 1 || count > kMost) {
        header.fail(kNormCount, fmt::format("is {}, not between 1 and {}", count, kMost));
    }
    std::vector<std::string> names;
    for (int i = 1; i <= static_cast<int>(count); ++i) {
        names.push_back(normalKey(header.find(kNormName, i).value_or("")));
    }
    return names;
}

/// A table of the file, its first index fastest.
struct Component {
    std::uint64_t at = 0;  ///< its first byte
    std::vector<std::size_t> size;
    std::vector<float> values;

    [[nodiscard]] const float* row(std::size_t second) const { return values.data() + second * size[0]; }
};

class Ecat8Norm {
  public:
    explicit Ecat8Norm(const std::string& path)
        : header_(path, InterfileHeader::Repeats::Refused), names_(componentNames(header_)) {
        geometric_ = read("geometric effects", 2);
        interference_ = read("crystal interference", 2);
        efficiencies_ = read("crystal efficiencies", 2);
        axial_ = read("axial effects", 1);
        const std::size_t planes = 2 * rings() - 1;
        if (geometric_.size[1] != planes || interference_.size[1] != geometric_.size[0]) {
            header_.fail("%matrix size",
                         fmt::format("gives {} planes and {} bins of geometric effects, and {} rings and {} "
                                     "bins of interference; these do not go together",
                                     geometric_.size[1], geometric_.size[0], rings(), interference_.size[1]));
        }
        requireApart();
        takePlanes();
        if (header_.text("originating system", "") == kMmr) {
            placeMmr();
        }
    }

    [[nodiscard]] std::size_t rings() const { return efficiencies_.size[1]; }
    [[nodiscard]] std::size_t crystals() const { return efficiencies_.size[0]; }
    [[nodiscard]] std::size_t bins() const { return geometric_.size[0]; }
    [[nodiscard]] const float* geometric(std::size_t ringSum) const { return geometric_.row(ringSum); }
    [[nodiscard]] const float* crystalsOf(std::size_t ring) const { return efficiencies_.row(ring); }
    [[nodiscard]] float interference(std::size_t bin, std::size_t azimuth) const {
        return interference_.row(bin)[azimuth % interference_.size[0]];
    }
    /// 1 for ring differences that the table leaves out.
    [[nodiscard]] float axial(int ring1, int ring2) const {
        const int plane = planes_->sinogramOf(ring1, ring2);
        return plane < 0 ? 1.0F : axial_.values[static_cast<std::size_t>(plane)];
    }
    /// Blocks of singles around a ring.
    [[nodiscard]] std::size_t around() const { return crystals() / kSinglesAcross; }
    /// Which of them a place of a ring is in.
    [[nodiscard]] std::size_t blockOf(std::size_t place) const {
        return (place + crystals() - 1) % crystals() / kSinglesAcross;
    }
    /// The share of its photons that a crystal of a block in a ring records, [ring][block around], at these
    /// singles. Nothing, which note() explains then, where that is not known. Throws BadInput.
    [[nodiscard]] std::vector<double> live(const std::vector<double>& singles) {
        const auto named = [&](const char* name) {
            return std::find(names_.begin(), names_.end(), name) != names_.end();
        };
        if (singles.empty() || !named(kParalysing) || !named(kOther)) {
            return {};
        }
        if (header_.text("originating system", "") != kMmr || crystals() % kSinglesAcross != 0 ||
            singles.size() != around() * (rings() / kSinglesAlong)) {
            dead_ = fmt::format("nobody says which crystals {} blocks of singles hold", singles.size());
            return {};
        }
        const Component paralysing = read(kParalysing, 1, Sign::Any);
        const Component other = read(kOther, 1, Sign::Any);
        if (paralysing.values.size() != rings() || other.values.size() != rings()) {
            header_.fail("%matrix size", fmt::format("gives {} and {} parameters of dead time for {} rings",
                                                     paralysing.values.size(), other.values.size(), rings()));
        }
        std::vector<double> shares;
        for (std::size_t ring = 0; ring < rings(); ++ring) {
            for (std::size_t block = 0; block < around(); ++block) {
                const double rate = singles[block + around() * (ring / kSinglesAlong)] / kBlocksOfSingles;
                const double open = 1 + rate * static_cast<double>(other.values[ring]);
                shares.push_back(std::exp(rate * static_cast<double>(paralysing.values[ring]) / open) / open);
                constexpr double kMost = 1 + 1e-6;
                if (!(shares.back() > 0 && shares.back() <= kMost)) {
                    dead_ = fmt::format("{:g} singles/s would leave {:g} of ring {}'s", rate, shares.back(),
                                        ring);
                    return {};
                }
            }
        }
        return shares;
    }
    /// Crystals are as live as the singles of their blocks let them be. Throws BadInput.
    void loseTime(const std::vector<double>& singles) {
        const std::vector<double> shares = live(singles);
        if (shares.empty()) {
            return;
        }
        for (std::size_t ring = 0; ring < rings(); ++ring) {
            for (std::size_t place = 0; place < crystals(); ++place) {
                efficiencies_.values[ring * crystals() + place] *=
                    static_cast<float>(shares[ring * around() + blockOf(place)]);
            }
        }
        dead_ = fmt::format("dead time leaves {:.4f} or more of a crystal's photons",
                            *std::min_element(shares.begin(), shares.end()));
        lost_ = true;
    }

    [[nodiscard]] std::string note() const {
        std::vector<std::string> left;
        std::set<std::string> applied{"geometric effects", "crystal interference", "crystal efficiencies",
                                      "axial effects"};
        if (lost_) {
            applied.insert({kParalysing, kOther});
        }
        std::copy_if(names_.begin(), names_.end(), std::back_inserter(left),
                     [&](const std::string& name) { return applied.count(name) == 0; });
        const std::string rest =
            left.empty() ? "" : fmt::format("not applied are '{}'", fmt::join(left, "', '"));
        const char* const scale = header_.find(kQuantification)
                                      ? "its quantification factor is of images in ECAT counts, a scale that "
                                        "no source says, and is "
                                        "left out: 'calibrate' makes one of a phantom"
                                      : "";
        const std::string said = joinedNotes(joinedNotes(rest, dead_), scale);
        return said.empty() ? "" : header_.path() + ": " + said;
    }

  private:
    enum class Sign { Positive, Any };

    [[nodiscard]] Component read(const char* name, std::size_t dimensions, Sign sign = Sign::Positive) const {
        const auto found = std::find(names_.begin(), names_.end(), name);
        if (found == names_.end()) {
            header_.fail(kNormName, fmt::format("names no '{}'", name));
        }
        const int index = static_cast<int>(found - names_.begin()) + 1;
        constexpr double kMostSide = 65535;
        Component component;
        std::size_t count = 1;
        for (const double side : header_.list("%matrix size", index)) {
            if (!(side >= 1 && side <= kMostSide && side == std::floor(side))) {
                header_.fail(fmt::format("%matrix size [{}]", index), "holds what is no number of cells");
            }
            component.size.push_back(static_cast<std::size_t>(side));
            count *= component.size.back();
        }
        if (component.size.size() != dimensions) {
            header_.fail(fmt::format("%matrix size [{}]", index),
                         fmt::format("is not of {} numbers, as '{}' has", dimensions, name));
        }
        const std::string path = header_.dataFile();
        const RandomFile file(path);
        const std::uint64_t at = header_.whole("data offset in bytes", index);
        if (at > file.size() || count > (file.size() - at) / sizeof(float)) {
            throw BadInput("{}: ends before the {} numbers of '{}' at byte {}; copy it again", path, count,
                           name, at);
        }
        std::vector<std::byte> bytes(count * sizeof(float));
        component.at = at;
        file.read(at, bytes, name);
        component.values.resize(count);
        decodeNumbers(bytes.data(), NumberType::Float32, ByteOrder::Little, 1, 0, component.values);
        const auto bad = std::find_if_not(component.values.begin(), component.values.end(), [&](float value) {
            return std::isfinite(value) && (value >= 0 || sign == Sign::Any);
        });
        if (bad != component.values.end()) {
            throw BadInput("{}: holds {:g} among '{}'; factors are finite and not below zero, get it again",
                           path, *bad, name);
        }
        return component;
    }

    /// Throws BadInput where two components share bytes.
    void requireApart() const {
        std::vector<const Component*> all{&geometric_, &interference_, &efficiencies_, &axial_};
        std::sort(all.begin(), all.end(),
                  [](const Component* one, const Component* other) { return one->at < other->at; });
        for (std::size_t i = 0; i + 1 < all.size(); ++i) {
            if (all[i]->at + all[i]->values.size() * sizeof(float) > all[i + 1]->at) {
                header_.fail("data offset in bytes",
                             fmt::format("{} lies within the component from {} on; correct it",
                                         all[i + 1]->at, all[i]->at));
            }
        }
    }

    /// The planes that axial effects are told of.
    void takePlanes() {
        constexpr std::uint64_t kMost = 2047;
        MichelogramSpec spec;
        spec.scanner.rings = static_cast<int>(rings());
        spec.scanner.crystalsPerRing = static_cast<int>(crystals());
        spec.scanner.radius_mm = spec.scanner.ringSpacing_mm = 1;
        spec.radialBins = 1;
        madeOfFile(header_.path(), [&] {
            spec.segments = siemensSegments(
                spec.scanner.rings, static_cast<int>(std::min(header_.whole("%axial compression", 0), kMost)),
                static_cast<int>(std::min(header_.whole("%maximum ring difference", 0), kMost)));
            planes_.emplace(spec);
        });
        if (planes_->sinograms().size() != axial_.values.size()) {
            header_.fail("%axial compression",
                         fmt::format("makes {} planes, and there are {} axial effects",
                                     planes_->sinograms().size(), axial_.values.size()));
        }
    }

    /// A block's first place is its gap there.
    void placeMmr() {
        const auto block = static_cast<std::ptrdiff_t>(interference_.size[0]);
        const auto ring = static_cast<std::ptrdiff_t>(crystals());
        for (auto at = efficiencies_.values.begin(); at != efficiencies_.values.end(); at += ring) {
            std::rotate(at, at + ring - 1, at + ring);
            for (std::ptrdiff_t place = 0; place < ring; place += block) {
                at[place] = 0;
            }
        }
    }

    InterfileHeader header_;
    std::vector<std::string> names_;
    Component geometric_;
    Component interference_;
    Component efficiencies_;
    Component axial_;
    std::optional<Michelogram> planes_;
    /// What was done about dead time, or why nothing was.
    std::string dead_ = "dead time needs singles of blocks, which the data do not say";
    bool lost_ = false;
};

/// Ring pairs of a plane, as the file counts rings.
std::vector<std::array<int, 2>> ringPairs(const Michelogram& m, std::size_t plane, bool reversed) {
    std::vector<std::array<int, 2>> pairs;
    const int rings = m.scanner().rings;
    const int sum = m.sinograms()[plane].ringSum;
    for (int one = std::max(0, sum - rings + 1); one <= std::min(sum, rings - 1); ++one) {
        if (m.sinogramOf(one, sum - one) == static_cast<int>(plane)) {
            pairs.push_back(reversed ? std::array{rings - 1 - one, rings - 1 - (sum - one)}
                                     : std::array{one, sum - one});
        }
    }
    return pairs;
}

/// Counts of all crystal pairs by the blocks of singles in the rings of both, [ring 1, block 1][ring 2, block
/// 2]; the pairs of a bin share its counts alike.
std::vector<double> countsOfBlocks(const SinogramData& data, const Ecat8Norm& norm, bool reversed) {
    const Michelogram& m = *data.michelogram;
    const std::size_t units = norm.rings() * norm.around();
    std::vector<double> counts(units * units, 0.0);
    auto at = data.counts.begin();
    for (int slot = 0; slot < m.angles(); ++slot) {
        for (std::size_t plane = 0; plane < m.sinograms().size(); ++plane) {
            const std::vector<std::array<int, 2>> rings = ringPairs(m, plane, reversed);
            const double pairs = static_cast<double>(rings.size()) * m.spec().mashing;
            for (int bin = 0; bin < m.radialBins(); ++bin) {
                const double here = std::accumulate(at, at + m.timeBins(), 0.0) / pairs;
                at += m.timeBins();
                for (int i = 0; here > 0 && i < m.spec().mashing; ++i) {
                    const auto [one, two] = m.placesOf(m.angleOfSlot(slot) * m.spec().mashing + i, bin);
                    for (const auto& [ring1, ring2] : rings) {
                        const std::size_t first = static_cast<std::size_t>(ring1) * norm.around() +
                                                  norm.blockOf(static_cast<std::size_t>(one));
                        counts[first * units + static_cast<std::size_t>(ring2) * norm.around() +
                               norm.blockOf(static_cast<std::size_t>(two))] += here;
                    }
                }
            }
        }
    }
    return counts;
}

}  // namespace

bool isEcat8Norm(const InterfileHeader& header) {
    return header.find(kNormCount).has_value();
}

bool holdsEcat8Norm(const std::string& path) {
    return !path.ends_with(".h5") && isEcat8Norm(InterfileHeader(path));
}

std::vector<double> ecat8Singles(const std::string& dataHeader) {
    constexpr std::uint64_t kMost = 1024;
    const InterfileHeader header(dataHeader);
    std::vector<double> singles;
    const std::uint64_t count = std::min(header.whole("%number of buckets", 0, 0), kMost);
    for (int i = 1; i <= static_cast<int>(count) && header.find("%bucket singles rate", i); ++i) {
        singles.push_back(header.number("%bucket singles rate", i));
    }
    return singles.size() == count ? singles : std::vector<double>();
}

std::string multiplyEcat8(SinogramData& data, const std::string& normPath, const std::string& dataHeader,
                          const std::vector<double>& singles) {
    Ecat8Efficiencies norm = ecat8Efficiencies(normPath, dataHeader, *data.michelogram, singles);
    if (data.mult.empty()) {
        data.mult = std::move(norm.values);
    } else {
        std::transform(data.mult.begin(), data.mult.end(), norm.values.begin(), data.mult.begin(),
                       std::multiplies<>());
    }
    return norm.note;
}

void describeEcat8Norm(const InterfileHeader& header, nlohmann::ordered_json& info) {
    info["normalisation"] = "Siemens ECAT8: 'bin LIST.l.hdr OUT.h5 --to sinogram --norm' takes it";
    info["components"] = componentNames(header);
    for (const char* key : {kQuantification, "%cross calibration factor"}) {
        if (header.find(key)) {
            info[key + 1] = header.number(key, 0);
        }
    }
}

Ecat8Efficiencies ecat8Efficiencies(const std::string& normPath, const std::string& dataHeader,
                                    const Michelogram& m, const std::vector<double>& singles) {
    Ecat8Norm norm(normPath);
    norm.loseTime(singles);
    const auto bins = static_cast<std::size_t>(m.radialBins());
    if (static_cast<std::size_t>(m.scanner().rings) != norm.rings() ||
        static_cast<std::size_t>(m.scanner().crystalsPerRing) != norm.crystals() || bins > norm.bins() ||
        m.spec().binSize_mm > 0) {
        throw BadInput(
            "{}: is of {} rings of {} crystals and {} bins that are crystal pairs, '{}' of {}, {} and {}{}; "
            "give the normalisation of its scanner",
            normPath, norm.rings(), norm.crystals(), norm.bins(), dataHeader, m.scanner().rings,
            m.scanner().crystalsPerRing, bins, m.spec().binSize_mm > 0 ? ", arc-corrected" : "");
    }
    const bool reversed = patientAxes(InterfileHeader(dataHeader))[2];
    const std::size_t shift = norm.bins() / 2 - bins / 2;
    std::vector<std::vector<std::array<int, 2>>> pairs;
    for (std::size_t plane = 0; plane < m.sinograms().size(); ++plane) {
        pairs.push_back(ringPairs(m, plane, reversed));
    }
    Ecat8Efficiencies result{{}, norm.note()};
    result.values.reserve(m.bins());
    for (int slot = 0; slot < m.angles(); ++slot) {
        for (const auto& rings : pairs) {
            for (std::size_t bin = 0; bin < bins; ++bin) {
                double sum = 0;
                for (int i = 0; i < m.spec().mashing; ++i) {
                    const int azimuth = m.angleOfSlot(slot) * m.spec().mashing + i;
                    const auto [one, two] = m.placesOf(azimuth, static_cast<int>(bin));
                    double all = 0;
                    for (const auto& [ring1, ring2] : rings) {
                        const auto sumOfRings = static_cast<std::size_t>(ring1 + ring2);
                        all += static_cast<double>(norm.crystalsOf(static_cast<std::size_t>(ring1))[one]) *
                               static_cast<double>(norm.crystalsOf(static_cast<std::size_t>(ring2))[two]) *
                               static_cast<double>(norm.geometric(sumOfRings)[bin + shift]) *
                               static_cast<double>(norm.axial(ring1, ring2));
                    }
                    sum += all * static_cast<double>(
                                     norm.interference(bin + shift, static_cast<std::size_t>(azimuth)));
                }
                result.values.insert(result.values.end(), static_cast<std::size_t>(m.timeBins()),
                                     static_cast<float>(sum));
            }
        }
    }
    return result;
}

std::vector<double> ecat8LiveOfFrames(const SinogramData& data, const std::string& normPath,
                                      const std::string& dataHeader, const std::vector<double>& mean,
                                      const std::vector<std::vector<double>>& frames) {
    Ecat8Norm norm(normPath);
    const std::vector<double> whole = norm.live(mean);
    if (whole.empty()) {
        return {};
    }
    const std::vector<double> counts =
        countsOfBlocks(data, norm, patientAxes(InterfileHeader(dataHeader))[2]);
    std::vector<double> result;
    for (const std::vector<double>& singles : frames) {
        std::vector<double> over = norm.live(singles);
        if (over.empty()) {
            return {};
        }
        std::transform(over.begin(), over.end(), whole.begin(), over.begin(), std::divides<>());
        double sum = 0;
        double all = 0;
        for (std::size_t one = 0; one < over.size(); ++one) {
            for (std::size_t two = 0; two < over.size(); ++two) {
                const double here = counts[one * over.size() + two];
                all += here;
                sum += here * over[one] * over[two];
            }
        }
        result.push_back(all > 0 ? sum / all : 1);
    }
    return result;
}

}  // namespace tof
