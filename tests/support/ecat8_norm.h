// SPDX-License-Identifier: Apache-2.0
// Component-based normalisations of Siemens, with factors that nobody would guess.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace tof::test {

struct Ecat8NormTables {
    int rings = 4;
    int crystals = 24;
    int block = 6;
    int bins = 9;
    int span = 3;
    int difference = 3;
    int planes = 13;  ///< that these make
    std::vector<float> geometric, interference, efficiencies, axial;
    double radius_mm = 300;  ///< where the crystals' reference points lie
    double spacing_mm = 5;
    double perMm = 0.3;  ///< counts of a pair of crystals and mm of its chord
    std::string system = "1104";
    /// Parameters of dead time by ring, and the singles of an eighth of a second that every block tells.
    std::vector<float> paralysing = {}, other = {};
    std::vector<std::uint32_t> singles = {};

    [[nodiscard]] bool isMmr() const { return system == "2008"; }
    /// What a crystal records: an mMR's table begins with the crystal behind the first gap, and blocks of 18
    /// places and 8 rings, from there on, share their singles.
    [[nodiscard]] double recorded(int ring, int place) const {
        const int crystal = isMmr() ? (place + crystals - 1) % crystals : place;
        if (isMmr() && place % block == 0) {
            return 0;
        }
        const double efficiency =
            static_cast<double>(efficiencies[static_cast<std::size_t>(ring * crystals + crystal)]);
        if (paralysing.empty()) {
            return efficiency;
        }
        const double rate =
            4.0 * singles[static_cast<std::size_t>(crystal / 18 + crystals / 18 * (ring / 8))];
        const double open = 1 + rate * static_cast<double>(other[static_cast<std::size_t>(ring)]);
        return efficiency *
               std::exp(rate * static_cast<double>(paralysing[static_cast<std::size_t>(ring)]) / open) / open;
    }

    /// Factors between 0.5 and 1.5.
    void fill() {
        std::mt19937 random(5);
        std::uniform_real_distribution<float> factor(0.5F, 1.5F);
        const auto draw = [&](std::vector<float>& table, int count) {
            table.resize(static_cast<std::size_t>(count));
            for (float& value : table) {
                value = factor(random);
            }
        };
        draw(geometric, bins * (2 * rings - 1));
        draw(interference, block * bins);
        draw(efficiencies, crystals * rings);
        draw(axial, planes);
    }
};

/// Writes `name` and its header, the components in another order than Siemens', with a gap between two.
inline void writeEcat8Norm(const std::string& folder, const std::string& name,
                           const Ecat8NormTables& tables) {
    std::string bytes;
    std::string text =
        "!INTERFILE:=\n!originating system:=" + tables.system + "\nname of data file:=" + name +
        "\n%axial compression:=" + std::to_string(tables.span) +
        "\n%maximum ring difference:=" + std::to_string(tables.difference) +
        "\n%number of normalization components:=" + (tables.paralysing.empty() ? "5" : "6") +
        "\n%scanner quantification factor (Bq*s/ECAT counts):=2.5\n" +
        (tables.paralysing.empty() ? "%normalization component [5]:=paralyzing ring DT parameters\n" : "");
    const auto add = [&](int index, const char* component, const std::vector<float>& table, int first,
                         int second) {
        const std::string at = " [" + std::to_string(index) + "]:=";
        text += "%normalization component" + at + component + "\ndata offset in bytes" + at +
                std::to_string(bytes.size()) + "\n%matrix size" + at + "{" + std::to_string(first) +
                (second > 0 ? "," + std::to_string(second) : std::string()) + "}\n";
        bytes.append(reinterpret_cast<const char*>(table.data()), table.size() * sizeof(float));
    };
    add(3, "crystal efficiencies", tables.efficiencies, tables.crystals, tables.rings);
    bytes += std::string(12, '\1');
    add(1, "geometric effects", tables.geometric, tables.bins, 2 * tables.rings - 1);
    add(4, "axial effects", tables.axial, tables.planes, 0);
    add(2, "crystal interference", tables.interference, tables.block, tables.bins);
    if (!tables.paralysing.empty()) {
        add(5, "paralyzing ring DT parameters", tables.paralysing, tables.rings, 0);
        add(6, "non-paralyzing ring DT parameters", tables.other, tables.rings, 0);
    }
    std::ofstream(folder + "/" + name, std::ios::binary) << bytes;
    std::ofstream(folder + "/" + name + ".hdr", std::ios::binary) << text;
}

/// The header of list-mode of a scanner.
inline std::string ecat8ListHeader(const Ecat8NormTables& tables, const std::string& words) {
    return "!INTERFILE:=\n%SMS-MI header name space:=PETLINK bin address\nname of data file:=" + words +
           "\nnumber of rings:=" + std::to_string(tables.rings) +
           "\ndistance between rings (cm):=" + std::to_string(tables.spacing_mm / 10) +
           "\ngantry crystal radius (cm):=" + std::to_string((tables.radius_mm - 7) / 10) +
           "\n%total listmode word counts:=0\n%singles scale factor:=8\n%total number of singles blocks:=" +
           std::to_string(tables.singles.size()) + "\n%axial compression:=" + std::to_string(tables.span) +
           "\n%maximum ring difference:=" + std::to_string(tables.difference) +
           "\n%number of projections:=" + std::to_string(tables.bins) +
           "\n%number of views:=" + std::to_string(tables.crystals / 2) + "\n%patient orientation:=HFS\n";
}

/// Two crystals by ring and place.
struct Ecat8Pair {
    std::array<int, 2> ring{};
    std::array<int, 2> place{};
};

/// The pair of every address of span 1, as STIR's CListEventECAT8_32bit and ProjDataInfoCylindricalNoArcCorr
/// find it: segments 0, -1, +1, ... of ring 2 - ring 1, planes, views, bins.
inline std::vector<Ecat8Pair> ecat8Pairs(const Ecat8NormTables& t) {
    std::vector<Ecat8Pair> pairs;
    for (int i = 0; i <= 2 * t.difference; ++i) {
        const int segment = i % 2 == 1 ? -(i + 1) / 2 : i / 2;
        for (int plane = 0; plane < t.rings - std::abs(segment); ++plane) {
            for (int view = 0; view < t.crystals / 2; ++view) {
                for (int bin = 0; bin < t.bins; ++bin) {
                    const int tangential = bin - t.bins / 2;
                    const int one = view + static_cast<int>(std::floor(tangential / 2.0));
                    const int two =
                        view - static_cast<int>(std::floor((tangential + 1) / 2.0)) + t.crystals / 2;
                    pairs.push_back({{plane + std::max(0, -segment), plane + std::max(0, segment)},
                                     {(one + t.crystals) % t.crystals, (two + t.crystals) % t.crystals}});
                }
            }
        }
    }
    return pairs;
}

/// Words of a cylinder of 100 mm about the axis, longer than the scanner, as a scanner of one segment and
/// those tables counts it without noise; what is no whole count is carried on to the next bin.
inline std::vector<std::uint32_t> cylinderWords(const Ecat8NormTables& t) {
    constexpr double kPi = 3.14159265358979;
    const auto at = [](const std::vector<float>& table, int place) {
        return static_cast<double>(table.at(static_cast<std::size_t>(place)));
    };
    std::vector<std::uint32_t> words{0x80000000U};  // 0 ms
    for (std::size_t block = 0; block < t.singles.size(); ++block) {
        words.push_back(0xA0000000U | static_cast<std::uint32_t>(block) << 19U | t.singles[block]);
    }
    const int views = t.crystals / 2;
    const int bins = static_cast<int>(t.geometric.size()) * views;  // of the first segment
    double carried = 0;
    for (int place = 0; place < bins; ++place) {
        const int bin = place % t.bins;
        const int view = place / t.bins % views;
        const int plane = place / t.bins / views;
        const int offset = bin - t.bins / 2;
        const int half = static_cast<int>(std::floor(offset / 2.0));
        const int one = (view + half + t.crystals) % t.crystals;
        const int two = (view + half - offset + views + t.crystals) % t.crystals;
        const double from_mm = t.radius_mm * std::cos(kPi * (one - two) / t.crystals);
        const double chord_mm = 2 * std::sqrt(std::max(0.0, 1e4 - from_mm * from_mm));
        if (chord_mm == 0) {
            continue;
        }
        double efficiency = 0;
        for (int ring = 0; ring < t.rings; ++ring) {
            if (std::abs(plane - 2 * ring) <= t.span / 2 && plane - ring >= 0 && plane - ring < t.rings) {
                efficiency += t.recorded(ring, one) * t.recorded(plane - ring, two);
            }
        }
        efficiency *= at(t.geometric, plane * t.bins + bin) * at(t.axial, plane) *
                      at(t.interference, bin * t.block + view % t.block);
        carried += t.perMm * efficiency * chord_mm;
        const double count = std::floor(carried);
        carried -= count;
        words.insert(words.end(), static_cast<std::size_t>(count),
                     0x40000000U | static_cast<std::uint32_t>(place));
    }
    words.push_back(0x80000000U | 2000U);
    return words;
}

/// A small mMR of two by two blocks of singles, with dead time that differs from ring to ring.
inline Ecat8NormTables smallMmr() {
    Ecat8NormTables t{16, 36, 9, 9, 1, 0, 16, {}, {}, {}, {}};
    t.fill();
    t.system = "2008";
    for (int ring = 0; ring < 16; ++ring) {
        t.paralysing.push_back(-1e-7F * static_cast<float>(ring + 1));
        t.other.push_back(2e-7F * static_cast<float>(17 - ring));
    }
    t.singles = {10000, 60000, 20000, 90000};
    return t;
}

/// A prompt of the small mMR: its plane, and the places of its two crystals in the ring of this number.
struct MmrPrompt {
    std::uint32_t word;
    int ring, one, two;
};

/// Some more of the one plane than of the other, none at gaps.
inline std::vector<MmrPrompt> mmrPrompts(const Ecat8NormTables& t) {
    std::vector<MmrPrompt> prompts;
    const int views = t.crystals / 2;
    for (int place = 0; place < t.planes * views * t.bins; ++place) {
        const int bin = place % t.bins;
        const int view = place / t.bins % views;
        const int offset = bin - t.bins / 2;
        const int half = static_cast<int>(std::floor(offset / 2.0));
        const int one = (view + half + t.crystals) % t.crystals;
        const int two = (view + half - offset + views + t.crystals) % t.crystals;
        const int ring = place / t.bins / views;
        for (int i = 0; i < place % 4 + ring % 3 && one % t.block != 0 && two % t.block != 0; ++i) {
            prompts.push_back({0x40000000U | static_cast<std::uint32_t>(place), ring, one, two});
        }
    }
    return prompts;
}

/// A list of 20 s whose blocks tell `t.singles` at its start and `later` after 10 s.
inline std::vector<std::uint32_t> mmrWords(const Ecat8NormTables& t,
                                           const std::vector<std::uint32_t>& later) {
    std::vector<std::uint32_t> words;
    for (const std::uint32_t half : {0U, 1U}) {
        words.push_back(0x80000000U | half * 10000U);
        for (std::uint32_t block = 0; block < t.singles.size(); ++block) {
            words.push_back(0xA0000000U | block << 19U | (half == 0 ? t.singles : later)[block]);
        }
        for (const MmrPrompt& prompt : mmrPrompts(t)) {
            words.push_back(prompt.word);
        }
    }
    words.push_back(0x80000000U | 20000U);
    return words;
}

}  // namespace tof::test
