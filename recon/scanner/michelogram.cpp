// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/michelogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/suggestion.h"
#include "recon/base/text_file.h"

namespace tof {

namespace {

void require(bool holds, const std::string& sentence) {
    if (!holds) {
        throw WrongUse(sentence);
    }
}

bool positive(double value) {
    return std::isfinite(value) && value > 0;
}

void check(const MichelogramSpec& spec) {
    const RingScanner& s = spec.scanner;
    require(s.rings >= 1 && s.rings <= 1024,
            fmt::format("a scanner of {} rings is not supported (1 to 1024)", s.rings));
    require(s.crystalsPerRing >= 4 && s.crystalsPerRing <= 16384 && s.crystalsPerRing % 2 == 0,
            fmt::format("{} crystals per ring: an even number of 4 to 16384 is needed", s.crystalsPerRing));
    require(std::is_sorted(s.gapPlaces.begin(), s.gapPlaces.end()) &&
                (s.gapPlaces.empty() || (s.gapPlaces.front() >= 0 && s.gapPlaces.back() < s.crystalsPerRing)),
            "gap places must be ascending places of the ring");
    require(positive(s.radius_mm) && positive(s.ringSpacing_mm) && std::isfinite(s.firstAngle_rad),
            "radius and ring spacing of a scanner must be positive");
    require(spec.radialBins >= 1 && spec.radialBins <= s.crystalsPerRing,
            fmt::format("{} radial bins: 1 to {} are possible", spec.radialBins, s.crystalsPerRing));
    require(
        spec.mashing >= 1 && s.crystalsPerRing / 2 % spec.mashing == 0,
        fmt::format("a view mashing of {} does not divide {} azimuths", spec.mashing, s.crystalsPerRing / 2));
    require(spec.anglesPerPart >= 1 && s.crystalsPerRing / 2 / spec.mashing % spec.anglesPerPart == 0,
            fmt::format("{} angles per part do not divide {} azimuths", spec.anglesPerPart,
                        s.crystalsPerRing / 2 / spec.mashing));
    require(spec.binSize_mm == 0 || positive(spec.binSize_mm), "the radial bin size must be positive");
    const double reach = 0.5 * (spec.radialBins + 1) * spec.binSize_mm;
    require(reach < s.radius_mm,
            fmt::format("radial bins reach {:g} mm, beyond the scanner's {:g} mm", reach, s.radius_mm));
    const TofBins& tof = spec.tof;
    require(tof.count == 0 || (tof.count >= 1 && tof.count <= 4096 && positive(tof.width_ps) &&
                               positive(tof.fwhm_ps) && positive(tof.cutoff)),
            "time-of-flight bins need a count of 1 to 4096 and a positive width, FWHM and cutoff");
    require(!spec.segments.empty(), "a michelogram needs at least one segment");
}

Vec3 onCylinder(const RingScanner& s, double psi, double z) {
    return {s.radius_mm * std::sin(psi), -s.radius_mm * std::cos(psi), z};
}

const char* const kSteName = "ge-ste";

MichelogramSpec discoverySte() {
    MichelogramSpec spec;
    // Inner radius 443.1 mm, mean depth of interaction 8.4 mm, as STIR's scanner table has them.
    spec.scanner = {"GE Discovery STE", 24, 560, 443.1 + 8.4, 6.54, -4.5490 * kRadPerDeg};
    spec.segments = segmentsOfGe(spec.scanner.rings);
    spec.radialBins = 329;
    spec.anglesPerPart = 4;
    return spec;
}

std::vector<int> placesFrom(const nlohmann::json& value, const std::string& source) {
    constexpr int kMostPlaces = 16384;
    std::vector<int> places;
    for (const auto& place : value.is_array() ? value : nlohmann::json::array({-1})) {
        if (!place.is_number_integer() || place < 0 || place >= kMostPlaces ||
            (!places.empty() && place <= places.back())) {
            throw BadInput("{}: gap_places is not a list of ascending places; write [8, 17, ...]", source);
        }
        places.push_back(place.get<int>());
    }
    return places;
}

std::vector<RingSegment> segmentsFrom(const nlohmann::json& value, const std::string& source) {
    const auto fault = [&](const char* why) -> BadInput {
        return BadInput("{}: segments: {}; write [[min, max], ...]", source, why);
    };
    if (!value.is_array()) {
        throw fault("not a list");
    }
    std::vector<RingSegment> segments;
    for (const auto& pair : value) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_integer() ||
            !pair[1].is_number_integer()) {
            throw fault("a segment is not a pair of whole numbers");
        }
        segments.push_back({pair[0].get<int>(), pair[1].get<int>()});
    }
    return segments;
}

}  // namespace

double RingScanner::angleOf(double place) const {
    const double turned = 2 * kPi * place / crystalsPerRing;
    return clockwise ? firstAngle_rad - turned : firstAngle_rad + turned;
}

double RingScanner::placeAt(double psi_rad) const {
    const double turned = clockwise ? firstAngle_rad - psi_rad : psi_rad - firstAngle_rad;
    return turned * crystalsPerRing / (2 * kPi);
}

Vec3 RingScanner::reference(std::uint32_t crystal) const {
    const auto perRing = static_cast<std::uint32_t>(crystalsPerRing);
    const auto ring = crystal / perRing;
    return onCylinder(*this, angleOf(crystal % perRing), ringZ(ring));
}

int TofBins::bin(double dt_ps) const {
    if (count == 0) {
        return 0;
    }
    const double k = std::clamp(std::floor(std::abs(dt_ps) / width_ps + 0.5 * count), 0.0, count - 1.0);
    return dt_ps < 0 ? count - 1 - static_cast<int>(k) : static_cast<int>(k);
}

std::vector<RingSegment> segmentsOfSpan(int rings, int span, int maxDifference) {
    require(span >= 1 && span % 2 == 1, fmt::format("a span of {} is not odd and positive", span));
    require(maxDifference >= 0 && maxDifference < rings,
            fmt::format("a ring difference of {} is not possible with {} rings", maxDifference, rings));
    const int half = span / 2;
    std::vector<RingSegment> segments{{-std::min(half, maxDifference), std::min(half, maxDifference)}};
    for (int low = half + 1; low <= maxDifference; low += span) {
        const int high = std::min(low + span - 1, maxDifference);
        segments.push_back({low, high});
        segments.push_back({-high, -low});
    }
    return segments;
}

std::vector<RingSegment> segmentsOfGe(int rings) {
    const int inner = std::min(1, rings - 1);
    std::vector<RingSegment> segments{{-inner, inner}};
    for (int difference = 2; difference < rings; ++difference) {
        segments.push_back({difference, difference});
        segments.push_back({-difference, -difference});
    }
    return segments;
}

Michelogram::Michelogram(MichelogramSpec spec) : spec_(std::move(spec)) {
    check(spec_);
    const int rings = spec_.scanner.rings;
    angles_ = spec_.scanner.crystalsPerRing / 2 / spec_.mashing;
    sinogramOf_.assign(static_cast<std::size_t>(rings) * static_cast<std::size_t>(rings), -1);
    for (std::size_t s = 0; s < spec_.segments.size(); ++s) {
        const RingSegment& segment = spec_.segments[s];
        require(segment.minDifference <= segment.maxDifference && segment.minDifference > -rings &&
                    segment.maxDifference < rings,
                fmt::format("ring differences {}..{} are not possible with {} rings", segment.minDifference,
                            segment.maxDifference, rings));
        std::map<int, std::vector<std::pair<int, int>>> planes;  // by sum of rings
        for (int ring1 = 0; ring1 < rings; ++ring1) {
            const int first = std::max(0, ring1 + segment.minDifference);
            const int last = std::min(rings - 1, ring1 + segment.maxDifference);
            for (int ring2 = first; ring2 <= last; ++ring2) {
                require(sinogramOf(ring1, ring2) < 0,
                        fmt::format("ring difference {} is in two segments", ring2 - ring1));
                planes[ring1 + ring2].emplace_back(ring1, ring2);
            }
        }
        for (const auto& [sum, pairs] : planes) {
            Sinogram plane{static_cast<int>(s), sum, static_cast<int>(pairs.size()), 0, 0};
            double meanRing1 = 0;
            for (const auto& [ring1, ring2] : pairs) {
                sinogramOf_[static_cast<std::size_t>(ring1) * static_cast<std::size_t>(rings) +
                            static_cast<std::size_t>(ring2)] = static_cast<std::int32_t>(sinograms_.size());
                meanRing1 += static_cast<double>(ring1) / plane.pairs;
            }
            plane.z1_mm = spec_.scanner.ringZ(meanRing1);
            plane.z2_mm = spec_.scanner.ringZ(sum - meanRing1);
            sinograms_.push_back(plane);
        }
    }
}

TransverseLine Michelogram::line(int angle, int radial, double offset) const {
    const RingScanner& s = spec_.scanner;
    const int t = radial - spec_.radialBins / 2;
    // Azimuth in crystals: the mean of the mashed ones. Of the pairs of crystals with odd t, which lie half a
    // crystal between the even ones, arc-corrected data have lost that half.
    double azimuth = angle * spec_.mashing + 0.5 * (spec_.mashing - 1);
    double halfOpening = 0;  // in places: place 1 - azimuth = azimuth + half a ring - place 2
    if (spec_.binSize_mm > 0) {
        halfOpening =
            std::asin((t + offset) * spec_.binSize_mm / s.radius_mm) * s.crystalsPerRing / (2 * kPi);
    } else {
        azimuth -= t % 2 != 0 ? 0.5 : 0.0;
        halfOpening = 0.5 * (t + offset);
    }
    const Vec3 one = onCylinder(s, s.angleOf(azimuth + halfOpening), 0);
    const Vec3 two = onCylinder(s, s.angleOf(azimuth + 0.5 * s.crystalsPerRing - halfOpening), 0);
    return {one.x, one.y, two.x, two.y};
}

std::optional<std::size_t> Michelogram::binOf(std::uint32_t crystal1, std::uint32_t crystal2,
                                              double dt_ps) const {
    const int n = spec_.scanner.crystalsPerRing;
    const auto perRing = static_cast<std::uint32_t>(n);
    auto place1 = static_cast<int>(crystal1 % perRing);
    auto place2 = static_cast<int>(crystal2 % perRing);
    auto ring1 = static_cast<int>(crystal1 / perRing);
    auto ring2 = static_cast<int>(crystal2 / perRing);
    // Pair (azimuth v, radial t) is places v + floor(t/2) and v - ceil(t/2) + n/2, modulo n.
    int t = (place1 - place2 + n + n / 2 + n / 2) % n - n / 2;
    const auto azimuthOf = [n](int place, int tangential) {
        const int half = tangential >= 0 ? tangential / 2 : -((1 - tangential) / 2);
        return (place - half + n) % n;
    };
    int v = azimuthOf(place1, t);
    if (v >= n / 2) {
        std::swap(place1, place2);
        std::swap(ring1, ring2);
        dt_ps = -dt_ps;
        t = -t;
        v = azimuthOf(place1, t);
    }
    const int sinogram = sinogramOf(ring1, ring2);
    double radial = t;
    if (spec_.binSize_mm > 0) {
        radial = std::floor(spec_.scanner.radius_mm * std::sin(t * kPi / n) / spec_.binSize_mm + 0.5);
    }
    const int centre = spec_.radialBins / 2;
    radial += centre;
    if (sinogram < 0 || v >= n / 2 || radial < 0 || radial >= spec_.radialBins) {
        return std::nullopt;
    }
    return index(slotOfAngle(v / spec_.mashing), static_cast<std::size_t>(sinogram), static_cast<int>(radial),
                 spec_.tof.bin(dt_ps));
}

MichelogramSpec MichelogramSpec::find(const std::string& nameOrFile) {
    if (nameOrFile == kSteName) {
        return discoverySte();
    }
    if (nameOrFile.find('.') == std::string::npos && nameOrFile.find('/') == std::string::npos) {
        throw WrongUse("no ring scanner '{}'{}; built in: {}; or name a JSON file", nameOrFile,
                       suggestion(nameOrFile, {kSteName}), kSteName);
    }
    return fromJson(readTextFile(nameOrFile), nameOrFile);
}

bool MichelogramSpec::describes(const std::string& nameOrFile) {
    if (nameOrFile == kSteName) {
        return true;
    }
    try {
        const nlohmann::json root = parseJson(readTextFile(nameOrFile), nameOrFile);
        return root.is_object() && root.value("kind", nlohmann::json()) == "rings";
    } catch (const BadInput&) {
        return false;  // not a file, or not JSON: some other scanner's name
    }
}

MichelogramSpec MichelogramSpec::fromJson(const std::string& text, const std::string& source) {
    const nlohmann::json root = parseJson(text, source);
    const JsonFields f(root, source,
                       {"kind", "name", "rings", "crystals_per_ring", "radius_mm", "ring_spacing_mm",
                        "first_angle_deg", "clockwise", "gap_places", "segments", "span", "max_difference",
                        "radial_bins", "mashing", "bin_size_mm", "tof", "angles_per_part"});
    if (f.text("kind", "rings") != "rings") {
        throw BadInput("{}: kind is '{}', not 'rings'", source, f.text("kind"));
    }
    MichelogramSpec spec;
    RingScanner& s = spec.scanner;
    s.name = f.text("name", "");
    s.rings = f.integer("rings", 1, 1024);
    s.crystalsPerRing = f.integer("crystals_per_ring", 4, 16384);
    s.radius_mm = f.number("radius_mm", 1e-3, 1e5);
    s.ringSpacing_mm = f.number("ring_spacing_mm", 1e-3, 1e4);
    s.firstAngle_rad = f.number("first_angle_deg", 0, -360, 360) * kRadPerDeg;
    if (f.has("clockwise")) {
        if (!f.raw("clockwise").is_boolean()) {
            throw BadInput("{}: clockwise is neither true nor false; write one of them", source);
        }
        s.clockwise = f.raw("clockwise").get<bool>();
    }
    if (f.has("gap_places")) {
        s.gapPlaces = placesFrom(f.raw("gap_places"), source);
    }
    spec.radialBins = f.integer("radial_bins", 1, s.crystalsPerRing);
    spec.mashing = f.has("mashing") ? f.integer("mashing", 1, 8192) : 1;
    spec.binSize_mm = f.number("bin_size_mm", 0, 0, 1e3);
    spec.anglesPerPart = f.has("angles_per_part") ? f.integer("angles_per_part", 1, 8192) : 1;
    if (f.has("tof")) {
        const JsonFields tof(f.raw("tof"), source + ": tof", {"bins", "width_ps", "fwhm_ps", "cutoff"});
        spec.tof.count = tof.integer("bins", 1, 4096);
        spec.tof.width_ps = tof.number("width_ps", 1e-3, 1e5);
        spec.tof.fwhm_ps = tof.number("fwhm_ps", 1e-3, 1e5);
        spec.tof.cutoff = tof.number("cutoff", TofBins().cutoff, 1, 100);
    }
    try {
        if (!f.has("segments")) {
            spec.segments =
                segmentsOfSpan(s.rings, f.has("span") ? f.integer("span", 1, 2047) : 1,
                               f.has("max_difference") ? f.integer("max_difference", 0, 1023) : s.rings - 1);
        } else {
            const nlohmann::json& value = f.raw("segments");
            spec.segments = value == "ge" ? segmentsOfGe(s.rings) : segmentsFrom(value, source);
        }
        static_cast<void>(Michelogram(spec));
    } catch (const WrongUse& fault) {
        throw BadInput("{}: {}", source, fault.what());
    }
    return spec;
}

std::string MichelogramSpec::toJson() const {
    nlohmann::ordered_json pairs = nlohmann::ordered_json::array();
    for (const RingSegment& segment : segments) {
        pairs.push_back({segment.minDifference, segment.maxDifference});
    }
    nlohmann::ordered_json out{{"kind", "rings"},
                               {"name", scanner.name},
                               {"rings", scanner.rings},
                               {"crystals_per_ring", scanner.crystalsPerRing},
                               {"radius_mm", scanner.radius_mm},
                               {"ring_spacing_mm", scanner.ringSpacing_mm},
                               {"first_angle_deg", scanner.firstAngle_rad / kRadPerDeg},
                               {"segments", pairs},
                               {"radial_bins", radialBins},
                               {"mashing", mashing},
                               {"bin_size_mm", binSize_mm},
                               {"angles_per_part", anglesPerPart}};
    if (scanner.clockwise) {
        out["clockwise"] = true;
    }
    if (!scanner.gapPlaces.empty()) {
        out["gap_places"] = scanner.gapPlaces;
    }
    if (tof.count > 0) {
        out["tof"] = {{"bins", tof.count},
                      {"width_ps", tof.width_ps},
                      {"fwhm_ps", tof.fwhm_ps},
                      {"cutoff", tof.cutoff}};
    }
    return jsonText(out);
}

std::array<int, 2> Michelogram::placesOf(int angle, int radial) const {
    const int n = spec_.scanner.crystalsPerRing;
    const int t = radial - spec_.radialBins / 2;
    const int half = t >= 0 ? t / 2 : -((1 - t) / 2);
    return {(angle + half + n) % n, (angle + half - t + n / 2 + n) % n};
}

namespace {

/// Transverse crystal pairs of the bins of one azimuth.
std::vector<int> transversePairs(const Michelogram& m, int angle, const std::vector<bool>& gap) {
    const int mashing = m.spec().mashing;
    std::vector<int> pairs(static_cast<std::size_t>(m.radialBins()), mashing);
    // What arc-corrected bins add up is no longer known.
    for (int radial = 0; m.spec().binSize_mm == 0 && radial < m.radialBins(); ++radial) {
        for (int i = 0; i < mashing; ++i) {
            const auto [one, two] = m.placesOf(angle * mashing + i, radial);
            const bool dead = gap[static_cast<std::size_t>(one)] || gap[static_cast<std::size_t>(two)];
            pairs[static_cast<std::size_t>(radial)] -= dead ? 1 : 0;
        }
    }
    return pairs;
}

}  // namespace

std::vector<float> pairMultiplicity(const Michelogram& m) {
    std::vector<bool> gap(static_cast<std::size_t>(m.scanner().crystalsPerRing), false);
    for (const int place : m.scanner().gapPlaces) {
        gap[static_cast<std::size_t>(place)] = true;
    }
    std::vector<float> mult;
    mult.reserve(m.bins());
    for (int slot = 0; slot < m.angles(); ++slot) {
        const std::vector<int> across = transversePairs(m, m.angleOfSlot(slot), gap);
        for (const Sinogram& plane : m.sinograms()) {
            for (const int pairs : across) {
                mult.insert(mult.end(), static_cast<std::size_t>(m.timeBins()),
                            static_cast<float>(plane.pairs * pairs));
            }
        }
    }
    return mult;
}

int defaultAnglesPerPart(int angles) {
    constexpr int kMost = 8;
    constexpr int kLeastParts = 16;
    for (int group = kMost; group > 1; --group) {
        if (angles % group == 0 && angles / group >= kLeastParts) {
            return group;
        }
    }
    return 1;
}

Lattice defaultLattice(const Michelogram& m) {
    const RingScanner& s = m.scanner();
    const double step = m.spec().binSize_mm > 0 ? m.spec().binSize_mm : s.radius_mm * kPi / s.crystalsPerRing;
    return Lattice::centred({m.radialBins(), m.radialBins(), 2 * s.rings - 1},
                            {step, step, 0.5 * s.ringSpacing_mm});
}

}  // namespace tof
