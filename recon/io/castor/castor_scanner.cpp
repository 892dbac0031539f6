// SPDX-License-Identifier: Apache-2.0
#include "recon/io/castor/castor_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/percentile.h"
#include "recon/io/bytes/named_file.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/castor/castor_header.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kCrystalLimit = 2000000;
constexpr std::uint64_t kCountLimit = 100000;
constexpr double kLength_mm = 10000;

/// One layer of a .geom file: counts, sizes and gaps from crystals up to rsectors.
struct Layer {
    std::uint64_t rsectors = 1;
    std::uint64_t axialRsectors = 1;
    std::uint64_t modules[2] = {1, 1};  ///< transaxial, axial
    std::uint64_t submodules[2] = {1, 1};
    std::uint64_t crystals[2] = {1, 1};
    double radius_mm = 0;
    double firstAngle_rad = 0;
    double span_rad = 0;
    double depth_mm = 0;
    double crystal_mm[2] = {0, 0};
    double crystalGap_mm[2] = {0, 0};
    double submoduleGap_mm[2] = {0, 0};
    double moduleGap_mm[2] = {0, 0};
    double rsectorGap_mm = 0;

    [[nodiscard]] double submodulePitch(int k) const { return submodule(k) + submoduleGap_mm[k]; }
    [[nodiscard]] double modulePitch(int k) const { return module(k) + moduleGap_mm[k]; }
    [[nodiscard]] double submodule(int k) const {
        return filled(crystals[k], crystal_mm[k], crystalGap_mm[k]);
    }
    [[nodiscard]] double module(int k) const {
        return filled(submodules[k], submodule(k), submoduleGap_mm[k]);
    }
    [[nodiscard]] double rsector(int k) const { return filled(modules[k], module(k), moduleGap_mm[k]); }
    [[nodiscard]] double axialExtent() const { return filled(axialRsectors, rsector(1), rsectorGap_mm); }
    [[nodiscard]] std::uint64_t perRsector(int k) const { return modules[k] * submodules[k] * crystals[k]; }

    /// Start of a crystal counted along a rsector, from the rsector's edge, to the crystal's centre.
    [[nodiscard]] double within(int k, std::uint64_t index) const {
        const std::uint64_t crystal = index % crystals[k];
        const std::uint64_t submoduleIndex = index / crystals[k] % submodules[k];
        const std::uint64_t moduleIndex = index / (crystals[k] * submodules[k]);
        return static_cast<double>(moduleIndex) * modulePitch(k) +
               static_cast<double>(submoduleIndex) * submodulePitch(k) +
               static_cast<double>(crystal) * (crystal_mm[k] + crystalGap_mm[k]) + 0.5 * crystal_mm[k];
    }

  private:
    static double filled(std::uint64_t count, double size, double gap) {
        return static_cast<double>(count) * (size + gap) - gap;
    }
};

std::size_t layersOf(const CastorHeader& header) {
    const std::uint64_t layers = header.whole("number of layers", 100, 1);
    if (layers < 1) {
        header.fail("number of layers", "is 0; give at least 1");
    }
    return layers;
}

std::uint64_t crystalsOf(const CastorHeader& header) {
    const std::uint64_t crystals = header.whole("number of elements", kCrystalLimit);
    if (crystals < 2) {
        header.fail("number of elements", "is below 2; correct it");
    }
    return crystals;
}

/// `crystals size trans...` or `crystals size axial`, whichever way CASToR's files spell them.
std::string sizeKey(const CastorHeader& header, int way) {
    return header.keyStarting(way == 0 ? "crystals size trans" : "crystals size axial");
}

/// Whole numbers from 1, one per layer.
std::vector<std::uint64_t> counts(const CastorHeader& header, const std::string& key, std::size_t layers,
                                  std::optional<double> fallback = {}) {
    std::vector<std::uint64_t> result;
    for (const double value : header.perLayer(key, layers, 1, static_cast<double>(kCountLimit), fallback)) {
        if (value != std::floor(value)) {
            header.fail(key, "is not a whole number; correct it");
        }
        result.push_back(static_cast<std::uint64_t>(value));
    }
    return result;
}

std::vector<Layer> readLayers(const CastorHeader& header) {
    const std::size_t n = layersOf(header);
    std::vector<Layer> layers(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto number = [&](const std::string& key, double low, double high,
                                std::optional<double> fallback = {}) {
            return header.perLayer(key, n, low, high, fallback)[i];
        };
        const auto count = [&](const std::string& key, std::optional<double> fallback = {}) {
            return counts(header, key, n, fallback)[i];
        };
        Layer& layer = layers[i];
        layer.rsectors = count("number of rsectors");
        layer.axialRsectors = count("number of rsectors axial", 1);
        layer.rsectorGap_mm = number("rsector gap axial", 0, kLength_mm, 0);
        layer.radius_mm = number("scanner radius", 1, kLength_mm);
        layer.depth_mm = number("crystals size depth", 1e-3, 1000);
        layer.firstAngle_rad = kRadPerDeg * number("rsectors first angle", -360, 360, 0);
        layer.span_rad = kRadPerDeg * number("rsectors angular span", 1e-3, 360, 360);
        for (const int k : {0, 1}) {
            const std::string way = k == 0 ? "transaxial" : "axial";
            layer.crystal_mm[k] = number(sizeKey(header, k), 1e-3, 1000);
            layer.crystals[k] = count("number of crystals " + way);
            layer.submodules[k] = count("number of submodules " + way, 1);
            layer.modules[k] = count("number of modules " + way, 1);
            layer.crystalGap_mm[k] = number("crystal gap " + way, 0, 1000, 0);
            layer.submoduleGap_mm[k] = number("submodule gap " + way, 0, 1000, 0);
            layer.moduleGap_mm[k] = number("module gap " + way, 0, 1000, 0);
        }
    }
    return layers;
}

/// Axial shifts that repeat from rsector to rsector.
std::vector<double> readShifts(const CastorHeader& header) {
    const std::uint64_t count = header.whole("rsectors nbZShift", kCountLimit, 0);
    return count == 0 ? std::vector<double>{0.0}
                      : header.perLayer("rsectors ZShift", count, -kLength_mm, kLength_mm);
}

int rotationOf(const CastorHeader& header) {
    const std::string direction = header.text("rotation direction", "CW");
    if (direction != "CW" && direction != "CCW") {
        header.fail("rotation direction", fmt::format("is '{}'; use CW or CCW", direction));
    }
    return direction == "CW" ? 1 : -1;
}

/// A crystal in CASToR's frame turned into ours.
struct Placed {
    Vec3 centre;
    Vec3 outward;
};

/// Ring by ring, transaxially fastest within a ring, as CASToR numbers them. The first rsector stands above
/// the centre; seen from the front the next one follows clockwise.
void placeLayer(const Layer& layer, int rotation, const std::vector<double>& shifts,
                std::vector<Placed>& out) {
    const double edge = -0.5 * layer.rsector(0);
    const double radius = layer.radius_mm + 0.5 * layer.depth_mm;
    for (std::uint64_t ring = 0; ring < layer.axialRsectors * layer.perRsector(1); ++ring) {
        const std::uint64_t rsector = ring / layer.perRsector(1);
        const double z = -0.5 * layer.axialExtent() +
                         static_cast<double>(rsector) * (layer.rsector(1) + layer.rsectorGap_mm) +
                         layer.within(1, ring % layer.perRsector(1));
        for (std::uint64_t sector = 0; sector < layer.rsectors; ++sector) {
            const double angle = layer.firstAngle_rad + static_cast<double>(sector) * layer.span_rad /
                                                            static_cast<double>(layer.rsectors);
            const double cosine = std::cos(angle);
            const double sine = rotation * std::sin(angle);
            for (std::uint64_t column = 0; column < layer.perRsector(0); ++column) {
                const double along = rotation * (edge + layer.within(0, column));
                const double x = cosine * along + sine * radius;
                const double up = -sine * along + cosine * radius;
                out.push_back({{x, -up, z + shifts[sector % shifts.size()]}, {sine, -cosine, 0}});
            }
        }
    }
}

/// The crystals, and how many there are in each layer.
std::vector<Placed> readGeom(const CastorHeader& header, std::vector<std::uint64_t>& sizes) {
    const std::uint64_t expected = crystalsOf(header);
    const std::vector<Layer> layers = readLayers(header);
    const std::vector<double> shifts = readShifts(header);
    const int rotation = rotationOf(header);
    double total = 0;  // in floating point: the product of eight counts may exceed 64 bits
    for (const Layer& layer : layers) {
        double count = static_cast<double>(layer.rsectors) * static_cast<double>(layer.axialRsectors);
        for (const int k : {0, 1}) {
            count *= static_cast<double>(layer.modules[k]) * static_cast<double>(layer.submodules[k]) *
                     static_cast<double>(layer.crystals[k]);
        }
        total += count;
    }
    if (total != static_cast<double>(expected)) {
        header.fail("number of elements",
                    fmt::format("is {}, but rsectors, modules and crystals make {:.0f}; "
                                "correct one of them",
                                expected, total));
    }
    std::vector<Placed> placed;
    placed.reserve(expected);
    for (const Layer& layer : layers) {
        sizes.push_back(layer.rsectors * layer.axialRsectors * layer.perRsector(0) * layer.perRsector(1));
        placeLayer(layer, rotation, shifts, placed);
    }
    return placed;
}

/// Which way a crystal extends: along its stored direction, whose sign files do not agree on, away from the
/// axis.
Vec3 outwardOf(const std::string& path, std::size_t index, Vec3 centre, Vec3 direction) {
    constexpr double kLeast =
        0.1;  // cosine to the radial direction below which the stored one is not believed
    const double radius = std::hypot(centre.x, centre.y);
    if (!(radius > 1e-3) || !(radius < kLength_mm) || !(std::abs(centre.z) < kLength_mm)) {
        throw BadInput(
            "{}: crystal {} is at ({:g}, {:g}, {:g}) mm, not around the axis; make the table again", path,
            index, centre.x, centre.y, centre.z);
    }
    const Vec3 radial{centre.x / radius, centre.y / radius, 0};
    const double length = norm(direction);
    const double cosine = length > 0 ? dot(direction, radial) / length : 0;
    if (!(std::abs(cosine) >= kLeast)) {
        return radial;
    }
    return (std::copysign(1.0, cosine) / length) * direction;
}

std::vector<Placed> readLut(const CastorHeader& header, const std::string& table) {
    constexpr std::size_t kNumbers = 6;
    const std::uint64_t crystals = crystalsOf(header);
    ByteReader file(table);
    const std::vector<float> rows =
        file.numbers(crystals * kNumbers, NumberType::Float32, ByteOrder::Little, 1, 0);
    std::byte more{};
    if (file.readSome(&more, 1) != 0) {
        throw BadInput(
            "{}: is longer than the {} crystals of '{}' in its header; give the header that belongs to it",
            table, crystals, "number of elements");
    }
    std::vector<Placed> placed;
    placed.reserve(crystals);
    for (std::size_t i = 0; i < crystals; ++i) {
        const float* row = rows.data() + kNumbers * i;
        const Vec3 centre{row[0], -row[1], row[2]};
        placed.push_back({centre, outwardOf(table, i, centre, {row[3], -row[4], row[5]})});
    }
    return placed;
}

/// Crystals per layer, in the order of their numbers.
std::vector<std::uint64_t> layerSizes(const CastorHeader& header, std::size_t layers, std::uint64_t total) {
    const std::string key = header.keyStarting("number of crystals in layer");
    if (layers == 1) {
        return {total};
    }
    std::vector<std::uint64_t> sizes = counts(header, key, layers);
    std::uint64_t sum = 0;
    for (const std::uint64_t size : sizes) {
        sum += size;
    }
    if (sum != total) {
        header.fail(key, fmt::format("adds up to {}, not to the {} elements; correct it", sum, total));
    }
    return sizes;
}

/// The commonest distance of neighbours within a layer, transaxially and axially; 0 where there are none.
std::array<double, 2> crystalPitch(const std::vector<Placed>& placed, std::uint64_t firstLayer) {
    constexpr double kSame_mm = 0.01;
    const auto key = [](double mm) { return std::lround(mm / kSame_mm); };
    std::map<long, std::vector<std::pair<double, Vec3>>> rings;    // azimuth and place, by z
    std::map<std::pair<long, long>, std::vector<double>> columns;  // z, by x and y
    for (std::uint64_t i = 0; i < firstLayer; ++i) {
        const Vec3 p = placed[i].centre;
        rings[key(p.z)].emplace_back(std::atan2(p.y, p.x), p);
        columns[{key(p.x), key(p.y)}].push_back(p.z);
    }
    std::array<std::vector<double>, 2> steps;
    for (auto& [z, ring] : rings) {
        std::sort(ring.begin(), ring.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
            steps[0].push_back(norm(ring[i + 1].second - ring[i].second));
        }
    }
    for (auto& [place, column] : columns) {
        std::sort(column.begin(), column.end());
        for (std::size_t i = 0; i + 1 < column.size(); ++i) {
            steps[1].push_back(column[i + 1] - column[i]);
        }
    }
    return {steps[0].empty() ? 0.0 : median(steps[0]), steps[1].empty() ? 0.0 : median(steps[1])};
}

/// Transaxial and axial crystal sizes. CASToR asks tables for neither; without them crystals fill their
/// pitch.
std::string setCrystalSizes(Scanner& scanner, const CastorHeader& header, const std::vector<Placed>& placed,
                            const std::vector<std::uint64_t>& sizes) {
    constexpr double kOverlap = 1.01;
    constexpr double kNoNeighbour_mm = 4;
    const std::array<double, 2> pitch = crystalPitch(placed, sizes.front());
    std::string note;
    for (const int way : {0, 1}) {
        const auto k = static_cast<std::size_t>(way);
        const std::string key = sizeKey(header, way);
        const double widest = std::max(pitch[0], pitch[1]);
        const double room = pitch[k] > 0 ? pitch[k] : widest > 0 ? widest : kNoNeighbour_mm;
        const double size = header.perLayer(key, sizes.size(), -1, 1000, -1).front();
        scanner.crystalSize_mm[k] = size > 0 ? size : room;
        const std::string between = note.empty() ? "" : "; ";
        if (!(size > 0)) {
            note += fmt::format(
                "{}{}: field '{}' is missing, crystals are taken to fill their pitch of {:.4g} mm", between,
                header.path(), key, room);
        } else if (pitch[k] > 0 && size > kOverlap * pitch[k]) {
            note += fmt::format(
                "{}{}: field '{}' is {:g} mm, but crystals stand {:.4g} mm apart and overlap; correct one of "
                "them",
                between, header.path(), key, size, pitch[k]);
        }
    }
    return note;
}

double rounded(double value, double step) {
    return std::round(value / step) * step;
}

/// docs/model.md section 1 wants one mean depth below the front face: fronts are laid so that every reference
/// point is where CASToR's depth of interaction puts it, whatever the layer.
void layFronts(Scanner& scanner, const CastorHeader& header, const std::vector<Placed>& placed,
               const std::vector<std::uint64_t>& sizes) {
    constexpr double kStep_mm = 1e-6;  // short numbers in the JSON form
    constexpr double kStep = 1e-9;
    const std::size_t layers = sizes.size();
    const std::vector<double> depth = header.perLayer("crystals size depth", layers, 1e-3, 1000);
    std::vector<double> interaction = header.perLayer("mean depth of interaction", layers, -1, 1000, -1);
    for (std::size_t i = 0; i < layers; ++i) {
        interaction[i] = interaction[i] < 0 ? 0.5 * depth[i] : interaction[i];
    }
    scanner.meanDepth_mm = interaction[0];
    scanner.crystalSize_mm[2] = depth[0];
    std::size_t layer = 0;
    std::uint64_t end = sizes[0];
    scanner.crystals.reserve(placed.size());
    for (std::size_t i = 0; i < placed.size(); ++i) {
        while (i >= end) {
            end += sizes[++layer];
        }
        const Vec3 reference =
            placed[i].centre + (interaction[layer] - 0.5 * depth[layer]) * placed[i].outward;
        const Vec3 front = reference - scanner.meanDepth_mm * placed[i].outward;
        const Vec3 outward = placed[i].outward;
        scanner.crystals.push_back(
            {{rounded(front.x, kStep_mm), rounded(front.y, kStep_mm), rounded(front.z, kStep_mm)},
             {rounded(outward.x, kStep), rounded(outward.y, kStep), rounded(outward.z, kStep)}});
    }
}

/// The field of view and the steepest line that the crystals allow.
void setAcceptance(Scanner& scanner, const CastorHeader& header) {
    double low = scanner.crystals.front().front.z;
    double high = low;
    double radius = 0;
    for (const Crystal& crystal : scanner.crystals) {
        low = std::min(low, crystal.front.z);
        high = std::max(high, crystal.front.z);
        radius = std::max(radius, std::hypot(crystal.front.x, crystal.front.y));
    }
    const double length = high - low + scanner.crystalSize_mm[1];
    scanner.acceptance_rad = std::atan2(length, 2 * radius);
    const std::vector<double> across = header.list("field of view transaxial", 1, kLength_mm);
    scanner.fovRadius_mm = 0.5 * (across.empty() ? radius : *std::max_element(across.begin(), across.end()));
}

/// The scanner that this program wrote beside a table, if these are its crystals still.
std::optional<Scanner> ownScanner(const CastorHeader& header, const Scanner& table) {
    constexpr double kSame_mm = 1e-3;  // tables are of single precision
    if (!header.has("tofscope scanner")) {
        return std::nullopt;
    }
    Scanner own = Scanner::fromJson(header.text("tofscope scanner"), header.path());
    const auto size = static_cast<std::uint32_t>(table.crystals.size());
    bool same = own.crystals.size() == table.crystals.size();
    for (std::uint32_t c = 0; same && c < size; ++c) {
        same = norm(own.reference(c) - table.reference(c)) < kSame_mm;
    }
    return same ? std::optional(std::move(own)) : std::nullopt;
}

}  // namespace

std::string findCastorScanner(const std::string& name, const std::string& given,
                              const std::string& dataHeader) {
    if (!given.empty()) {
        return given;
    }
    if (name.find('/') == std::string::npos) {
        std::optional<LeadsOutside> outside;  // one of them may be a link out of the folder
        for (const char* extension : {".hscan", ".geom"}) {
            try {
                std::error_code ignored;
                const std::string candidate = namedBeside(dataHeader, name + extension);
                if (fs::is_regular_file(candidate, ignored)) {
                    return candidate;
                }
            } catch (const LeadsOutside& refusal) {
                outside = refusal;
            }
        }
        if (outside) {
            throw *outside;
        }
    }
    throw BadInput(
        "{}: its scanner '{}' is described neither in '{}.hscan' nor in '{}.geom' beside it; put one there "
        "or give it with --scanner",
        dataHeader, name, name, name);
}

CastorScanner readCastorScanner(const std::string& path) {
    const bool isTable = path.ends_with(".lut") || path.ends_with(".hscan");
    const std::string headerPath = isTable ? fs::path(path).replace_extension(".hscan").string() : path;
    const CastorHeader header(headerPath);
    const std::string modality = header.text("modality", "PET");
    if (modality != "PET") {
        header.fail("modality", fmt::format("is '{}'; only PET scanners are read", modality));
    }
    std::vector<std::uint64_t> sizes;
    std::vector<Placed> placed;
    if (isTable) {
        placed = readLut(header, fs::path(path).replace_extension(".lut").string());
        sizes = layerSizes(header, layersOf(header), placed.size());
    } else {
        placed = readGeom(header, sizes);
    }
    CastorScanner result;
    Scanner& scanner = result.scanner;
    scanner.name = header.text("scanner name", fs::path(path).stem().string());
    if (!std::all_of(scanner.name.begin(), scanner.name.end(), [](char c) { return c >= ' ' && c <= '~'; })) {
        header.fail("scanner name", "has characters other than ASCII letters, digits and signs; correct it");
    }
    layFronts(scanner, header, placed, sizes);
    result.note = setCrystalSizes(scanner, header, placed, sizes);
    setAcceptance(scanner, header);
    if (std::optional<Scanner> own = ownScanner(header, scanner)) {
        scanner = std::move(*own);
        result.efficiency = header.number("tofscope efficiency", 1e-6, 1, 1.0);
        result.note.clear();
    }
    return result;
}

CastorScanner castorScanner(const CastorHeader& header, const std::string& given) {
    const std::string file = findCastorScanner(header.text("Scanner name"), given, header.path());
    const std::string extension = fs::path(file).extension().string();
    const bool castor = extension == ".geom" || extension == ".hscan" || extension == ".lut";
    CastorScanner result = castor ? readCastorScanner(file) : CastorScanner{Scanner::find(file), ""};
    const double resolution = header.number("TOF resolution (ps)", -1, 1e5, -1);
    if (resolution > 0) {
        result.scanner.timing_fwhm_ps = resolution;
    }
    return result;
}

double castorDuration(const CastorHeader& header) {
    const double duration = header.number("Duration (s)", 0, 1e9);
    return duration > 0 ? duration : 1.0;
}

}  // namespace tof
