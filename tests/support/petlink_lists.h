// SPDX-License-Identifier: Apache-2.0
// Lists of Siemens whose words of 64 bits are pairs of crystals, written by their layout alone.
#pragma once

#include <QByteArray>
#include <array>
#include <cstdint>
#include <map>

#include "tests/support/foreign_lists.h"

namespace tof::test {

/// Heads, crystals of a head in a ring, rings of crystals.
struct PetlinkShape {
    int heads;
    int columns;
    int rows;
};

struct PetlinkWords {
    QByteArray bytes;

    void pair(std::uint32_t a, std::uint32_t b) {
        bytes += little(a & 0x7FFFFFFFU) + little(b | 0x80000000U);
    }
    void tag(std::uint32_t tag) { pair(0x40000000U | (tag & 0xFFFFU), tag >> 16U); }
    void time(std::uint32_t ms) { tag(0x80000000U | ms); }
    /// `steps` of time of flight: bits 0 to 2, 3 to 5, then 6, 7 and the sign.
    void event(bool prompt, unsigned heads, std::array<unsigned, 2> a, std::array<unsigned, 2> b, int steps) {
        const auto t = static_cast<unsigned>(steps) & 511U;
        pair(a[0] | a[1] << 8U | (heads & 7U) << 16U | (heads >> 6U & 1U) << 6U | (t & 7U) << 25U |
                 (t >> 6U & 1U) << 28U | (t >> 8U) << 29U,
             b[0] | b[1] << 8U | (heads >> 3U & 7U) << 16U | (heads >> 7U) << 6U | (t >> 3U & 7U) << 25U |
                 (t >> 7U & 1U) << 28U | (prompt ? 1U << 30U : 0U));
    }
    /// A pair of rings and places of `shape`; false where its heads are neighbours. Towards A is positive.
    bool seen(const PetlinkShape& shape, const SeenPair& pair, double step_ps) {
        const int near = pair.place[0] / shape.columns < pair.place[1] / shape.columns ? 0 : 1;
        const auto side = [&](int i) {
            return std::array{static_cast<unsigned>(pair.place[static_cast<std::size_t>(i)] % shape.columns),
                              static_cast<unsigned>(pair.ring[static_cast<std::size_t>(i)])};
        };
        const int one = pair.place[static_cast<std::size_t>(near)] / shape.columns;
        const int two = pair.place[static_cast<std::size_t>(1 - near)] / shape.columns;
        unsigned number = 0;
        for (int head = 0; head < one; ++head) {
            number += static_cast<unsigned>(
                std::max(0, std::min(shape.heads - 1, head + shape.heads - 3) - head - 2));
        }
        number += static_cast<unsigned>(two - one - 2);
        if (two - one < 3 || two - one > shape.heads - 3) {
            return false;
        }
        const double later_ps = near == 0 ? pair.dt_ps : -pair.dt_ps;  // t_A - t_B
        event(true, number, side(near), side(1 - near),
              step_ps > 0 ? static_cast<int>(std::lround(-later_ps / step_ps)) : 0);
        return true;
    }
};

/// The header of an mCT (1104) or of Vision 600 (1208); `fields` are added or changed.
inline std::map<QByteArray, QByteArray> petlinkFields(const QByteArray& system, const QByteArray& words,
                                                      int count) {
    const bool mct = system == "1104";
    return {{"%SMS-MI header name space", "PETLINK raw data"},
            {"originating system", system},
            {"name of data file", words},
            {"%LM event and tag words format (bits)", "64"},
            {"%total listmode word counts", QByteArray::number(count)},
            {"%patient orientation", "HFS"},
            {"number of rings", mct ? "55" : "80"},
            {"distance between rings (cm)", mct ? "0.4054" : "0.32911"},
            {"gantry crystal radius (cm)", mct ? "42.1" : "41.0"}};
}

inline QByteArray petlinkHeader(const std::map<QByteArray, QByteArray>& fields) {
    QByteArray text = "!INTERFILE:=\n";
    for (const auto& [key, value] : fields) {
        text += key + ":=" + value + "\n";
    }
    return text;
}

}  // namespace tof::test
