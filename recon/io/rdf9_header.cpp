// SPDX-License-Identifier: Apache-2.0
#include "recon/io/rdf9_header.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr const char* kGeometry = "/HeaderData/SystemGeometry/";

}  // namespace

bool isRdf9(const FileStart& start) {
    return start.bytes.find("HeaderData") != std::string::npos && h5::isHdf5(start.bytes) &&
           h5::Reader(start.path).has("/HeaderData/RDFConfiguration");
}

double headerNumber(const h5::Reader& file, const std::string& name, double least, double most) {
    const double value = file.read<double>(name, {1}).front();
    if (!(value >= least && value <= most)) {
        throw BadInput("{}: '{}' is {:g}, not between {:g} and {:g}; export it again", file.path(), name,
                       value, least, most);
    }
    return value;
}

void requireRdf9(const h5::Reader& file) {
    if (headerNumber(file, "/HeaderData/RDFConfiguration/fileVersion/majorVersion", 0, 1e6) != 9) {
        throw BadInput("{}: is of another version of RDF than 9; export it as that", file.path());
    }
}

int headerCount(const h5::Reader& file, const std::string& name) {
    const double count = headerNumber(file, kGeometry + name, 1, 4096);
    if (count != std::floor(count)) {
        throw BadInput("{}: '{}{}' is {:g}, not a whole number; export it again", file.path(), kGeometry,
                       name, count);
    }
    return static_cast<int>(count);
}

RingScanner rdfRing(const h5::Reader& file) {
    constexpr double kMostCrystals = 1024;  // events name a place by 10 bits
    constexpr int kMostRings = 64;          // and a ring by 6
    RingScanner ring;
    ring.name = file.text("/HeaderData/ExamData/scannerDesc");
    ring.name.resize(std::min(ring.name.size(), ring.name.find_last_not_of(std::string(" \0", 2)) + 1));
    const auto product = [&](const char* one, const char* two, const char* three) {
        const double all =
            static_cast<double>(headerCount(file, one)) * headerCount(file, two) * headerCount(file, three);
        if (all > kMostCrystals) {
            throw BadInput("{}: '{}{}' makes {:g} crystals in a row; export it again", file.path(), kGeometry,
                           one, all);
        }
        return static_cast<int>(all);
    };
    ring.rings = product("axialBlocksPerModule", "axialCrystalsPerBlock", "axialModulesPerSystem");
    ring.crystalsPerRing =
        product("radialBlocksPerModule", "radialCrystalsPerBlock", "radialModulesPerSystem");
    if (ring.rings > kMostRings) {
        throw BadInput(
            "{}: '{}axialBlocksPerModule' makes {} rings, and lists name {} at most; export it again",
            file.path(), kGeometry, ring.rings, kMostRings);
    }
    const std::string geometry = kGeometry;
    ring.radius_mm = 0.5 * headerNumber(file, geometry + "effectiveRingDiameter", 1, 1e4);
    ring.ringSpacing_mm = headerNumber(file, geometry + "detectorAxialSize", 1e-3, 1e5) / ring.rings;
    const double pitch_mm = 2 * kPi * ring.radius_mm / ring.crystalsPerRing;
    for (const auto& [name, mm] : {std::pair{"detectorAxialSize", ring.ringSpacing_mm},
                                   std::pair{"effectiveRingDiameter", pitch_mm}}) {
        constexpr double kLeast_mm = 1;
        constexpr double kMost_mm = 30;
        if (!(mm >= kLeast_mm && mm <= kMost_mm)) {
            throw BadInput(
                "{}: '{}{}' makes crystals of {:g} mm, and those of GE are of {:g} to {:g} mm; export "
                "the list again",
                file.path(), kGeometry, name, mm, kLeast_mm, kMost_mm);
        }
    }
    ring.firstAngle_rad =
        kRadPerDeg * headerNumber(file, geometry + "transaxial_crystal_0_offset", -360, 360);
    return ring;
}

std::uint32_t rdfCrystal(const RingScanner& ring, unsigned row, unsigned place) {
    const auto places = static_cast<unsigned>(ring.crystalsPerRing);
    return (static_cast<unsigned>(ring.rings) - 1 - row) * places + (places - 1 - place);
}

}  // namespace tof
