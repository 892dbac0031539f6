// SPDX-License-Identifier: Apache-2.0
// Lists of GE RDF 9 of a small ring.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/vec3.h"
#include "recon/io/hdf5/hdf5_file.h"

namespace tof::test {

inline constexpr int kGeRings = 12;    // 2 modules of 2 blocks of 3
inline constexpr int kGePlaces = 480;  // 8 modules of 15 blocks of 4
inline constexpr double kGeRadius_mm = 320;
inline constexpr double kGeTilt_rad = 0.1;
inline constexpr double kGeUnit_ps = 13.02;

/// STIR's place of a crystal in its own axes: psi from -y towards +x, z out of the scanner; head first and
/// supine, z of the patient runs the other way.
inline Vec3 gePlace(int ring, int place) {
    const double psi = kGeTilt_rad + 2 * kPi * place / kGePlaces;
    return {kGeRadius_mm * std::sin(psi), -kGeRadius_mm * std::cos(psi), -(ring - 5.5) * 5};
}

struct GeList {
    std::vector<std::uint8_t> bytes;
    std::vector<std::array<int, 4>> truth;  ///< rings and STIR's places: high, low
    std::vector<int> dt;
    std::vector<float> factors;                        ///< factors of crystals, [ring][twice GE's places]
    std::vector<std::vector<std::uint32_t>> geometry;  ///< geometric factors, [slice][row][bin]
    std::size_t geometryBins = 0;
    std::vector<std::vector<std::uint32_t>> singles;  ///< counts of each second, [ring][GE's place]

    void words(std::initializer_list<unsigned> values) {
        for (const unsigned value : values) {
            bytes.push_back(static_cast<std::uint8_t>(value));
            bytes.push_back(static_cast<std::uint8_t>(value >> 8U));
        }
    }
    void marker(unsigned ms) { words({1U, ms & 0xFFFFU, ms >> 16U}); }
    void coincidence(int highRing, int highPlace, int lowRing, int lowPlace, int time) {
        const auto crystal = [](int ring, int place) {
            return static_cast<unsigned>(ring | (kGePlaces - 1 - place) << 6);
        };
        words({1U | 4U | (static_cast<unsigned>(time) & 0x1FFU) << 7U, crystal(highRing, highPlace),
               crystal(lowRing, lowPlace)});
        truth.push_back({highRing, highPlace, lowRing, lowPlace});
        dt.push_back(time);
    }
    /// Pairs whose line passes a point by at most 3 mm; the first photon to arrive is nearer the point.
    void point(Vec3 at, std::size_t count) {
        std::mt19937 random(3);
        std::uniform_int_distribution<int> ring(0, kGeRings - 1);
        std::uniform_int_distribution<int> place(0, kGePlaces - 1);
        while (truth.size() < count) {
            const std::array<int, 2> one{ring(random), place(random)};
            const Vec3 high = gePlace(one[0], one[1]);
            const Vec3 along{at.x - high.x, at.y - high.y, 0};
            const double far = -2 * dot(high, along) / dot(along, along);  // times `along` to the other side
            const Vec3 aim = high + far * (at - high);
            const double turn = (std::atan2(aim.x, -aim.y) - kGeTilt_rad) / (2 * kPi);
            const int other = static_cast<int>(std::lround((turn + 1) * kGePlaces)) % kGePlaces;
            const int otherRing = static_cast<int>(std::lround(5.5 - aim.z / 5));
            if (otherRing < 0 || otherRing >= kGeRings) {
                continue;
            }
            const Vec3 low = gePlace(otherRing, other);
            if (norm(cross(at - high, low - high)) > 3 * norm(low - high)) {
                continue;
            }
            // STIR: a positive deltaTime lies towards its first detector, which is the low one.
            const double towardsLow_mm = 0.5 * (norm(at - high) - norm(at - low));
            coincidence(one[0], one[1], otherRing, other,
                        static_cast<int>(std::lround(towardsLow_mm / kMmPerPs / kGeUnit_ps)));
        }
    }
};

/// `other` numbers are changed, `missing` ones left out, and `texts` are words in their place.
inline void writeRdf9(const std::string& path, const GeList& list,
                      const std::map<std::string, double>& other = {},
                      const std::set<std::string>& missing = {}, const std::set<std::string>& texts = {}) {
    const std::string g = "/HeaderData/SystemGeometry/";
    const std::string p = "/HeaderData/AcqParameters/EDCATParameters/";
    std::map<std::string, double> numbers{
        {"/HeaderData/RDFConfiguration/fileVersion/majorVersion", 9},
        {"/HeaderData/RDFConfiguration/isListFile", 1},
        {"/HeaderData/ListHeader/isListCompressed", 0},
        {"/HeaderData/ListHeader/firstTmAbsTimeStamp", 70000},
        {"/HeaderData/ListHeader/lastTmAbsTimeStamp", 72500},
        {"/HeaderData/AcqParameters/EDCATParameters/coincTimingPrecision", 1e-3 * kGeUnit_ps},
        {g + "axialBlocksPerModule", 2},
        {g + "axialCrystalsPerBlock", 3},
        {g + "axialModulesPerSystem", 2},
        {g + "radialBlocksPerModule", 15},
        {g + "radialCrystalsPerBlock", 4},
        {g + "radialModulesPerSystem", 8},
        {g + "effectiveRingDiameter", 2 * kGeRadius_mm},
        {g + "detectorAxialSize", 60},
        {g + "transaxial_crystal_0_offset", kGeTilt_rad / kRadPerDeg}};
    if (!list.singles.empty()) {
        numbers["/HeaderData/SinglesHeader/numValidSamples"] = static_cast<double>(list.singles.size());
        numbers[p + "posCoincidenceWindow"] = 189;
        numbers[p + "lower_energy_limit"] = 425;
        numbers[p + "upper_energy_limit"] = 650;
    }
    for (const auto& [name, value] : other) {
        numbers[name] = value;
    }
    h5::writeFile(path, [&](h5::Writer& file) {
        std::set<std::string> groups;
        for (const auto& [name, value] : numbers) {
            if (texts.count(name) + missing.count(name) == 0) {
                file.write<double>(name, {1}, &value);
                for (std::size_t at = name.find('/', 1); at != std::string::npos;
                     at = name.find('/', at + 1)) {
                    groups.insert(name.substr(0, at));
                }
            }
        }
        for (const std::string& name : texts) {
            if (groups.insert(name.substr(0, name.rfind('/'))).second) {
                file.group(name.substr(0, name.rfind('/')));
            }
            file.text(name, "many");
        }
        if (!list.factors.empty()) {
            file.write<float>("/3DCrystalEfficiency/crystalEfficiency", {kGeRings, 2 * kGePlaces},
                              list.factors.data());
        }
        for (std::size_t i = 0; i < list.geometry.size(); ++i) {
            file.write<std::uint32_t>(
                "/SegmentData/Segment4/3D_Norm_Correction/slice" + std::to_string(i + 1),
                {list.geometry[i].size() / list.geometryBins, list.geometryBins}, list.geometry[i].data());
        }
        for (std::size_t i = 0; i < list.singles.size(); ++i) {
            file.write<std::uint32_t>("/Singles/CrystalSingles/sample" + std::to_string(i + 1),
                                      {kGeRings, kGePlaces}, list.singles[i].data());
        }
        file.group("/HeaderData/ExamData");
        file.text("/HeaderData/ExamData/scannerDesc", "Signa PET/MR");
        file.write<std::uint8_t>("/ListData/listData", {list.bytes.size()}, list.bytes.data());
    });
}

}  // namespace tof::test
