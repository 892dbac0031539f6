// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/block_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/named_file.h"
#include "recon/io/interfile/interfile_header.h"
#include "recon/scanner/michelogram.h"

namespace tof {

namespace {

int count(const InterfileHeader& header, const char* key) {
    constexpr std::uint64_t kMost = 16384;
    const std::uint64_t value = header.whole(key, 0);
    if (value < 1 || value > kMost) {
        header.fail(key, fmt::format("is {}, not between 1 and {}", value, kMost));
    }
    return static_cast<int>(value);
}

/// Equal crystals in equal blocks in one direction.
struct Row {
    int crystals = 1;  ///< crystals of a block
    double crystal_mm = 0;
    double block_mm = 0;

    /// Place of crystal `index`, the first at 0.
    [[nodiscard]] double at(int index) const {
        return index / crystals * block_mm + index % crystals * crystal_mm;
    }
};

Row rowOf(const InterfileHeader& header, const std::string& direction) {
    const auto distance = [&](const std::string& of) {
        const std::string key = fmt::format("Distance between {} in {} direction (cm)", of, direction);
        const double value = kMmPerCm * header.number(key, 0);
        if (!(value > 0)) {
            header.fail(key,
                        fmt::format("is {:g}; blocks need the distances of their parts", value / kMmPerCm));
        }
        return value;
    };
    Row row;
    row.crystals =
        count(header, fmt::format("Number of crystals per block in {} direction", direction).c_str());
    row.crystal_mm = distance("crystals");
    row.block_mm = distance("blocks");
    return row;
}

std::vector<Vec3> blockPlaces(const InterfileHeader& header, const RingScanner& scanner) {
    const Row across = rowOf(header, "transaxial");
    const Row along = rowOf(header, "axial");
    const int perBucket =
        across.crystals * count(header, "Number of blocks per bucket in transaxial direction");
    if (scanner.crystalsPerRing % perBucket != 0 || scanner.rings % along.crystals != 0) {
        header.fail("Number of detectors per ring",
                    fmt::format("is {} in {} rings, which do not fill blocks of {} x {} crystals",
                                scanner.crystalsPerRing, scanner.rings, across.crystals, along.crystals));
    }
    const int buckets = scanner.crystalsPerRing / perBucket;
    // The middle of the first bucket stands so that its first crystal is near the angle 0.
    const double half = kPi / buckets;
    const double gap_mm = across.block_mm - across.crystals * across.crystal_mm;
    const double firstMiddle = half - half / across.block_mm * 2 * (0.5 * across.crystal_mm + gap_mm);
    std::vector<Vec3> points;
    for (int ring = 0; ring < scanner.rings; ++ring) {
        const double z = along.at(ring) - 0.5 * along.at(scanner.rings - 1);
        for (int place = 0; place < scanner.crystalsPerRing; ++place) {
            const double angle = scanner.firstAngle_rad + firstMiddle + 2 * half * (place / perBucket);
            const double beside = across.at(place % perBucket) - 0.5 * across.at(perBucket - 1);
            points.push_back({scanner.radius_mm * std::sin(angle) + beside * std::cos(angle),
                              -scanner.radius_mm * std::cos(angle) + beside * std::sin(angle), z});
        }
    }
    return points;
}

/// Numbers of a line of a crystal map; empty for one without.
std::vector<double> numbersOf(std::string line) {
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == '\r' || c == '\t'; }, ' ');
    std::istringstream words(line);
    std::vector<double> values;
    for (double value = 0; words >> value;) {
        values.push_back(value);
    }
    return words.eof() ? values : std::vector<double>{-1};
}

std::vector<Vec3> mappedPlaces(const InterfileHeader& header, const RingScanner& scanner) {
    constexpr std::size_t kMapLimit = std::size_t{256} << 20U;
    const std::string name = header.text("Name of crystal map", "");
    if (name.empty()) {
        header.fail("Name of crystal map", "is missing; a generic scanner needs the map of its crystals");
    }
    const std::string path = namedBeside(header.path(), name);
    std::istringstream text(readTextFile(path, kMapLimit));
    const auto crystals =
        static_cast<std::size_t>(scanner.rings) * static_cast<std::size_t>(scanner.crystalsPerRing);
    std::vector<Vec3> points(crystals);
    std::vector<bool> known(crystals, false);
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        if (line.starts_with('#') || line.find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        const std::vector<double> values = numbersOf(line);
        const bool layered = values.size() == 6;
        const bool fits = (values.size() == 5 || layered) && values[0] >= 0 && values[0] < scanner.rings &&
                          values[1] >= 0 && values[1] < scanner.crystalsPerRing &&
                          (!layered || values[2] == 0) && std::abs(values[values.size() - 3]) < 1e5 &&
                          std::abs(values[values.size() - 2]) < 1e5 && std::abs(values.back()) < 1e5;
        if (!fits) {
            throw BadInput(
                "{}: line {} is not ring, detector, [layer 0,] x, y, z in mm of a scanner of {} rings of {} "
                "crystals; correct it",
                path, number, scanner.rings, scanner.crystalsPerRing);
        }
        const std::size_t at =
            static_cast<std::size_t>(values[0]) * static_cast<std::size_t>(scanner.crystalsPerRing) +
            static_cast<std::size_t>(values[1]);
        points[at] = {values[values.size() - 3], values[values.size() - 2], values.back()};
        known[at] = true;
        low = std::min(low, values.back());
        high = std::max(high, values.back());
    }
    const auto missing = static_cast<std::size_t>(std::count(known.begin(), known.end(), false));
    if (missing > 0) {
        throw BadInput("{}: places {} of the {} crystals of '{}'; give the map of all of them", path,
                       crystals - missing, crystals, header.path());
    }
    for (Vec3& point : points) {
        point.z -= 0.5 * (low + high);
    }
    return points;
}

}  // namespace

StirGeometry geometryOf(const InterfileHeader& header) {
    // The key names its choices in parentheses, in whatever order a release of STIR has them.
    const std::string geometry = normalKey(header.findStarting("Scanner geometry").value_or("Cylindrical"));
    if (geometry == "cylindrical") {
        return StirGeometry::Cylindrical;
    }
    if (geometry == "blocksoncylindrical") {
        return StirGeometry::Blocks;
    }
    if (geometry == "generic") {
        return StirGeometry::Generic;
    }
    header.fail(
        "Scanner geometry",
        fmt::format("is '{}', not Cylindrical, BlocksOnCylindrical or Generic; correct it", geometry));
}

std::vector<Vec3> crystalPlaces(const InterfileHeader& header, StirGeometry geometry,
                                const RingScanner& scanner) {
    if (header.whole("Number of detector layers", 0, 1) > 1) {
        header.fail("Number of detector layers", "is not 1; crystals of several layers are not read");
    }
    return geometry == StirGeometry::Blocks ? blockPlaces(header, scanner) : mappedPlaces(header, scanner);
}

}  // namespace tof
